// The operations whose cost is compared between two builds. A turn takes some tenths of a second: long enough for several collections of
// garbage, which are part of the cost, short enough that the other build's turn meets the same machine.
import { benchPod, concurrently, nextSerial, pods } from './reading.ts';
import type { Ask, Target } from './target.ts';
import { Watchers } from './watchers.ts';

export interface Cell {
  readonly name: string;
  readonly unit: string;
  /** Of one turn. */
  readonly operations: number;
  /** V8 needs so many of them to be as fast as it gets. */
  readonly warmUp: number;
  readonly turn: (target: Target, operations: number) => Promise<void>;
}

const configMaps = '/api/v1/namespaces/shop/configmaps';
const protobuf = { accept: 'application/vnd.kubernetes.protobuf' };
const table = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };
/** V8 still optimizes after 3,000 of them, and how long that takes depends on how much code there is; `boot` and the first requests are measured apart. */
const writesUntilWarm = 8000;
/** Objects that are changed again and again. */
const changed = 200;

export const cells: readonly Cell[] = [
  ...[1, 16, 128].flatMap((writers) => [
    writing(`create pods, ${writers} writers`, writers, () => ({ method: 'POST', path: pods, body: ownPod(`extra-${nextSerial()}`) })),
    writing(`create configmaps, ${writers} writers`, writers, () => ({ method: 'POST', path: configMaps, body: configMap(`extra-${nextSerial()}`) })),
  ]),
  {
    name: 'update',
    unit: 'µs',
    operations: 200,
    warmUp: writesUntilWarm,
    turn: (target, operations) => concurrently(16, operations, (i) => update(target, i % changed)),
  },
  patching('merge patch', 'application/merge-patch+json'),
  patching('strategic patch', 'application/strategic-merge-patch+json'),
  writing('JSON patch', 16, (i) => ({
    method: 'PATCH',
    path: `${pods}/pod-${i % changed}`,
    body: [{ op: 'add', path: '/metadata/labels/turn', value: nextSerial() }],
    headers: { 'content-type': 'application/json-patch+json' },
  })),
  writing('apply', 16, (i) => ({
    method: 'PATCH',
    path: `${pods}/applied-${i % changed}?fieldManager=bench&force=true`,
    body: ownPod(`applied-${i % changed}`, nextSerial()),
    headers: { 'content-type': 'application/apply-patch+yaml' },
  })),
  {
    name: 'create and delete',
    unit: 'µs',
    operations: 200,
    warmUp: 1500,
    turn: (target, operations) => concurrently(16, operations, () => createAndDelete(target)),
  },
  reading('get JSON', 1000, (i) => ({ path: `${pods}/pod-${i % 1000}` })),
  reading('get protobuf', 1000, (i) => ({ path: `${pods}/pod-${i % 1000}`, headers: protobuf })),
  reading('list all JSON', 4, () => ({ path: '/api/v1/pods' }), 12),
  reading('list all, gzip', 3, () => ({ path: '/api/v1/pods', headers: { 'accept-encoding': 'gzip' } }), 6),
  reading('list all, table', 1, () => ({ path: '/api/v1/pods', headers: table }), 3),
  reading('list all, protobuf', 1, () => ({ path: '/api/v1/pods', headers: protobuf }), 3),
  reading('list a page of 500', 30, () => ({ path: '/api/v1/pods?limit=500' }), 100),
  reading('list by label', 60, () => ({ path: '/api/v1/pods?labelSelector=node%3Dnode-7' }), 200),
  { name: 'watch event, 200 watchers', unit: 'µs', operations: 20 * 200, warmUp: 100 * 200, turn: fanOut },
];

/** What the turns read and change. */
export async function prepareCells(target: Target, podCount: number): Promise<void> {
  await target.expect(201, { method: 'POST', path: '/api/v1/namespaces', body: { metadata: { name: 'shop' } } });
  await target.expect(201, { method: 'POST', path: '/api/v1/namespaces/shop/serviceaccounts', body: { metadata: { name: 'web' } } });
  await concurrently(64, podCount, (i) => target.expect(201, { method: 'POST', path: pods, body: benchPod(`pod-${i}`, i) }));
}

function writing(name: string, writers: number, ask: (i: number) => Ask): Cell {
  const turn = (target: Target, operations: number) => concurrently(writers, operations, (i) => succeed(target, ask(i)));
  return { name, unit: 'µs', operations: 200, warmUp: writesUntilWarm, turn };
}

function patching(name: string, type: string): Cell {
  return writing(name, 16, (i) => ({
    method: 'PATCH',
    path: `${pods}/pod-${i % changed}`,
    body: { metadata: { labels: { turn: nextSerial() } } },
    headers: { 'content-type': type },
  }));
}

function reading(name: string, operations: number, ask: (i: number) => Ask, warmUp = 3 * operations): Cell {
  const turn = (target: Target, times: number) => concurrently(operations >= 1000 ? 16 : 1, times, (i) => succeed(target, { ...ask(i), discard: true }));
  return { name, unit: 'µs', operations, warmUp, turn };
}

async function succeed(target: Target, ask: Ask): Promise<void> {
  const { code, body } = await target.ask(ask);
  if (code >= 300) throw new Error(`${target.name}: ${ask.method ?? 'GET'} ${ask.path}: ${code} ${body.toString().slice(0, 500)}`);
}

const held = new WeakMap<Target, Map<number, { metadata: { labels: Record<string, string> } }>>();

/** As a controller does that has seen the object: the update goes without a read unless another cell has changed it meanwhile. */
async function update(target: Target, index: number): Promise<void> {
  const objects = held.get(target) ?? new Map();
  held.set(target, objects);
  const path = `${pods}/pod-${index}`;
  const pod = objects.get(index) ?? JSON.parse((await target.expect(200, { path })).body.toString());
  pod.metadata.labels.turn = nextSerial();
  const { code, body } = await target.ask({ method: 'PUT', path, body: pod });
  if (code === 200) objects.set(index, JSON.parse(body.toString()));
  else objects.delete(index);
}

async function createAndDelete(target: Target): Promise<void> {
  const name = `gone-${nextSerial()}`;
  await succeed(target, { method: 'POST', path: configMaps, body: configMap(name) });
  await succeed(target, { method: 'DELETE', path: `${configMaps}/${name}` });
}

/** The few writes are counted too. */
async function fanOut(target: Target, events: number): Promise<void> {
  const count = 200;
  const { resourceVersion } = JSON.parse((await target.expect(200, { path: `${pods}?limit=1` })).body.toString()).metadata;
  using watchers = await Watchers.open(target, `${pods}?watch=true&resourceVersion=${resourceVersion}&timeoutSeconds=300`, { count, connections: 20 });
  for (let i = 1; i <= events / count; i++) {
    await succeed(target, { method: 'POST', path: pods, body: ownPod(`extra-${nextSerial()}`) });
    await watchers.received(i);
  }
}

function ownPod(name: string, turn = ''): Record<string, unknown> {
  return benchPod(name, 100, turn === '' ? {} : { turn });
}

function configMap(name: string): Record<string, unknown> {
  return { metadata: { name, labels: { app: 'web' } }, data: { 'a.properties': 'one=1\ntwo=2\n', b: 'text '.repeat(40) } };
}
