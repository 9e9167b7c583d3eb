// A cache over a store that keeps something else than what is served: encrypted, protobuf, an older version.
import { describe, expect, test } from 'vitest';
import type { StoredBytes, StoredForm } from '#api/stored-form.ts';
import { nextTurn } from '#base/next-turn.ts';
import { WatchCache } from '#cache/watch-cache.ts';
import { openMemoryStore } from '#store/memory/memory-store.ts';
import { cachedPods, deletePod, describeNext, podBytes, podCacheOptions, podForm, podPrefix, putPod, write } from '../../test/support/cached-pods.ts';
import { ManualTimers } from '../../test/support/manual-timers.ts';

const turned = (bytes: Uint8Array) => Buffer.from(bytes).reverse();

/** Bytes are stored backwards; `later` decides what has to be waited for, and is told how many came together. */
function backwards(later: (stored: readonly StoredBytes[]) => Promise<void> | void): StoredForm {
  return {
    ...podForm,
    toStore: turned,
    fromStore: (stored) => {
      const waiting = later(stored);
      const made = () => stored.map(({ value }) => turned(value));
      return waiting ? waiting.then(made) : made();
    },
  };
}

const putTurned = (store: Parameters<typeof write>[0], name: string) => write(store, `${podPrefix}a/${name}`, turned(podBytes('a', name)));

/** Conversions that end when the test says so. */
function gate() {
  const waiting: (() => void)[] = [];
  const batches: number[] = [];
  const later = (stored: readonly StoredBytes[]) => {
    batches.push(stored.length);
    return new Promise<void>((resolve) => waiting.push(resolve));
  };
  const open = async () => {
    waiting.splice(0).forEach((resolve) => resolve());
    for (let i = 0; i < 5; i++) await nextTurn();
  };
  return { later, open, batches };
}

describe('a stored form that is read at once', () => {
  test('is what cache, history and store show', async () => {
    const store = openMemoryStore();
    await putTurned(store, 'x');
    await using pods = await cachedPods({ form: backwards(() => undefined) }, store);
    const first = await putTurned(store, 'y');
    expect(pods.cache.isReady).toBe(true);
    expect(pods.cache.list({ namespace: '' }).items.map(({ object }) => object.metadata.name)).toEqual(['x', 'y']);
    await deletePod(store, 'a', 'y');
    const past = await pods.cache.listAt({ namespace: '' }, first);
    expect(past).toMatchObject({ items: [{ name: 'x' }, { name: 'y' }] });
  });

  test('is read in pages that grow, a slice of them in a turn', async () => {
    const store = openMemoryStore();
    const names = Array.from({ length: 900 }, (_, i) => `p${String(i).padStart(4, '0')}`);
    for (const name of names) await putTurned(store, name);
    const slices: number[] = [];
    await using pods = await cachedPods({ form: backwards((stored) => void slices.push(stored.length)) }, store);
    expect(pods.cache.list({ namespace: '' }).items.map(({ name }) => name)).toEqual(names);
    expect(slices).toEqual([200, 200, 200, 200, 100]);
  });
});

describe('a stored form that has to be waited for', () => {
  test('is read many at a time, and nobody reads the cache before', async () => {
    const store = openMemoryStore();
    for (let i = 0; i < 30; i++) await putTurned(store, `p${i}`);
    const { later, open, batches } = gate();
    const cache = new WatchCache({ ...podCacheOptions(store), form: backwards(later) });
    cache.start();
    for (let i = 0; i < 5; i++) await nextTurn();
    expect([cache.isReady, batches]).toEqual([false, [30]]);
    await open();
    expect([cache.isReady, cache.count]).toEqual([true, 30]);
    await cache.stop();
  });

  test('keeps changes in their order; what came meanwhile is read together', async () => {
    const store = openMemoryStore();
    const { later, open, batches } = gate();
    await using pods = await cachedPods({ form: backwards(later) }, store);
    const watcher = pods.watch();
    const before = pods.cache.revision;
    for (const name of ['x', 'y', 'z']) await putTurned(store, name);
    const last = await deletePod(store, 'a', 'x');
    expect([pods.cache.isReady, pods.cache.revision, pods.cache.count]).toEqual([false, before, 0]);
    const ready = pods.cache.ready;
    await open();
    await open();
    await ready;
    expect(await describeNext(watcher, 4)).toEqual([`ADDED a/x ${last - 3}`, `ADDED a/y ${last - 2}`, `ADDED a/z ${last - 1}`, `DELETED a/x ${last}`]);
    expect(batches).toEqual([1, 2]);
    expect([pods.cache.isReady, pods.cache.revision]).toEqual([true, last]);
  });

  test('lets one object be read from the store meanwhile', async () => {
    const store = openMemoryStore();
    let isSlow = false;
    const { later, open } = gate();
    await using pods = await cachedPods({ form: backwards((stored) => (isSlow ? later(stored) : undefined)) }, store);
    isSlow = true;
    await putTurned(store, 'x');
    isSlow = false;
    expect((await pods.cache.read('a', 'x'))?.object.metadata.name).toBe('x');
    await open();
    expect(pods.cache.get('a', 'x')?.name).toBe('x');
  });

  test('that cannot be read is told to those who wait, and tried again', async () => {
    const store = openMemoryStore();
    await putPod(store, 'a', 'x');
    const timers = new ManualTimers();
    let isBroken = true;
    const form = {
      ...podForm,
      fromStore: async (stored: readonly StoredBytes[]) => (isBroken ? Promise.reject(new Error('no key')) : stored.map(({ value }) => value)),
    };
    const cache = new WatchCache({ ...podCacheOptions(store), form, timers });
    cache.start();
    await expect(cache.ready).rejects.toThrow('no key');
    isBroken = false;
    const ready = cache.ready;
    timers.advance(1_000);
    await ready;
    expect(cache.count).toBe(1);
    await cache.stop();
  });
});
