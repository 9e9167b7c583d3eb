// The embedded store beside bare LMDB: durable creations per second with the same bytes, in one run on one machine.
// Then what a store with many objects costs: opening, reading everything, memory. npx tsx test/bench/store.ts [--objects 100000]
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openEmbeddedStore } from '#store/embedded/open-embedded-store.ts';
import type { Store } from '#store/store.ts';
import { besideBareLmdb, creating, podRange as pods, rateOf } from './bare-lmdb.ts';

const VALUE = Buffer.alloc(2500, 'an object of two and a half kilobytes ');

async function main(scratch: string, objects: number): Promise<void> {
  for (const [writers, writes] of [
    [1, 500],
    [16, 5_000],
    [128, 20_000],
  ] as const) {
    await compareWrites(scratch, writers, writes);
  }
  await fill(scratch, objects);
  await reopen(scratch, objects);
}

async function compareWrites(scratch: string, writers: number, writes: number): Promise<void> {
  const { bare, store } = await besideBareLmdb(scratch, { writers, writes, value: VALUE });
  console.log(`${writers} writers: bare LMDB ${bare.toFixed(0)}/s, store ${store.toFixed(0)}/s, ratio ${(store / bare).toFixed(2)}`);
}

async function fill(scratch: string, objects: number): Promise<void> {
  const store = await openEmbeddedStore(join(scratch, 'full'));
  const rate = await rateOf(creating(store), { writers: 256, writes: objects, value: VALUE });
  await store.close();
  const megabytes = statSync(join(scratch, 'full', 'data.mdb')).size / 2 ** 20;
  console.log(`${objects} objects of 2.5 KB: written at ${rate.toFixed(0)}/s, ${megabytes.toFixed(0)} MB on disk`);
}

async function reopen(scratch: string, objects: number): Promise<void> {
  const before = process.memoryUsage();
  const started = performance.now();
  const store = await openEmbeddedStore(join(scratch, 'full'));
  const opened = performance.now();
  const held = process.memoryUsage();
  const longest = await listInPages(store, objects);
  const listed = performance.now();
  const grown = (key: 'heapUsed' | 'external') => ((held[key] - before[key]) / 2 ** 20).toFixed(1);
  console.log(`opened in ${(opened - started).toFixed(0)} ms (heap +${grown('heapUsed')} MB, external +${grown('external')} MB)`);
  console.log(`listed in ${(listed - opened).toFixed(0)} ms, the event loop held for at most ${longest.toFixed(1)} ms`);
  await store.close();
}

/** Returns the longest time between two turns of the event loop. */
async function listInPages(store: Store, objects: number): Promise<number> {
  let longest = 0;
  let last = performance.now();
  let beat = setImmediate(function again() {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
    beat = setImmediate(again);
  });
  let seen = 0;
  for (let start = pods.start, more = true; more; ) {
    const page = await store.list({ start, end: pods.end }, { limit: 1000 });
    seen += page.entries.length;
    more = page.more;
    start = `${page.entries.at(-1)?.key}\0`;
  }
  clearImmediate(beat);
  if (seen !== objects) throw new Error(`${seen} of ${objects} objects were listed`);
  return longest;
}

const { values } = parseArgs({ options: { objects: { type: 'string', default: '100000' } } });
const scratch = mkdtempSync(join(tmpdir(), 'binnacle-bench-'));
try {
  await main(scratch, Number(values.objects));
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
