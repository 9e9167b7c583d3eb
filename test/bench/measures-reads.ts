// What reads and watches cost the server, and what it keeps in memory.
import { concurrently, extraPod, type Load, percentile, pods, type Reading, repeated } from './reading.ts';
import { cpuMs, memoryOf } from './server-processes.ts';
import type { Ask, ListReading, Target } from './target.ts';
import { Watchers } from './watchers.ts';

export function memory(target: Target, podCount: number): readonly Reading[] {
  const { anonymousMb, wholeMb } = memoryOf(target.pids);
  return [
    { name: `anonymous memory with ${podCount} pods`, unit: 'MB', value: anonymousMb, bar: 1 / 8 },
    { name: `RSS with ${podCount} pods`, unit: 'MB', value: wholeMb, bar: 1 / 4 },
  ];
}

export async function get(target: Target): Promise<readonly Reading[]> {
  const one = (i: number) => target.expect(200, { path: `${pods}/pod-${i % 1000}` });
  await concurrently(32, 2000, one);
  return [
    ...(await repeated(target, 'GET, 1 connection', { workers: 1, times: 2000, bar: 1 / 5 }, one)),
    ...(await repeated(target, 'GET, 32 connections', { workers: 32, times: 6000, bar: 1 / 5 }, one)),
  ];
}

/** The first `count` pods of all, or all of them. */
function listPath(count: number, podCount: number): string {
  return count < podCount ? `/api/v1/pods?limit=${count}` : '/api/v1/pods';
}

export async function lists(target: Target, podCount: number): Promise<readonly Reading[]> {
  const gzip = { 'accept-encoding': 'gzip' };
  const many = podCount > 20_000;
  const readings: Reading[] = [];
  for (const count of many ? [10_000, podCount] : [podCount]) {
    const path = listPath(count, podCount);
    const rounds = count > 20_000 ? 1 : 5;
    readings.push(...(await oneList(target, `LIST ${count} JSON`, { workers: 1, times: rounds, bar: 1 / 10 }, { path })));
    readings.push(...(await oneList(target, `LIST ${count} gzip`, { workers: 1, times: rounds, bar: 1 / 5 }, { path, headers: gzip })));
    if (count === 10_000) readings.push(...(await againstOneBuffer(target, path)));
    readings.push(...(await listUnderGets(target, { count, path, form: { name: 'JSON', headers: {} } })));
  }
  const few = { workers: 1, times: many ? 20 : 100, bar: 1 / 5 };
  return [
    ...readings,
    ...(await oneList(target, 'LIST by label', few, { path: '/api/v1/pods?labelSelector=node%3Dnode-7' })),
    ...(await oneList(target, 'LIST by spec.nodeName', few, { path: '/api/v1/pods?fieldSelector=spec.nodeName%3Dnode-7' })),
  ];
}

export async function oneList(target: Target, name: string, load: Load, ask: Ask): Promise<readonly Reading[]> {
  const one = () => target.expect(200, { ...ask, discard: true });
  // A server that lives for days has listed before: both get the same chance to be warm.
  for (let i = 0; i < (load.times > 1 ? 3 : 1); i++) await one();
  return repeated(target, name, load, one);
}

async function againstOneBuffer(target: Target, path: string): Promise<readonly Reading[]> {
  const listed = await target.list(path, 4);
  const limit = await target.listFromOneBuffer(listed[0]?.bytes ?? 0, 4);
  const best = (readings: readonly ListReading[]) => Math.min(...readings.map(({ wholeMs }) => wholeMs));
  return [
    { name: 'LIST 10000: time', unit: 'ms', value: best(listed) },
    { name: 'LIST 10000: time, as a multiple of sending one buffer', unit: 'x', value: best(listed) / best(limit), most: 3 },
  ];
}

/** A form in which lists are asked for. */
export interface ListedForm {
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** One list while others read single objects: how long they wait for it, and what it takes in memory. */
export async function listUnderGets(
  target: Target,
  { count, path, form: { name, headers } }: { count: number; path: string; form: ListedForm },
): Promise<readonly Reading[]> {
  const list = `LIST ${count} ${name}`;
  await target.expect(200, { path: `${pods}/pod-1` });
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
  const [listed] = await target.list(path, count > 20_000 ? 1 : 5, { headers });
  listing = false;
  await Promise.all(readers);
  return [
    { name: `first byte of ${list}, with GETs`, unit: 'ms', value: listed?.firstByteMs ?? 0, ...(count >= 100_000 && { most: 20 }) },
    { name: `${list}, with GETs: time`, unit: 'ms', value: listed?.wholeMs ?? 0 },
    { name: `extra memory of ${list}`, unit: 'MB', value: peak - before, ...(count >= 100_000 && { most: 64 }) },
    { name: `p99 of GETs during ${list}`, unit: 'ms', value: percentile(times, 0.99), ...(count >= 100_000 && { bar: 1 / 4 }) },
  ];
}

export async function watch(target: Target): Promise<readonly Reading[]> {
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

interface FanOut {
  readonly count: number;
  readonly connections: number;
  readonly writes: number;
  readonly isProtobuf?: boolean;
}

/** The writes are counted too: with many watchers they no longer matter, with one they are nearly all. */
export async function fanOut(target: Target, { count, connections, writes, isProtobuf = false }: FanOut): Promise<readonly Reading[]> {
  const { resourceVersion } = JSON.parse((await target.expect(200, { path: `${pods}?limit=1` })).body.toString()).metadata;
  using watchers = await Watchers.open(target, `${pods}?watch=true&resourceVersion=${resourceVersion}&timeoutSeconds=300`, { count, connections, isProtobuf });
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
  const shape = `watch${isProtobuf ? ' protobuf' : ''}, ${count} watchers on ${connections} connections`;
  return [
    { name: `${shape}: CPU per event`, unit: 'µs', value: (cpu * 1000) / (writes * count), ...(count === 1000 && { bar: 1 / 3 }) },
    { name: `${shape}: events`, unit: '/s', value: (writes * count * 1000) / elapsed },
    { name: `${shape}: write to last delivery`, unit: 'ms', value: percentile(latencies, 0.5) },
  ];
}
