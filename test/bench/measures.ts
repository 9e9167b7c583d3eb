// What is measured of one server. Every number is of the server's side but those named throughput or time.
import { setTimeout as pause } from 'node:timers/promises';
import { samplePod } from '../support/sample-pod.ts';
import { cpuMs, memoryOf } from './server-processes.ts';
import type { Ask, Target } from './target.ts';
import { Watchers } from './watchers.ts';

/** How one number reads: its unit, and the ratio to the reference that it must not exceed (lower is better) or fall below. */
export interface Reading {
  readonly name: string;
  readonly unit: string;
  readonly value: number;
  readonly bar?: number;
}

export interface Measure {
  readonly name: string;
  readonly run: (target: Target) => Promise<readonly Reading[]>;
}

const pods = '/api/v1/namespaces/shop/pods';
const nodes = 100;
let serial = 0;

export async function prepare(target: Target, podCount: number): Promise<void> {
  const existing = await target.ask({ path: '/api/v1/namespaces/shop' });
  if (existing.code === 200) throw new Error(`${target.name} has been measured before: it has a namespace "shop"; start it on an empty directory`);
  await target.expect(201, { method: 'POST', path: '/api/v1/namespaces', body: { metadata: { name: 'shop' } } });
  await target.expect(201, { method: 'POST', path: '/api/v1/namespaces/shop/serviceaccounts', body: { metadata: { name: 'web' } } });
  await concurrently(64, podCount, (i) => target.expect(201, { method: 'POST', path: pods, body: benchPod(`pod-${i}`, i) }));
  // What loading has left to do (garbage, compaction) is not part of what follows.
  await pause(2000);
}

export function measures(podCount: number): readonly Measure[] {
  return [
    { name: 'memory', run: async (target) => memory(target, podCount) },
    { name: 'get', run: get },
    { name: 'create', run: create },
    { name: 'update', run: update },
    { name: 'apply', run: apply },
    { name: 'list', run: (target) => lists(target, podCount) },
    { name: 'watch', run: watch },
  ];
}

function memory(target: Target, podCount: number): readonly Reading[] {
  const { anonymousMb, wholeMb } = memoryOf(target.pids);
  return [
    { name: `anonymous memory with ${podCount} pods`, unit: 'MB', value: anonymousMb, bar: 1 / 8 },
    { name: `RSS with ${podCount} pods`, unit: 'MB', value: wholeMb, bar: 1 / 4 },
  ];
}

async function get(target: Target): Promise<readonly Reading[]> {
  const one = (i: number) => target.expect(200, { path: `${pods}/pod-${i % 1000}` });
  await concurrently(32, 2000, one);
  return [
    ...(await repeated(target, 'GET, 1 connection', { workers: 1, times: 2000, bar: 1 / 5 }, one)),
    ...(await repeated(target, 'GET, 32 connections', { workers: 32, times: 6000, bar: 1 / 5 }, one)),
  ];
}

async function create(target: Target): Promise<readonly Reading[]> {
  const one = () => target.expect(201, { method: 'POST', path: pods, body: extraPod() });
  await concurrently(16, 300, one);
  const readings: Reading[] = [];
  for (const [workers, times] of [
    [1, 300],
    [16, 1500],
    [128, 2000],
  ] as const) {
    readings.push(...(await repeated(target, `CREATE, ${workers} writers`, { workers, times, bar: 1 / 4 }, one)));
  }
  return readings;
}

async function update(target: Target): Promise<readonly Reading[]> {
  const one = async (i: number) => {
    const path = `${pods}/pod-${i}`;
    const pod = kept.get(path) ?? JSON.parse((await target.expect(200, { path })).body.toString());
    pod.metadata.labels.turn = String(serial++);
    kept.set(path, JSON.parse((await target.expect(200, { method: 'PUT', path, body: pod })).body.toString()));
  };
  const kept = new Map<string, { metadata: { labels: Record<string, string> } }>();
  await concurrently(16, 200, one);
  return repeated(target, 'UPDATE, 16 writers', { workers: 16, times: 1000, bar: 1 / 4 }, (i) => one(i % 200));
}

async function apply(target: Target): Promise<readonly Reading[]> {
  const one = (i: number) => {
    const pod = benchPod(`applied-${i % 100}`, i % 100, { turn: String(serial++) });
    const headers = { 'content-type': 'application/apply-patch+yaml' };
    return target.ask({ method: 'PATCH', path: `${pods}/applied-${i % 100}?fieldManager=bench&force=true`, body: pod, headers }).then(({ code, body }) => {
      if (code >= 300) throw new Error(`${target.name}: apply: ${code} ${body.toString().slice(0, 500)}`);
    });
  };
  await concurrently(16, 200, one);
  return repeated(target, 'server-side apply, 16 writers', { workers: 16, times: 600, bar: 1 / 4 }, one);
}

