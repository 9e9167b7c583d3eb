import { expect, test } from 'vitest';
import { nextTurn } from '#base/next-turn.ts';
import { openMemoryStore } from '#store/memory/memory-store.ts';
import type { KeyRange, Store, WatchBatch } from '#store/store.ts';
import { cachedPods, putPod } from '../../test/support/cached-pods.ts';
import { ManualTimers } from '../../test/support/manual-timers.ts';

/** A store that others write too: it has to be asked for its revision, and tells changes when the test says so. */
function remote(store: Store): { readonly store: Store; tell(): void } {
  let told = deferred();
  async function* watch(range: KeyRange, after: number, signal: AbortSignal): AsyncGenerator<WatchBatch> {
    const ended = new Promise((resolve) => signal.addEventListener('abort', resolve));
    for await (const batch of store.watch(range, after, signal)) {
      await Promise.race([told.promise, ended]);
      yield batch;
    }
  }
  const wrapped: Store = {
    atOnce: undefined,
    revision: async () => store.revision(),
    get: (key, options) => store.get(key, options),
    list: (range, options) => store.list(range, options),
    keys: (range) => store.keys(range),
    count: (range) => store.count(range),
    visitAll: (range, visitorAt, signal) => store.visitAll(range, visitorAt, signal),
    watch,
    compareAndSet: (key, expected, value, options) => store.compareAndSet(key, expected, value, options),
    compareAndSetDeferred: (key, expected, value, onLost) => store.compareAndSetDeferred(key, expected, value, onLost),
    claimCompaction: (before) => store.claimCompaction(before),
    compact: (before) => store.compact(before),
    writeError: () => store.writeError(),
    sizeOnDisk: () => store.sizeOnDisk(),
    close: () => store.close(),
  };
  return {
    store: wrapped,
    tell: () => {
      told.resolve();
      told = deferred();
    },
  };
}

function deferred(): { readonly promise: Promise<void>; resolve(): void } {
  let resolve = () => {};
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
}

test('a cache over a store of this process knows at once that it is up to date', async () => {
  await using pods = await cachedPods();
  await putPod(pods.store, 'a', 'x');
  await nextTurn();
  expect(pods.cache.isLatest()).toBe(true);
  expect(pods.cache.readLatest('a', 'x')).toBe(pods.cache.get('a', 'x'));
});

test('a read of the latest waits for what another server has written, one of whatever there is does not', async () => {
  const { store, tell } = remote(openMemoryStore());
  await using pods = await cachedPods({}, store);
  const revision = await putPod(store, 'a', 'x');
  expect(await pods.cache.read('a', 'x')).toBeUndefined();
  const latest = pods.cache.readLatest('a', 'x');
  await nextTurn();
  tell();
  expect((await latest)?.revision).toBe(revision);
});

test('a write elsewhere in the store keeps nobody waiting: how far the store has come is told without a change', async () => {
  const { store, tell } = remote(openMemoryStore());
  await using pods = await cachedPods({}, store);
  const { committed } = await store.compareAndSet('/registry/services/a/x', 0, Buffer.from('{}'));
  expect(committed).toBe(true);
  const latest = pods.cache.isLatest();
  await nextTurn();
  tell();
  expect(await latest).toBe(true);
});

test('where the cache does not catch up, the latest comes from the store', async () => {
  const timers = new ManualTimers();
  const { store } = remote(openMemoryStore());
  await using pods = await cachedPods({ timers }, store);
  const revision = await putPod(store, 'a', 'x');
  const latest = pods.cache.readLatest('a', 'x');
  await nextTurn();
  timers.advance(3_000);
  expect((await latest)?.revision).toBe(revision);
  expect(pods.cache.get('a', 'x')).toBeUndefined();
  const list = await pods.cache.listAt({ namespace: '' }, revision);
  expect(list !== 'compacted' && list.items.map(({ name }) => name)).toEqual(['x']);
});
