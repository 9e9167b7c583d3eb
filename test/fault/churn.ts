// Updates a thousand objects again and again while history is compacted: neither the data directory nor memory may go on growing.
// An interval of the compactor passes with every so many updates, so that the result does not depend on how busy the machine is.
// npx tsx test/fault/churn.ts [--updates 300000] [--interval 10000]
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { collector } from '#base/memory/collector.ts';
import { WatchCache } from '#cache/watch-cache.ts';
import { openEmbeddedStore } from '#store/embedded/open-embedded-store.ts';
import { keepCompacted } from '#store/keep-compacted.ts';
import { openMemoryStore } from '#store/memory/memory-store.ts';
import { Retention } from '#store/retention.ts';
import type { Store } from '#store/store.ts';
import { nextTurn } from '#base/next-turn.ts';
import { podBytes, podCacheOptions } from '../support/cached-pods.ts';
import { ManualTimers } from '../support/manual-timers.ts';

const OBJECTS = 1_000;
const WRITERS = 64;
/** What the last third may have more than the middle one. */
const GROWTH = 1.1;
const SAMPLES = 60;

interface Sample {
  readonly disk: number;
  readonly memory: number;
}

async function churn(name: string, store: Store, directory: string | undefined, updates: number, interval: number): Promise<void> {
  const timers = new ManualTimers();
  const retention = new Retention();
  const end = new AbortController();
  const policy = { intervalMs: 1, retention, timers, onFailure: fail };
  const compacting = keepCompacted(store, policy, end.signal);
  const cache = new WatchCache({ ...podCacheOptions(store), retention, historyLimit: 5_000 });
  cache.start();
  await cache.ready;
  const samples: Sample[] = [];
  const started = performance.now();
  for (let done = 0; done < updates; done += interval) {
    await update(store, done, Math.min(interval, updates - done), () => samples.push(sample(directory)), Math.ceil(updates / SAMPLES));
    // The compaction of the interval before goes on beside the updates; it must have ended when the next one begins.
    while (timers.pending === 0) await nextTurn();
    timers.advance(1);
  }
  const seconds = (performance.now() - started) / 1000;
  end.abort();
  await compacting;
  await cache.stop();
  judge(`${name}: ${updates} updates, ${(updates / seconds).toFixed(0)}/s`, samples);
}

/** `count` updates, of one object after the other; a sample with every `every`-th. */
async function update(store: Store, from: number, count: number, take: () => void, every: number): Promise<void> {
  let next = from;
  const write = async () => {
    while (next < from + count) {
      const turn = next++;
      const key = `/registry/pods/default/p${turn % OBJECTS}`;
      const value = podBytes('default', `p${turn % OBJECTS}`, { labels: { turn: `${turn}`, filling: 'x'.repeat(2_000) } });
      const current = await store.get(key);
      const { committed } = await store.compareAndSet(key, current?.revision ?? 0, value);
      if (!committed) throw new Error(`an update of ${key} was refused, though nothing else writes it`);
      if (turn % every === every - 1) take();
      // The memory store never waits; other work has its turn between requests.
      if (turn % 100 === 0) await nextTurn();
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, write));
}

function judge(name: string, samples: readonly Sample[]): void {
  const third = Math.floor(samples.length / 3);
  const most = (from: number, of: keyof Sample) => Math.max(...samples.slice(from, from + third).map((one) => one[of]));
  const results = (['disk', 'memory'] as const).map((of) => {
    const [middle, last] = [most(third, of), most(2 * third, of)];
    return { of, ratio: middle === 0 ? 1 : last / middle, text: `${of} ${(middle / 2 ** 20).toFixed(1)} MB, then ${(last / 2 ** 20).toFixed(1)} MB` };
  });
  console.log(`${name}: ${results.map(({ text }) => text).join('; ')}`);
  if (samples.length < 30) throw new Error('too few samples: this run has shown nothing');
  for (const { of, ratio } of results)
    if (ratio > GROWTH) throw new Error(`${name}: ${of} of the last third is ${ratio.toFixed(2)} times that of the middle third`);
}

function sample(directory: string | undefined): Sample {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  const disk = directory === undefined ? 0 : readdirSync(directory).reduce((sum, file) => sum + statSync(join(directory, file)).size, 0);
  return { disk, memory: heapUsed + external };
}

function fail(error: Error): never {
  throw error;
}

const collectGarbage = collector();
const { values } = parseArgs({ options: { updates: { type: 'string', default: '300000' }, interval: { type: 'string', default: '10000' } } });
const size = [Number(values.updates), Number(values.interval)] as const;

const memory = openMemoryStore();
await churn('the memory store', memory, undefined, ...size);
await memory.close();
const directory = mkdtempSync(join(tmpdir(), 'binnacle-churn-'));
const embedded = await openEmbeddedStore(directory);
await churn('the embedded store', embedded, directory, ...size);
await embedded.close();
rmSync(directory, { recursive: true });