async function lists(target: Target, podCount: number): Promise<readonly Reading[]> {
  const rounds = podCount > 20_000 ? 2 : 6;
  const gzip = { 'accept-encoding': 'gzip' };
  const shapes: readonly (readonly [string, number, number, Ask])[] = [
    [`LIST ${podCount} JSON`, rounds, 1 / 10, { path: '/api/v1/pods' }],
    [`LIST ${podCount} gzip`, rounds, 1 / 5, { path: '/api/v1/pods', headers: gzip }],
    ['LIST by label', rounds * 20, 1 / 5, { path: '/api/v1/pods?labelSelector=node%3Dnode-7' }],
    ['LIST by spec.nodeName', rounds * 20, 1 / 5, { path: '/api/v1/pods?fieldSelector=spec.nodeName%3Dnode-7' }],
  ];
  const readings: Reading[] = [];
  for (const [name, times, bar, ask] of shapes) {
    await target.expect(200, { ...ask, discard: true });
    readings.push(...(await repeated(target, name, { workers: 1, times, bar }, () => target.expect(200, { ...ask, discard: true }))));
  }
  return [...readings, ...(await listUnderGets(target, podCount))];
}

/** One list while others read single objects: how long they wait for it, and what it takes in memory. */
async function listUnderGets(target: Target, podCount: number): Promise<readonly Reading[]> {
  const before = memoryOf(target.pids).anonymousMb;
  let [peak, listing] = [before, true];
  const times: number[] = [];
  const reader = async () => {
    while (listing) {
      times.push((await target.expect(200, { path: `${pods}/pod-1` })).wholeMs);
      peak = Math.max(peak, memoryOf(target.pids).anonymousMb);
    }
  };
  const readers = [reader(), reader()];
  const { firstByteMs } = await target.expect(200, { path: '/api/v1/pods', discard: true });
  await target.expect(200, { path: '/api/v1/pods', discard: true });
  listing = false;
  await Promise.all(readers);
  times.sort((a, b) => a - b);
  return [
    { name: `first byte of LIST ${podCount}`, unit: 'ms', value: firstByteMs },
    { name: `extra memory of LIST ${podCount}`, unit: 'MB', value: peak - before },
    { name: `p99 of GETs during LIST ${podCount}`, unit: 'ms', value: times[Math.floor(times.length * 0.99)] ?? 0, bar: 1 / 4 },
  ];
}

async function watch(target: Target): Promise<readonly Reading[]> {
  const readings: Reading[] = [];
  for (const [count, connections, writes] of [
    [1, 1, 300],
    [100, 10, 200],
    [1000, 100, 200],
  ] as const) {
    readings.push(...(await fanOut(target, { count, connections, writes })));
  }
  return readings;
}

/** The writes are counted too: with many watchers they no longer matter, with one they are nearly all. */
async function fanOut(target: Target, { count, connections, writes }: { count: number; connections: number; writes: number }): Promise<readonly Reading[]> {
  const { resourceVersion } = JSON.parse((await target.expect(200, { path: `${pods}?limit=1` })).body.toString()).metadata;
  using watchers = await Watchers.open(target, `${pods}?watch=true&resourceVersion=${resourceVersion}&timeoutSeconds=300`, { count, connections });
  const latencies: number[] = [];
  const [cpuBefore, start] = [cpuMs(target.pids), performance.now()];
  for (let i = 1; i <= writes; i++) {
    const written = performance.now();
    const received = watchers.received(i);
    await target.expect(201, { method: 'POST', path: pods, body: extraPod() });
    await received;
    latencies.push(performance.now() - written);
  }
  const elapsed = performance.now() - start;
  const cpu = cpuMs(target.pids) - cpuBefore;
  latencies.sort((a, b) => a - b);
  const shape = `watch, ${count} watchers on ${connections} connections`;
  return [
    { name: `${shape}: CPU per event`, unit: 'µs', value: (cpu * 1000) / (writes * count), ...(count === 1000 && { bar: 1 / 3 }) },
    { name: `${shape}: events`, unit: '/s', value: (writes * count * 1000) / elapsed },
    { name: `${shape}: write to last delivery`, unit: 'ms', value: latencies[Math.floor(writes / 2)] ?? 0 },
  ];
}

interface Load {
  readonly workers: number;
  readonly times: number;
  readonly bar: number;
}

async function repeated(target: Target, name: string, { workers, times, bar }: Load, one: (i: number) => Promise<unknown>): Promise<readonly Reading[]> {
  const [cpuBefore, start] = [cpuMs(target.pids), performance.now()];
  await concurrently(workers, times, one);
  const elapsed = performance.now() - start;
  return [
    { name: `${name}: CPU`, unit: 'ms', value: (cpuMs(target.pids) - cpuBefore) / times, bar },
    { name: `${name}: throughput`, unit: '/s', value: (times * 1000) / elapsed },
  ];
}

async function concurrently(workers: number, times: number, one: (i: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < times) await one(next++);
  };
  await Promise.all(Array.from({ length: workers }, worker));
}

function extraPod(): Record<string, unknown> {
  return benchPod(`extra-${serial++}`, nodes);
}

function benchPod(name: string, i: number, labels: Readonly<Record<string, string>> = {}): Record<string, unknown> {
  const pod = samplePod(name) as { metadata: { labels: Record<string, string> }; spec: Record<string, unknown> };
  const node = `node-${i % (nodes + 1)}`;
  Object.assign(pod.metadata.labels, { node }, labels);
  pod.spec.nodeName = node;
  return pod as unknown as Record<string, unknown>;
}
