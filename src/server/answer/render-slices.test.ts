import { describe, expect, test } from 'vitest';
import type { KubernetesObject } from '#api/object.ts';
import { builtinResources } from '#kinds/builtin-resources.ts';
import { PartialObjectMetadata, PartialObjectMetadataList } from '#kinds/meta/v1/partial-object-metadata.ts';
import { Status } from '#kinds/meta/v1/status.ts';
import { ResourceCatalog } from '#resource/catalog.ts';
import type { ResourceDefinition } from '#resource/definition.ts';
import type { StructSchema } from '#schema/build.ts';
import { decodeValue } from '#schema/json/decode.ts';
import { encodeJson } from '#schema/json/encode.ts';
import { escapedLikeGo } from '#schema/json/json-text.ts';
import { decodeProtobuf, encodeProtobuf } from '#schema/protobuf/protobuf.ts';
import { readEnvelope } from '#schema/protobuf/protobuf-envelope.ts';
import { formatYaml, parseYaml } from '#schema/yaml/yaml.ts';
import { sendAnswer } from '#server/answer/answer.ts';
import { DeflatedRuns } from '#server/answer/deflated-runs.ts';
import { ItemForms } from '#server/answer/item-forms.ts';
import { callInProcess } from '#server/front/in-process-carrier.ts';
import type { Representation } from '#server/answer/negotiate.ts';
import { fitsOneTurn, renderSlices } from '#server/answer/render-slices.ts';
import type { Item } from '#verbs/answer.ts';

const catalog = new ResourceCatalog(builtinResources, { enabled: () => true });
const meta = { status: Status, partialObjectMetadata: PartialObjectMetadata, partialObjectMetadataList: PartialObjectMetadataList };
const renderer = {
  catalog,
  clock: { now: () => new Date('2026-01-01T00:00:00Z') },
  runs: new DeflatedRuns(0),
  meta,
  forms: new ItemForms(catalog, meta),
};

function resource(group: string, version: string, plural: string): ResourceDefinition {
  const found = catalog.find(group, version, plural);
  if (found === undefined) throw new Error(`no ${plural}`);
  return found;
}

function itemOf(definition: ResourceDefinition, value: object): Item {
  const { kind, group, version } = definition;
  const object = decodeValue(definition.schema, { kind, apiVersion: group === '' ? version : `${group}/${version}`, ...value }).object as KubernetesObject;
  return { json: Buffer.from(encodeJson(definition.schema, object)), object, revision: 1 };
}

const configMaps = resource('', 'v1', 'configmaps');
const metadata = { resourceVersion: '77', continue: 'items: []', remainingItemCount: 3 };

function many(count: number, bytes = 10): Item[] {
  return Array.from({ length: count }, (_, i) => itemOf(configMaps, { metadata: { name: `c${i}` }, data: { 'items: []': 'x\n]}\n'.padEnd(bytes, 'y') } }));
}

async function answered(definition: ResourceDefinition, items: readonly Item[], output: Partial<Representation>): Promise<Buffer> {
  const whole = { format: 'json', pretty: false, stream: false, profile: '', ...output } as const;
  const response = await callInProcess(async (exchange) => sendAnswer(exchange, renderer, { is: 'list', definition, items, metadata }, whole), {
    method: 'GET',
    path: '/x',
  });
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.chunks) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** How many turns of the event loop others have meanwhile. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let going = true;
  const turn = () => {
    turns += 1;
    if (going) setImmediate(turn);
  };
  setImmediate(turn);
  await work();
  going = false;
  return turns;
}

const table = { kind: 'Table', group: 'meta.k8s.io', version: 'v1' };
const partials = { ...table, kind: 'PartialObjectMetadataList' };

type Listed = { items?: KubernetesObject[]; rows?: { object: KubernetesObject }[] };

function namesIn({ items, rows }: Listed): (string | undefined)[] {
  return (items ?? rows?.map(({ object }) => object) ?? []).map((object) => object.metadata.name);
}

