// 16 writers, 10,000 writes, 100 watchers in four shapes of selection, some of them slow, some of them reconnecting:
// nothing lost, nothing twice, nothing out of order.
import { expect, test } from 'vitest';
import { parseFieldSelector } from '#api/field-selector.ts';
import { parseLabelSelector } from '#api/label-selector.ts';
import { nextTurn } from '#base/next-turn.ts';
import type { CacheEvent, CacheWatcher, Selection, WatchCache } from '#cache/watch-cache.ts';
import { openMemoryStore } from '#store/memory/memory-store.ts';
import { type Change, rangeOf, type Store } from '#store/store.ts';
import { cachedPods, podBytes, podFields, podForm, podPrefix } from '../support/cached-pods.ts';
import { randomFrom } from '../support/random.mjs';

const WRITERS = 16;
const WRITES = 10_000;
const WATCHERS = 100;
const SEED = 20_261;

const shapes: readonly Selection[] = [
  { namespace: '' },
  { namespace: 'ns-1' },
  { namespace: '', labels: parseLabelSelector('app=web') },
  { namespace: '', fields: parseFieldSelector('spec.nodeName=node-1') },
];

type Random = () => number;
const pick = <T>(random: Random, choices: readonly T[]): T => choices[Math.floor(random() * choices.length)] as T;

/** Writes until all have been written; a writer that loses a race tries another object. */
async function keepWriting(store: Store, random: Random, left: { writes: number }): Promise<void> {
  while (left.writes > 0) {
    const [namespace, name] = [`ns-${Math.floor(random() * 4)}`, `pod-${Math.floor(random() * 50)}`];
    const current = await store.get(`${podPrefix}${namespace}/${name}`);
    if (random() < 0.3) await nextTurn();
    const facts = { labels: { app: pick(random, ['web', 'db', 'cache']) }, nodeName: pick(random, ['node-0', 'node-1', 'node-2']) };
    const value = current && random() < 0.2 ? undefined : podBytes(namespace, name, facts);
    const { committed } = await store.compareAndSet(`${podPrefix}${namespace}/${name}`, current?.revision ?? 0, value);
    if (committed) left.writes--;
  }
}

/** Reads until `last`; every now and then it dawdles or cuts the connection and goes on where it was. */
async function observe(cache: WatchCache, selection: Selection, random: Random, last: Promise<number>): Promise<string[]> {
  const seen: string[] = [];
  const patience = pick(random, [0, 0, 0.05, 0.3]);
  let position = 1;
  let end = Number.POSITIVE_INFINITY;
  let watcher: CacheWatcher | undefined;
  const connect = () => {
    watcher?.close();
    const next = cache.watch({ ...selection, after: position, bookmarks: true });
    if (next === 'too-old') throw new Error(`history does not reach back to ${position}`);
    watcher = next;
  };
  connect();
  void last.then((revision) => {
    end = revision;
    watcher?.bookmark();
  });
  while (position < end) {
    const { done, value } = await (watcher as CacheWatcher).next();
    if (done) {
      connect();
      continue;
    }
    for (const event of value) {
      position = event.revision;
      if (event.type !== 'BOOKMARK') seen.push(told(event));
    }
    if (random() < patience) for (let turns = random() * 20; turns > 0; turns--) await nextTurn();
    if (random() < 0.02) connect();
    if (end !== Number.POSITIVE_INFINITY) watcher?.bookmark();
  }
  watcher?.close();
  return seen;
}

function told({ type, revision, item }: CacheEvent): string {
  return `${type} ${revision} ${item?.key} ${item?.labels['app']}`;
}

/** What the store's own history says a watcher must have been told; reads the changes in the plainest way. */
async function expectedOf(store: Store, selection: Selection, last: number): Promise<string[]> {
  const expected: string[] = [];
  const stop = new AbortController();
  for await (const { changes } of store.watch(rangeOf(podPrefix), 1, stop.signal)) {
    for (const change of changes) {
      const text = meaning(change, selection);
      if (text) expected.push(text);
      if (change.revision === last) stop.abort();
    }
  }
  return expected;
}

function meaning({ key, revision, value, previous }: Change, { namespace, labels, fields }: Selection): string | undefined {
  const shownIn = (bytes: Uint8Array | undefined) => {
    if (bytes === undefined) return undefined;
    const pod = podForm.parse(Buffer.from(bytes));
    const matches =
      (namespace === '' || pod.metadata.namespace === namespace) && (labels?.matches(pod.metadata.labels) ?? true) && (fields?.matches(podFields(pod)) ?? true);
    return matches ? pod : undefined;
  };
  const [before, now] = [shownIn(previous?.value), shownIn(value)];
  const type = now ? (before ? 'MODIFIED' : 'ADDED') : 'DELETED';
  const shown = now ?? before;
  return shown && `${type} ${revision} ${key} ${shown.metadata.labels?.['app']}`;
}

test('10,000 writes by 16 writers reach 100 watchers: 0 lost, 0 twice, 0 out of order', async () => {
  const store = openMemoryStore();
  const random = randomFrom(SEED);
  await using pods = await cachedPods({ watcherBuffer: 200, historyLimit: WRITES + 1 }, store);
  let finished: (revision: number) => void = () => {};
  const last = new Promise<number>((resolve) => (finished = resolve));
  const observers = Array.from({ length: WATCHERS }, (_, i) => observe(pods.cache, shapes[i % shapes.length] as Selection, randomFrom(SEED + i), last));
  const left = { writes: WRITES };
  await Promise.all(Array.from({ length: WRITERS }, () => keepWriting(store, random, left)));
  const revision = await store.revision();
  finished(revision);
  const seen = await Promise.all(observers);
  for (const [i, selection] of shapes.entries()) {
    const expected = await expectedOf(store, selection, revision);
    expect(expected.length).toBeGreaterThan(1_000);
    for (let observer = i; observer < WATCHERS; observer += shapes.length) expect(seen[observer]).toEqual(expected);
  }
  expect(pods.cache.watchers).toBe(0);
});
