// What reads and watches cost the server, and what it keeps in memory.
import { concurrently, extraPod, percentile, pods, type Reading, repeated } from './reading.ts';
import { cpuMs, memoryOf } from './server-processes.ts';
import type { Ask, Target } from './target.ts';
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

export async function lists(target: Target, podCount: number): Promise<readonly Reading[]> {
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
  return [
    { name: `first byte of LIST ${podCount}`, unit: 'ms', value: firstByteMs },
    { name: `extra memory of LIST ${podCount}`, unit: 'MB', value: peak - before, ...(podCount >= 100_000 && { most: 64 }) },
    { name: `p99 of GETs during LIST ${podCount}`, unit: 'ms', value: percentile(times, 0.99), bar: 1 / 4 },
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
  const shape = `watch, ${count} watchers on ${connections} connections`;
  return [
    { name: `${shape}: CPU per event`, unit: 'µs', value: (cpu * 1000) / (writes * count), ...(count === 1000 && { bar: 1 / 3 }) },
    { name: `${shape}: events`, unit: '/s', value: (writes * count * 1000) / elapsed },
    { name: `${shape}: write to last delivery`, unit: 'ms', value: percentile(latencies, 0.5) },
  ];
}
