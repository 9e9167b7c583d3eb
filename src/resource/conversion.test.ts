import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { apiVersionOf, parseApiVersion } from '#api/names.ts';
import type { KubernetesObject } from '#api/object.ts';
import { builtinResources } from '#kinds/builtin-resources.ts';
import { ResourceCatalog } from '#resource/catalog.ts';
import { fromHub, toHub } from '#resource/conversion.ts';
import type { ResourceDefinition } from '#resource/definition.ts';
import { clone } from '#schema/clone.ts';
import { decodeValue } from '#schema/json/decode.ts';
import { randomFrom } from '../../test/support/random.mjs';
import { generateObject } from '../../test/support/sample-object.ts';

const catalog = new ResourceCatalog(builtinResources, { enabled: () => true });

interface Recorded {
  name: string;
  sent: KubernetesObject;
  [version: string]: unknown;
}
const { objects } = JSON.parse(readFileSync(new URL('../../test/fixtures/real-conversions.json', import.meta.url), 'utf8')) as { objects: Recorded[] };

function definitionOf(object: KubernetesObject): ResourceDefinition {
  const { group, version } = parseApiVersion(object.apiVersion ?? '') ?? { group: '', version: '' };
  return catalog.byKind(group, version, object.kind ?? '') as ResourceDefinition;
}

function decoded(object: unknown): KubernetesObject {
  return decodeValue(definitionOf(object as KubernetesObject).schema, clone(object)).object;
}

describe('what a real server stored', () => {
  const versions = objects.flatMap(({ name, sent: _sent, ...read }) =>
    Object.values(read).map((object) => ({ name, object: decoded(object), read: Object.values(read).map(decoded) })),
  );
  const cases = versions.map((each) => ({ ...each, title: `${each.name} as ${each.object.apiVersion}` }));

  it.each(cases)('reads the same from its stored form: $title', ({ object, read }) => {
    const definition = definitionOf(object);
    const hub = read.find((other) => definitionOf(other) === catalog.hubOf(definition)) as KubernetesObject;
    const before = clone(hub);
    expect(fromHub(catalog, definition, hub)).toEqual(object);
    expect(hub).toEqual(before);
  });

  // v1 has place for one metric about CPU (`all` has two), and cannot leave out an average (`one2` has none).
  const faithful = cases.filter(({ name }) => name !== 'all' && name !== 'one2');

  it.each(faithful)('goes back into its stored form: $title', ({ object, read }) => {
    const definition = definitionOf(object);
    const hub = read.find((other) => definitionOf(other) === catalog.hubOf(definition)) as KubernetesObject;
    const before = clone(object);
    expect(toHub(catalog, definition, object)).toEqual(hub);
    expect(object).toEqual(before);
  });

  it('covers every conversion that does more than change the version', () => {
    const converting = builtinResources.filter(({ conversion }) => conversion !== undefined);
    const covered = new Set(cases.map(({ object }) => definitionOf(object)));
    expect(converting.filter((definition) => !covered.has(definition)).map(({ plural }) => plural)).toEqual([]);
  });
});

describe('autoscalers of v1', () => {
  it('take from annotations what v1 cannot say', () => {
    const { sent, v2 } = objects.find(({ name }) => name === 'ann') as Recorded;
    const hub = toHub(catalog, definitionOf(sent), decoded(sent)) as unknown as {
      metadata: object;
      spec: { metrics: unknown; behavior: unknown };
      status: Record<string, unknown[]>;
    };
    expect(hub.spec.metrics).toEqual((v2 as typeof hub).spec.metrics);
    expect(hub.spec.behavior).toEqual({ scaleUp: { stabilizationWindowSeconds: 7, policies: [{ type: 'Pods', value: 1, periodSeconds: 5 }] } });
    expect(hub.status['conditions']).toEqual([{ type: 'T', status: 'True', lastTransitionTime: '2024-01-01T00:00:00Z' }]);
    expect(hub.status['currentMetrics']).toEqual([{ type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 4, averageValue: '1' } } }]);
    expect(hub.metadata).toEqual({ name: 'ann', namespace: 'default' });
  });

  it('ignore annotations that cannot be read', () => {
    const { sent, v2 } = objects.find(({ name }) => name === 'bad') as Recorded;
    const hub = toHub(catalog, definitionOf(sent), decoded(sent)) as unknown as { spec: { metrics: unknown } };
    expect(hub.spec.metrics).toEqual((v2 as typeof hub).spec.metrics);
  });
});

describe('every version of every kind', () => {
  const others = builtinResources.filter((definition) => catalog.hubOf(definition) !== definition);
  // Autoscalers of v1 keep only one metric about CPU.
  const lossless = others.filter(({ plural }) => plural !== 'horizontalpodautoscalers');
  const titled = lossless.map((definition) => ({ title: `${apiVersionOf(definition)} ${definition.kind}`, definition }));

  it.each(titled)('comes back from the stored form: $title', async ({ definition }) => {
    for (const density of [1, 0.7, 0.4]) {
      const random = randomFrom(density * 1000);
      const object = {
        kind: definition.kind,
        apiVersion: apiVersionOf(definition),
        ...generateObject(definition.schema, { random, density }),
      } as KubernetesObject;
      const hub = await toHub(catalog, definition, object);
      expect(hub.apiVersion).toBe(apiVersionOf(catalog.hubOf(definition)));
      expect(withoutNothing(await fromHub(catalog, definition, hub))).toEqual(withoutNothing(object));
    }
  });

  it.each(titled)('says everything the stored form says: $title', async ({ definition }) => {
    const hubDefinition = catalog.hubOf(definition);
    const random = randomFrom(7);
    const hub = { kind: hubDefinition.kind, apiVersion: apiVersionOf(hubDefinition), ...generateObject(hubDefinition.schema, { random }) } as KubernetesObject;
    expect(withoutNothing(await toHub(catalog, definition, await fromHub(catalog, definition, hub)))).toEqual(withoutNothing(hub));
  });

  it('leaves objects of the stored version alone', () => {
    const pods = catalog.find('', 'v1', 'pods') as ResourceDefinition;
    const pod = { metadata: {} };
    expect(toHub(catalog, pods, pod)).toBe(pod);
    expect(fromHub(catalog, pods, pod)).toBe(pod);
  });
});

/** A device without `basic` comes back with an empty one; v1beta1 does not tell false from absent. */
function withoutNothing(object: KubernetesObject): unknown {
  return JSON.parse(
    JSON.stringify(object, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value)).replace(/,"basic":\{\}|"allNodes":false,?/g, ''),
  );
}
