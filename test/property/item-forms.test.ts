// Every kind in every form that is written without an object between: byte for byte what is made of the object, whatever stands in the holes.
import { describe, expect, test } from 'vitest';
import type { KubernetesObject } from '#api/object.ts';
import { builtinResources } from '#kinds/builtin-resources.ts';
import { PartialObjectMetadata } from '#kinds/meta/v1/partial-object-metadata.ts';
import { ResourceCatalog } from '#resource/catalog.ts';
import { allFromHub } from '#resource/conversion.ts';
import type { ResourceDefinition } from '#resource/definition.ts';
import { partialMetadata, tableOf } from '#resource/table.ts';
import { encodeJson } from '#schema/json/encode.ts';
import { writeJson } from '#schema/json/json-text.ts';
import { encodeProtobuf, hasProtobuf } from '#schema/protobuf/protobuf.ts';
import type { ItemForm } from '#server/answer/item-form.ts';
import { ItemForms } from '#server/answer/item-forms.ts';
import type { Representation } from '#server/answer/negotiate.ts';
import { TableRows } from '#server/answer/table-rows.ts';
import type { Item } from '#verbs/answer.ts';
import { generateObject } from '../support/sample-object.ts';
import { randomFrom } from '../support/random.mjs';

const catalog = new ResourceCatalog(builtinResources, { enabled: () => true });
const stored = builtinResources.filter((definition) => definition.storage !== undefined);
const hubs = stored.filter((definition) => catalog.hubOf(definition) === definition);

const plain: Representation = { format: 'protobuf', pretty: false, stream: false, profile: '' };
const metadataOnly = { group: 'meta.k8s.io', version: 'v1', kind: 'PartialObjectMetadata' };

/** Enough for a form to be made, and for some objects behind it. */
const likes = 24;
type Random = () => number;

const texts = ['', 'a', 'web-1', '"quoted" \\ <&>', 'größer', '\u{1F600}', 'x'.repeat(127), 'x'.repeat(128), 'y'.repeat(3000), '\u2028\n\t', 'YWJj', 'YQ=='];
const times = ['2026-11-17T12:00:00Z', '2024-02-29T23:59:59Z', '1980-01-31T00:00:00Z', '1969-12-31T23:59:59Z', '2101-01-01T00:00:00Z', '2026-12-31T07:08:09Z'];
const numbers = [0, 1, 127, 128, 16_384, 4_294_967_295, 4_294_967_296, -1, -2_147_483_648, 9_007_199_254_740_991];
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{6})?Z$/;
const duration = /^-?(\d+(\.\d+)?(h|m|s|ms|us|µs|ns))+$/;

function oneOf<T>(random: Random, values: readonly T[]): T {
  return values[Math.floor(random() * values.length)] as T;
}

/** The same members, other values in the places that are chosen. */
function varied(value: unknown, isChosen: () => boolean, random: Random): unknown {
  if (Array.isArray(value)) return value.map((item) => varied(item, isChosen, random));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, key === 'fieldsV1' ? member : varied(member, isChosen, random)]));
  }
  if (!isChosen() || random() < 0.3) return value;
  if (typeof value === 'number') return Number.isInteger(value) ? oneOf(random, numbers) : value;
  if (typeof value === 'boolean') return random() < 0.5;
  return typeof value === 'string' ? variedText(value, random) : value;
}

/** Some of the values of an object, the same of each that has the same members. */
function someOf(base: unknown, random: Random): () => () => boolean {
  let count = 0;
  varied(base, () => count++ < 0, random);
  const chosen = new Set(Array.from({ length: 24 }, () => Math.floor(random() * count)));
  return () => {
    let place = 0;
    return () => chosen.has(place++);
  };
}

function variedText(text: string, random: Random): string {
  if (duration.test(text)) return text;
  if (!time.test(text)) return oneOf(random, texts);
  return text.length === 20 ? oneOf(random, times) : `${oneOf(random, times).slice(0, 19)}.${String(Math.floor(random() * 1e6)).padStart(6, '0')}Z`;
}

/** As a store would hold them: the values need not make sense. */
function itemsOf(hub: ResourceDefinition, density: number): readonly Item[] {
  const random = randomFrom(hub.plural.length * 7919 + density * 31);
  const { kind, group, version } = hub;
  const base = { kind, apiVersion: group === '' ? version : `${group}/${version}`, ...generateObject(hub.schema, { random, density, recursion: 1 }) };
  const chosen = someOf(base, random);
  return Array.from({ length: likes }, () => {
    const json = hub.form.encodeWhole(varied(base, chosen(), random) as KubernetesObject);
    return { json, object: hub.form.parse(json), revision: 1 };
  });
}