describe('a list made in turns is what one list of all items would be', () => {
  const items = many(120);
  const names = items.map(({ object }) => object.metadata.name);

  test.each([undefined, table, partials])('as pretty JSON (%o)', async (as) => {
    const text = (await answered(configMaps, items, { pretty: true, ...(as && { as }) })).toString();
    const read = JSON.parse(text) as Listed;
    expect(namesIn(read)).toEqual(names);
    expect(text).toBe(escapedLikeGo(JSON.stringify(read, null, 2)));
  });

  test.each([table, partials])('as JSON (%o)', async (as) => {
    const text = (await answered(configMaps, items, { as })).toString();
    const read = JSON.parse(text) as Listed;
    expect(namesIn(read)).toEqual(names);
    expect(read).toMatchObject({ kind: as.kind, metadata });
    expect(text).toBe(`${escapedLikeGo(JSON.stringify(read))}\n`);
  });

  test.each([undefined, table, partials])('as YAML (%o)', async (as) => {
    const text = (await answered(configMaps, items, { format: 'yaml', ...(as && { as }) })).toString();
    const read = parseYaml(text) as Listed;
    expect(namesIn(read)).toEqual(names);
    expect(read).toMatchObject({ metadata });
    expect(text).toBe(formatYaml(read));
  });

  test.each([undefined, partials])('as protobuf (%o)', async (as) => {
    const schema = as === undefined ? (configMaps.list as StructSchema) : PartialObjectMetadataList;
    const bytes = await answered(configMaps, items, { format: 'protobuf', ...(as && { as }) });
    const { kind, raw } = readEnvelope(bytes);
    const read = decodeProtobuf(schema, raw) as Listed;
    expect(kind).toBe(as?.kind ?? 'ConfigMapList');
    expect(namesIn(read)).toEqual(names);
    expect(raw.equals(encodeProtobuf(schema, read))).toBe(true);
  });

  test('rows that have an order of their own keep it across slices', async () => {
    const flowSchemas = resource('flowcontrol.apiserver.k8s.io', 'v1', 'flowschemas');
    const schemas = Array.from({ length: 120 }, (_, i) => itemOf(flowSchemas, { metadata: { name: `f${i}` }, spec: { matchingPrecedence: 1000 - i } }));
    const read = JSON.parse((await answered(flowSchemas, schemas, { as: table })).toString()) as Listed;
    expect(namesIn(read)).toEqual(schemas.map(({ object }) => object.metadata.name).reverse());
  });

  test('and none at all is null where the original says null', async () => {
    expect((await answered(configMaps, [], { as: partials })).toString()).toContain('"items":null');
  });
});

test('a list of one large object gives others their turn while it is written in YAML', async () => {
  const keys = Array.from({ length: 20_000 }, (_, i) => `key-${i}`);
  const large = itemOf(configMaps, { metadata: { name: 'large' }, data: Object.fromEntries(keys.map((key) => [key, 'x'])) });
  let text: Buffer = Buffer.alloc(0);
  const turns = await turnsDuring(async () => {
    text = await answered(configMaps, [large], { format: 'yaml' });
  });
  expect(parseYaml(text.toString())).toMatchObject({ items: [{ metadata: { name: 'large' }, data: { 'key-19999': 'x' } }] });
  expect(turns).toBeGreaterThan(3);
});

describe('between two slices everybody else has a turn', () => {
  async function slicesOf(items: readonly Item[]): Promise<{ counts: number[]; turns: number }> {
    const counts: number[] = [];
    const write = (some: readonly Item[]) => {
      if (some.length > 0) counts.push(some.length);
      return Buffer.from(`{"items":[${some.map(() => '{}').join(',')}]}\n`);
    };
    const signal = new AbortController().signal;
    const turns = await turnsDuring(() => renderSlices({ format: 'json', pretty: false, field: 'items', items, write, signal }));
    return { counts, turns };
  }

  test('many small objects', async () => {
    const { counts, turns } = await slicesOf(many(1020));
    expect(counts).toEqual([...Array.from({ length: 20 }, () => 50), 20]);
    expect(turns).toBeGreaterThanOrEqual(counts.length - 1);
  });

  test('large ones one by one', async () => {
    const { counts, turns } = await slicesOf(many(12, 70_000));
    expect(counts).toEqual(Array.from({ length: 12 }, () => 1));
    expect(turns).toBeGreaterThanOrEqual(counts.length - 1);
  });

  test('what fits one turn is not cut', () => {
    expect(fitsOneTurn([])).toBe(true);
    expect(fitsOneTurn(many(50))).toBe(true);
    expect(fitsOneTurn(many(51))).toBe(false);
  });

  test('a client that has gone is not worked for', async () => {
    const gone = new AbortController();
    let written = 0;
    const write = (some: readonly Item[]) => {
      written += some.length;
      gone.abort();
      return Buffer.from('{"items":[]}\n');
    };
    await renderSlices({ format: 'json', pretty: false, field: 'items', items: many(500), write, signal: gone.signal });
    expect(written).toBe(0);
  });
});
