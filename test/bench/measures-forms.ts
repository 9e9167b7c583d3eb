// What the forms cost that clients ask for beside JSON: protobuf (client-go of everything in Go), Tables (kubectl get), PartialObjectMetadata
// (controllers that look at metadata only).
import { Pod } from '#kinds/core/v1/pod/pod.ts';
import { decodeJson } from '#schema/json/decode.ts';
import { decodeProtobuf, encodeProtobuf } from '#schema/protobuf/protobuf.ts';
import { readEnvelope, writeEnvelope } from '#schema/protobuf/protobuf-envelope.ts';
import { fanOut, type ListedForm, listUnderGets, oneList } from './measures-reads.ts';
import { warmUp } from './measures-writes.ts';
import { concurrently, extraPod, nextSerial, pods, type Reading, repeated } from './reading.ts';
import type { Target } from './target.ts';

const protobuf = { accept: 'application/vnd.kubernetes.protobuf' };
const metadata = 'as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';

const listedForms: readonly ListedForm[] = [
  { name: 'protobuf', headers: protobuf },
  { name: 'protobuf, gzip', headers: { ...protobuf, 'accept-encoding': 'gzip' } },
  { name: 'Table', headers: { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' } },
  { name: 'metadata, JSON', headers: { accept: `application/json;${metadata}` } },
  { name: 'metadata, protobuf', headers: { accept: `application/vnd.kubernetes.protobuf;${metadata}` } },
];

export async function listForms(target: Target, podCount: number): Promise<readonly Reading[]> {
  const readings: Reading[] = [];
  for (const count of podCount > 20_000 ? [10_000, podCount] : [podCount]) {
    const path = count < podCount ? `/api/v1/pods?limit=${count}` : '/api/v1/pods';
    const load = { workers: 1, times: count > 20_000 ? 2 : 5, bar: 1 / 5 };
    for (const { name, headers } of listedForms) readings.push(...(await oneList(target, `LIST ${count} ${name}`, load, { path, headers })));
    for (const form of listedForms.slice(0, 1)) readings.push(...(await listUnderGets(target, { count, path, form })));
  }
  return readings;
}

export async function getProtobuf(target: Target): Promise<readonly Reading[]> {
  const one = (i: number) => target.expect(200, { path: `${pods}/pod-${i % 1000}`, headers: protobuf });
  await concurrently(32, 2000, one);
  return [
    ...(await repeated(target, 'GET protobuf, 1 connection', { workers: 1, times: 2000, bar: 1 / 5 }, one)),
    ...(await repeated(target, 'GET protobuf, 32 connections', { workers: 32, times: 6000, bar: 1 / 5 }, one)),
  ];
}

export async function watchProtobuf(target: Target): Promise<readonly Reading[]> {
  const readings: Reading[] = [];
  for (const [count, connections, writes] of [
    [100, 10, 200],
    [1000, 100, 200],
  ] as const) {
    readings.push(...(await fanOut(target, { count, connections, writes, isProtobuf: true })));
  }
  return readings;
}

const sent = { ...protobuf, 'content-type': 'application/vnd.kubernetes.protobuf' };

export async function createProtobuf(target: Target): Promise<readonly Reading[]> {
  const one = () =>
    target.expect(201, { method: 'POST', path: pods, body: bodyOf(decodeJson(Pod, Buffer.from(JSON.stringify(extraPod()))).object), headers: sent });
  await concurrently(16, warmUp, one);
  return [
    ...(await repeated(target, 'CREATE protobuf, 1 writer', { workers: 1, times: 1000, bar: 1 / 4 }, one)),
    ...(await repeated(target, 'CREATE protobuf, 16 writers', { workers: 16, times: 1500, bar: 1 / 4 }, one)),
  ];
}

export async function updateProtobuf(target: Target): Promise<readonly Reading[]> {
  const kept = new Map<string, Buffer>();
  const one = async (i: number) => {
    const path = `${pods}/pod-${i}`;
    const pod = decodeProtobuf(Pod, readEnvelope(kept.get(path) ?? (await target.expect(200, { path, headers: protobuf })).body).raw);
    (pod['metadata'] as { labels: Record<string, string> }).labels['turn'] = nextSerial();
    kept.set(path, (await target.expect(200, { method: 'PUT', path, body: bodyOf(pod), headers: sent })).body);
  };
  await concurrently(16, warmUp, (i) => one(i % 200));
  return repeated(target, 'UPDATE protobuf, 16 writers', { workers: 16, times: 1000, bar: 1 / 4 }, (i) => one(i % 200));
}

function bodyOf(pod: object): Buffer {
  return writeEnvelope('v1', 'Pod', encodeProtobuf(Pod, pod));
}
