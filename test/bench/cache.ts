// What the watch cache costs with many pods of 2.5 KB: memory, start, lists, and telling a change to many watchers.
// `node --expose-gc --import tsx test/bench/cache.ts [pods]`
import { readFileSync } from 'node:fs';
import { parseFieldSelector } from '#api/field-selector.ts';
import { parseLabelSelector } from '#api/label-selector.ts';
import { nextTurn } from '#base/next-turn.ts';
import { WatchCache, type WatchQuery } from '#cache/watch-cache.ts';
import type { Change, Entry, StoreReader, WatchBatch } from '#store/store.ts';
import { podBytes, podCacheOptions, podPrefix } from '../support/cached-pods.ts';

const count = Number(process.argv[2] ?? 100_000);

interface Source extends StoreReader {
  push(changes: readonly Change[]): void;
}

/** Makes pods when they are read, so that only the cache is measured. */
function podSource(): Source {
  const names = Array.from({ length: count }, (_, i) => `${podPrefix}ns-${i % 100}/web-${String(i).padStart(7, '0')}`).sort();
  let push: (changes: readonly Change[]) => void = () => {};
  const revision = async () => count;
  return {
    atOnce: undefined,
    push: (changes) => push(changes),
    revision,
    get: async () => undefined,
    count: revision,
    keys: async () => ({ keys: names.map((key, i) => ({ key, revision: i + 1 })), revision: count }),
    list: async ({ start }, { limit = count } = {}) => {
      const from = names.findIndex((name) => name >= start);
      const page = names.slice(from, from + limit);
      return { entries: page.map((key, i) => entryOf(key, from + i + 1)), revision: count, more: from + limit < count };
    },
    visitAll: async ({ start, end }, visitorAt) => {
      const visit = visitorAt(count);
      for (const [i, name] of names.entries()) if (name >= start && name < end) visit(entryOf(name, i + 1));
    },
    async *watch(_range, _after, signal) {
      while (!signal.aborted) yield batchOf(await new Promise<readonly Change[]>((resolve) => (push = resolve)));
    },
  };
}

function batchOf(changes: readonly Change[]): WatchBatch {
  return { changes, revision: changes.at(-1)?.revision ?? 0 };
}

function entryOf(key: string, revision: number): Entry {
  const [namespace = '', name = ''] = Buffer.from(key).toString().slice(podPrefix.length).split('/');
  const number = Number(name.slice(4));
  const facts = { labels: { app: `app-${number % 2_000}`, tier: number % 2 === 0 ? 'front' : 'back' }, nodeName: `node-${number % 1_000}`, phase: 'Running' };
  return { key: `${podPrefix}${namespace}/${name}`, value: podBytes(namespace, name, { ...facts, padding: 2_200 }), revision };
}

function anonymousMegabytes(): number {
  globalThis.gc?.();
  return Math.round(Number(/Anonymous:\s+(\d+)/.exec(readFileSync('/proc/self/smaps_rollup', 'utf8'))?.[1]) / 1024);
}

async function timed(what: string, run: () => unknown): Promise<void> {
  const start = performance.now();
  await run();
  console.log(`${what}: ${(performance.now() - start).toFixed(1)} ms`);
}

async function fanOut(cache: WatchCache, source: Source, what: string, queryOf: (i: number) => Partial<WatchQuery>): Promise<void> {
  const watchers = Array.from({ length: 1_000 }, (_, i) => cache.watch({ namespace: '', after: 'now', bookmarks: false, ...queryOf(i) }));
  let told = 0;
  const readers = watchers.map(async (watcher) => {
    if (watcher !== 'too-old') for await (const batch of watcher) told += batch.length;
  });
  const { items } = cache.list({ namespace: '', limit: 1_000 });
  const changes = items.map(({ key }, i) => ({ ...entryOf(key, cache.revision + i + 1), previous: undefined }));
  const before = process.cpuUsage();
  for (let i = 0; i < changes.length; i += 10) {
    source.push(changes.slice(i, i + 10));
    await nextTurn();
  }
  const { user, system } = process.cpuUsage(before);
  console.log(`${what}: ${((user + system) / changes.length).toFixed(1)} µs per change, ${((user + system) / told).toFixed(2)} µs per delivery`);
  for (const watcher of watchers) if (watcher !== 'too-old') watcher.close();
  await Promise.all(readers);
}

const source = podSource();
const memory = anonymousMegabytes();
const cache = new WatchCache({ ...podCacheOptions(source as never), store: source });
await timed(`start with ${count} pods`, async () => {
  cache.start();
  await cache.ready;
});
console.log(`memory: ${anonymousMegabytes() - memory} MB anonymous`);
await timed('list', () => cache.list({ namespace: '' }));
await timed('list of a namespace', () => cache.list({ namespace: 'ns-7' }));
await timed('list by label', () => cache.list({ namespace: '', labels: parseLabelSelector('tier=front') }));
await timed('list by indexed field', () => cache.list({ namespace: '', fields: parseFieldSelector('spec.nodeName=node-7') }));
await timed('list by other field', () => cache.list({ namespace: '', fields: parseFieldSelector('status.phase=Pending') }));
await fanOut(cache, source, '1,000 watchers of everything', () => ({}));
await fanOut(cache, source, '1,000 watchers of a node each', (i) => ({ fields: parseFieldSelector(`spec.nodeName=node-${i}`) }));
await fanOut(cache, source, '1,000 watchers of a label each', (i) => ({ labels: parseLabelSelector(`app=app-${i}`) }));
process.exit(0);
