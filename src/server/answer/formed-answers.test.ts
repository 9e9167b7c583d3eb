// What clients read in forms beside JSON is what the JSON of the same state says, in every way to ask: lists, pages, gzip, single objects, watches.
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Pod, PodList } from '#kinds/core/v1/pod/pod.ts';
import { PartialObjectMetadata, PartialObjectMetadataList } from '#kinds/meta/v1/partial-object-metadata.ts';
import type { StructSchema } from '#schema/build.ts';
import { decodeJson } from '#schema/json/decode.ts';
import { encodeProtobuf } from '#schema/protobuf/protobuf.ts';
import { readEnvelope, readWatchFrames } from '#schema/protobuf/protobuf-envelope.ts';
import { samplePod } from '../../../test/support/sample-pod.ts';
import { ServerInTest } from '../../../test/support/server-in-test.ts';
import { http1Client, type WireClient } from '../../../test/support/wire-clients.ts';

const path = '/api/v1/namespaces/shop/pods';
const protobuf = 'application/vnd.kubernetes.protobuf';
const partial = ';as=PartialObjectMetadata;g=meta.k8s.io;v=v1';
const partials = ';as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';

let server: ServerInTest;
let wire: WireClient;

async function ask(query: string, accept: string, headers: Readonly<Record<string, string>> = {}) {
  const answer = await wire.ask({
    method: 'GET',
    path: `${path}${query}`,
    headers: { authorization: `Bearer ${server.tokenOf('admin')}`, accept, ...headers },
  });
  expect(answer.code, answer.body.toString()).toBe(200);
  return answer.headers['content-encoding'] === 'gzip' ? gunzipSync(answer.body) : answer.body;
}

/** Lists of one revision: the server renews its own lease now and then, which is another one. */
async function askAtOnce(
  query: string,
  ...asks: readonly (readonly [accept: string, headers?: Readonly<Record<string, string>>])[]
): Promise<readonly Buffer[]> {
  const revision = async () => JSON.parse((await ask('?limit=1', 'application/json')).toString()).metadata.resourceVersion;
  for (;;) {
    const before = await revision();
    const answers: Buffer[] = [];
    for (const [accept, headers] of asks) answers.push(await ask(query, accept, headers));
    if ((await revision()) === before) return answers;
  }
}

/** As an object that was read from JSON would be written. */
function rewritten(schema: StructSchema, json: Buffer): Buffer {
  return encodeProtobuf(schema, decodeJson(schema, json).object);
}

beforeAll(async () => {
  server = await ServerInTest.start();
  wire = http1Client(server.server.port, { ca: server.server.certificates.servingCa ?? '' });
  await server.ask('POST', '/api/v1/namespaces', { metadata: { name: 'shop' } });
  for (let i = 0; i < 150; i++) expect((await server.ask('POST', path, podOf(i))).code).toBe(201);
}, 60_000);

afterAll(async () => {
  await wire[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

function podOf(i: number): object {
  const pod = samplePod(`pod-${i}`) as { metadata: Record<string, unknown>; spec: { containers: { env: { name: string }[] }[] } };
  // Names in managedFields that differ, and some that Go escapes.
  pod.metadata['ownerReferences'] = [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: `6f1c0f5e-9f5d-4f7e-8a55-${i}` }];
  pod.spec.containers[0]?.env.push({ name: i % 7 === 0 ? `MODE<${i}>` : `MODE_${i}` });
  pod.metadata['annotations'] = { note: i % 3 === 0 ? `<${i}> & "quoted" \\ é` : `n${i}` };
  return pod;
}

describe.each([{}, { 'accept-encoding': 'gzip' }])('with %o', (headers) => {
  test.each(['', '?limit=70', '?labelSelector=app'])('a list in protobuf is that in JSON (%s)', async (query) => {
    const [json, ...both] = (await askAtOnce(query, ['application/json'], [protobuf, headers], [protobuf, headers])) as [Buffer, Buffer, Buffer];
    for (const answer of both) {
      const { kind, apiVersion, raw } = readEnvelope(answer);
      expect({ kind, apiVersion }).toEqual({ kind: 'PodList', apiVersion: 'v1' });
      expect(raw.equals(rewritten(PodList, json))).toBe(true);
    }
  });

  test('a list of metadata in protobuf is that in JSON, which is that of the objects', async () => {
    const asks = [[`application/json${partials}`, headers], [`${protobuf}${partials}`, headers], ['application/json']] as const;
    const [json, inProtobuf, objects] = (await askAtOnce('', ...asks)) as [Buffer, Buffer, Buffer];
    const { kind, raw } = readEnvelope(inProtobuf);
    expect(kind).toBe('PartialObjectMetadataList');
    expect(raw.equals(rewritten(PartialObjectMetadataList, json))).toBe(true);
    const whole = JSON.parse(objects.toString());
    const shown = JSON.parse(json.toString());
    expect(shown.items).toEqual(
      whole.items.map(({ metadata }: { metadata: object }) => ({ kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata })),
    );
    expect(shown.metadata).toEqual(whole.metadata);
  });

  test('rows of a long Table are those of its objects one by one', async () => {
    const table = JSON.parse((await ask('', 'application/json;as=Table;g=meta.k8s.io;v=v1', headers)).toString());
    expect(table.rows).toHaveLength(150);
    for (const row of [table.rows[0], table.rows[77], table.rows[149]]) {
      const alone = JSON.parse((await ask(`/${row.object.metadata.name}`, 'application/json;as=Table;g=meta.k8s.io;v=v1')).toString());
      // What is seen of its age may be a second more.
      const [cells, others] = [row.cells, alone.rows[0].cells].map((all: unknown[]) => all.toSpliced(4, 1));
      expect({ ...row, cells }).toEqual({ ...alone.rows[0], cells: others });
    }
  });
});

test('an object in protobuf is that in JSON', async () => {
  for (let i = 0; i < 30; i++) {
    expect(readEnvelope(await ask(`/pod-${i}`, protobuf)).raw.equals(rewritten(Pod, await ask(`/pod-${i}`, 'application/json')))).toBe(true);
    const { raw } = readEnvelope(await ask(`/pod-${i}`, `${protobuf}${partial}`));
    expect(raw.equals(rewritten(PartialObjectMetadata, await ask(`/pod-${i}`, `application/json${partial}`)))).toBe(true);
  }
});

test('initial events in protobuf are the objects of the list', async () => {
  const { items } = JSON.parse((await ask('', 'application/json')).toString()) as { items: object[] };
  const query = '?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&timeoutSeconds=1';
  const { frames } = readWatchFrames(await ask(query, `${protobuf};stream=watch`));
  const added = frames.filter(({ type }) => type === 'ADDED');
  expect(added).toHaveLength(150);
  added.forEach(({ object }, i) => expect(readEnvelope(object).raw.equals(rewritten(Pod, Buffer.from(JSON.stringify(items[i]))))).toBe(true));
});
