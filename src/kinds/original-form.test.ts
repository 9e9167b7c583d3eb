import { describe, expect, test } from 'vitest';
import { apiVersionOf } from '#api/names.ts';
import type { KubernetesObject } from '#api/object.ts';
import type { StoredForm } from '#api/stored-form.ts';
import { definitionFromV1beta1 } from '#kinds/apiextensions/v1/stored-v1beta1.ts';
import { builtinResources } from '#kinds/builtin-resources.ts';
import type { ResourceDefinition } from '#resource/definition.ts';
import { inOriginalForm } from '#resource/original-form.ts';
import { applyDefaults } from '#schema/defaults.ts';
import { canonical } from '#schema/json/canonical.ts';
import { encodeProtobuf } from '#schema/protobuf/protobuf.ts';
import { readEnvelope, writeEnvelope } from '#schema/protobuf/protobuf-envelope.ts';
import { randomFrom } from '../../test/support/random.mjs';
import { generateObject } from '../../test/support/sample-object.ts';

const [protobuf, json, readers] = (['application/vnd.kubernetes.protobuf', 'application/json', 'application/json'] as const).map((type) =>
  inOriginalForm(builtinResources, type),
) as [readonly ResourceDefinition[], readonly ResourceDefinition[], readonly ResourceDefinition[]];
const hubs = protobuf.flatMap((definition, index) => (definition.form.toStore ? [[`${definition.plural}.${definition.group}`, index] as const] : []));

function objectOf(definition: ResourceDefinition): KubernetesObject {
  const { kind, schema } = definition;
  const object = { ...generateObject(schema, { random: randomFrom(7) }), kind, apiVersion: apiVersionOf(definition) } as unknown as KubernetesObject;
  const { resourceVersion: _version, selfLink: _link, ...metadata } = object.metadata;
  const whole = { ...object, metadata };
  applyDefaults(definition, whole);
  return canonical(schema, whole) as KubernetesObject;
}

/** Read by a server that has not written it. */
function readBack(index: number, value: Uint8Array): unknown {
  const { form } = readers[index] as ResourceDefinition;
  const served = form.fromStore?.([{ key: '/registry/x', value }]) as readonly Uint8Array[] | undefined;
  return JSON.parse(Buffer.from(served?.[0] ?? []).toString());
}

function stored(form: StoredForm, object: KubernetesObject): Buffer {
  return form.toStore?.(form.encode(object), '/registry/x') as Buffer;
}

describe('an object is read as it was written, in protobuf and in JSON', () => {
  test.each(hubs)('%s', (_, index) => {
    const definition = protobuf[index] as ResourceDefinition;
    const object = objectOf(definition);
    const written = JSON.parse(definition.form.encode(object).toString()) as unknown;
    expect(readBack(index, stored(definition.form, object))).toEqual(written);
    expect(readBack(index, stored((json[index] as ResourceDefinition).form, object))).toEqual(written);
  });
});

test('the envelope names kind and storage version; definitions and API services are JSON, as the original has them', () => {
  const of = (plural: string) => protobuf.find((definition) => definition.plural === plural && definition.form.toStore) as ResourceDefinition;
  const autoscaler = of('horizontalpodautoscalers');
  expect(readEnvelope(stored(autoscaler.form, objectOf(autoscaler)))).toMatchObject({ apiVersion: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler' });
  for (const plural of ['customresourcedefinitions', 'apiservices']) expect(stored(of(plural).form, objectOf(of(plural)))[0]).toBe('{'.charCodeAt(0));
});

test('an object that was stored in an older version is read in the storage version, with the defaults of its own', () => {
  const old = builtinResources.find(({ plural, version }) => plural === 'horizontalpodautoscalers' && version === 'v1') as ResourceDefinition;
  const index = protobuf.findIndex(({ plural, form }) => plural === 'horizontalpodautoscalers' && form.toStore);
  const spec = { scaleTargetRef: { kind: 'Deployment', name: 'web' }, maxReplicas: 3, targetCPUUtilizationPercentage: 70 };
  const raw = encodeProtobuf(old.schema, canonical(old.schema, { metadata: { name: 'a', namespace: 'b' }, spec }) as object);
  expect(readBack(index, writeEnvelope('autoscaling/v1', 'HorizontalPodAutoscaler', raw))).toMatchObject({
    apiVersion: 'autoscaling/v2',
    spec: { minReplicas: 1, maxReplicas: 3, metrics: [{ type: 'Resource', resource: { name: 'cpu', target: { averageUtilization: 70 } } }] },
  });
});

test('what cannot be read is told by its key, to those who wait for this resource', async () => {
  const { form } = readers[hubs[0]?.[1] ?? 0] as ResourceDefinition;
  await expect(form.fromStore?.([{ key: '/registry/pods/a/b', value: Buffer.from('k8s\0?') }])).rejects.toThrow(
    'unable to transform key "/registry/pods/a/b": what is stored cannot be decoded: ',
  );
  await expect(form.fromStore?.([{ key: '/registry/x', value: Buffer.from('{"kind":"Other","apiVersion":"v9"}') }])).rejects.toThrow(
    'no kind "Other" is known',
  );
});

test('a definition that the original stored in v1beta1 is read in v1', () => {
  const versions = { 'apiextensions.k8s.io/v1beta1 CustomResourceDefinition': definitionFromV1beta1 };
  const { form } = inOriginalForm(builtinResources, 'application/json', versions).find(
    ({ plural }) => plural === 'customresourcedefinitions',
  ) as ResourceDefinition;
  const old = {
    kind: 'CustomResourceDefinition',
    apiVersion: 'apiextensions.k8s.io/v1beta1',
    metadata: { name: 'things.x.example' },
    spec: {
      group: 'x.example',
      version: 'v1',
      names: { plural: 'things', kind: 'Thing' },
      scope: 'Cluster',
      versions: [
        { name: 'v1', served: true, storage: true },
        { name: 'v2', served: true, storage: false },
      ],
      validation: { openAPIV3Schema: { type: 'object' } },
      additionalPrinterColumns: [{ name: 'Color', type: 'string', JSONPath: '.spec.color' }],
      conversion: { strategy: 'Webhook', webhookClientConfig: { url: 'https://x.example' }, conversionReviewVersions: ['v1'] },
      preserveUnknownFields: false,
    },
  };
  const [served] = (form.fromStore?.([{ key: '/registry/x', value: Buffer.from(JSON.stringify(old)) }]) ?? []) as readonly Uint8Array[];
  const common = { schema: { openAPIV3Schema: { type: 'object' } }, additionalPrinterColumns: [{ name: 'Color', type: 'string', jsonPath: '.spec.color' }] };
  expect(JSON.parse(Buffer.from(served ?? []).toString())).toMatchObject({
    apiVersion: 'apiextensions.k8s.io/v1',
    spec: {
      versions: [
        { name: 'v1', storage: true, ...common },
        { name: 'v2', storage: false, ...common },
      ],
      conversion: { strategy: 'Webhook', webhook: { clientConfig: { url: 'https://x.example' }, conversionReviewVersions: ['v1'] } },
    },
  });
});
