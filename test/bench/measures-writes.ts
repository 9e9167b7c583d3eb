// What writes cost the server.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { besideBareLmdb } from './bare-lmdb.ts';
import { benchPod, concurrently, extraPod, nextSerial, pods, type Reading, repeated } from './reading.ts';
import type { Target } from './target.ts';

/**
 * Before anything is measured: servers live for days, and ours is compiled as it goes. Both servers get the same. With 300 operations
 * half of what was measured was the compiler; V8 has most of it behind it after some thousands.
 */
export const warmUp = 6000;

export async function create(target: Target): Promise<readonly Reading[]> {
  const one = () => target.expect(201, { method: 'POST', path: pods, body: extraPod() });
  await concurrently(16, warmUp, one);
  const readings: Reading[] = [];
  for (const [workers, times] of [
    [1, 1000],
    [16, 1500],
    [128, 2000],
  ] as const) {
    readings.push(...(await repeated(target, `CREATE, ${workers} writers`, { workers, times, bar: 1 / 4 }, one)));
  }
  return readings;
}

export async function update(target: Target): Promise<readonly Reading[]> {
  const one = async (i: number) => {
    const path = `${pods}/pod-${i}`;
    const pod = kept.get(path) ?? JSON.parse((await target.expect(200, { path })).body.toString());
    pod.metadata.labels.turn = nextSerial();
    kept.set(path, JSON.parse((await target.expect(200, { method: 'PUT', path, body: pod })).body.toString()));
  };
  const kept = new Map<string, { metadata: { labels: Record<string, string> } }>();
  await concurrently(16, warmUp, (i) => one(i % 200));
  return repeated(target, 'UPDATE, 16 writers', { workers: 16, times: 1000, bar: 1 / 4 }, (i) => one(i % 200));
}

export async function apply(target: Target): Promise<readonly Reading[]> {
  const one = (i: number) => {
    const pod = benchPod(`applied-${i % 100}`, i % 100, { turn: nextSerial() });
    const headers = { 'content-type': 'application/apply-patch+yaml' };
    return target.ask({ method: 'PATCH', path: `${pods}/applied-${i % 100}?fieldManager=bench&force=true`, body: pod, headers }).then(({ code, body }) => {
      if (code >= 300) throw new Error(`${target.name}: apply: ${code} ${body.toString().slice(0, 500)}`);
    });
  };
  await concurrently(16, warmUp, one);
  return repeated(target, 'server-side apply, 16 writers', { workers: 16, times: 600, bar: 1 / 4 }, one);
}

/** The limit that the disk sets: the same bytes in the same number of writers, by our store and by LMDB alone. Of our server only. */
export async function store(target: Target): Promise<readonly Reading[]> {
  if (target.name !== 'binnacle') return [];
  const value = (await target.expect(200, { path: `${pods}/pod-0` })).body;
  const scratch = mkdtempSync(join(tmpdir(), 'binnacle-bench-'));
  try {
    const rates = await besideBareLmdb(scratch, { writers: 128, writes: 10_000, value });
    return [
      { name: 'bare LMDB, 128 writers: durable creations', unit: '/s', value: rates.bare },
      { name: 'our store, 128 writers: durable creations', unit: '/s', value: rates.store },
      { name: 'our store, 128 writers: share of bare LMDB', unit: '', value: rates.store / rates.bare, least: 1 / 2 },
    ];
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