/** How many of them were written without an object. */
function expectSame(form: ItemForm | undefined, items: readonly Item[], ofObject: (object: KubernetesObject) => Buffer, what: string): number {
  let quick = 0;
  for (const item of items) {
    const bytes = form?.bytesOf(item);
    if (form?.whole === undefined) quick++;
    if (!bytes?.equals(ofObject(item.object))) expect(bytes?.toString('latin1'), what).toBe(ofObject(item.object).toString('latin1'));
  }
  return quick;
}

/** Cells of values that make no sense may have no text. */
function attempt(make: () => string): string | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}

const partialsOf = (hub: ResourceDefinition) => (object: KubernetesObject) => partialMetadata(object, { definition: hub, apiVersion: 'meta.k8s.io/v1' });

describe.each([1, 0.4])('objects of any kind, with a share of %d of their fields', (density) => {
  const samples = new Map(hubs.map((hub) => [hub, itemsOf(hub, density)]));
  const itemsFor = (definition: ResourceDefinition) => samples.get(catalog.hubOf(definition)) as readonly Item[];

  test('are the same in protobuf', () => {
    const forms = new ItemForms(catalog, { partialObjectMetadata: PartialObjectMetadata });
    const quick = hubs
      .filter(({ schema }) => hasProtobuf(schema))
      .map((hub) => expectSame(forms.of(hub, plain, 'alone'), itemsFor(hub), (object) => encodeProtobuf(hub.schema, object), hub.plural));
    expect(quick.filter((count) => count > 0).length).toBeGreaterThan(hubs.length * (density === 1 ? 0.2 : 0.4));
  });

  test.each(['json', 'protobuf'] as const)('are the same as metadata in %s', (format) => {
    const forms = new ItemForms(catalog, { partialObjectMetadata: PartialObjectMetadata });
    const write = (shown: object) => (format === 'json' ? Buffer.from(encodeJson(PartialObjectMetadata, shown)) : encodeProtobuf(PartialObjectMetadata, shown));
    const quick = hubs.map((hub) => {
      const form = forms.of(hub, { ...plain, format, as: metadataOnly }, 'alone');
      return expectSame(form, itemsFor(hub), (object) => write(partialsOf(hub)(object)), hub.plural);
    });
    expect(quick.filter((count) => count > 0).length).toBeGreaterThan(hubs.length * 0.3);
  });

  test('are the same in rows of Tables', () => {
    const forms = new ItemForms(catalog, { partialObjectMetadata: PartialObjectMetadata });
    const quick = hubs.map((hub) => {
      const form = forms.ofRows(hub, 'meta.k8s.io/v1');
      return expectSame(form, itemsFor(hub), (object) => Buffer.from(writeJson(partialsOf(hub)(object))), hub.plural);
    });
    expect(quick.filter((count) => count > 0).length).toBeGreaterThan(hubs.length * 0.3);
  });

  test('have the same rows in Tables', () => {
    const forms = new ItemForms(catalog, { partialObjectMetadata: PartialObjectMetadata });
    for (const hub of hubs) {
      for (const includeObject of ['None', 'Metadata'] as const) {
        const options = { definition: hub, apiVersion: 'meta.k8s.io/v1', includeObject, now: new Date('2026-11-17T13:00:00Z') };
        const rows = new TableRows(forms, hub, options);
        for (const item of itemsFor(hub)) {
          const source = { stored: item.object, shown: () => item.object };
          const expected = attempt(() => writeJson(tableOf([source], {}, options).rows?.[0]));
          const row = attempt(() => {
            const bytes = Buffer.alloc(rows.length(item, false));
            return bytes.toString('utf8', 0, rows.write(item, false, bytes, 0));
          });
          expect(row, hub.plural).toBe(expected === undefined ? undefined : `,${expected}`);
        }
      }
    }
  });

  test('are the same in lists of other versions', async () => {
    const forms = new ItemForms(catalog, { partialObjectMetadata: PartialObjectMetadata });
    const others = stored.filter((definition) => catalog.hubOf(definition) !== definition && definition.conversion === undefined);
    expect(others.length).toBeGreaterThan(5);
    for (const definition of others) {
      const items = itemsFor(definition);
      const objects = await allFromHub(
        catalog,
        definition,
        items.map(({ object }) => object),
      );
      const shown = new Map(items.map(({ object }, i) => [object, objects[i] as KubernetesObject]));
      const listed = (object: KubernetesObject) =>
        (definition.form.listObject([shown.get(object) as KubernetesObject], {}) as { items: object[] }).items[0] as object;
      expectSame(
        forms.of(definition, { ...plain, format: 'json' }, 'in list'),
        items,
        (object) => Buffer.from(encodeJson(definition.schema, listed(object))),
        definition.plural,
      );
      expectSame(forms.of(definition, plain, 'in list'), items, (object) => encodeProtobuf(definition.schema, listed(object)), definition.plural);
    }
  });
});
