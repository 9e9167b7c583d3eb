import { describe, expect, test } from 'vitest';
import { parseFieldSelector } from '#api/field-selector.ts';
import { nextTurn } from '#base/next-turn.ts';
import { CacheSet } from '#cache/cache-set.ts';
import { type CacheWatcher, WatchCache } from '#cache/watch-cache.ts';
import { openMemoryStore } from '#store/memory/memory-store.ts';
import { CompactedError } from '#store/store.ts';
import { breakable } from '../../test/support/breakable-store.ts';
import { cachedPods, deletePod, describeNext, podForm, podBytes, podCacheOptions, putPod, write } from '../../test/support/cached-pods.ts';
import { ManualTimers } from '../../test/support/manual-timers.ts';

async function settled(): Promise<void> {
  for (let i = 0; i < 5; i++) await nextTurn();
}

describe('a cache over a store whose watch breaks', () => {
  test('goes on where it was: watchers see neither gap nor end', async () => {
    const timers = new ManualTimers();
    const { store, break: breakWatch } = breakable(openMemoryStore());
    await using pods = await cachedPods({ timers }, store);
    const watcher = pods.watch();
    await putPod(store, 'a', 'x');
    expect(await describeNext(watcher, 1)).toEqual(['ADDED a/x 2']);
    breakWatch(new Error('connection reset'));
    await settled();
    await putPod(store, 'a', 'y');
    await settled();
    expect(pods.cache.revision).toBe(2);
    timers.advance(1_000);
    expect(await describeNext(watcher, 1)).toEqual(['ADDED a/y 3']);
  });

  test('reads everything again when changes were lost, and ends the watches', async () => {
    const timers = new ManualTimers();
    const { store, break: breakWatch } = breakable(openMemoryStore());
    await putPod(store, 'a', 'x');
    await using pods = await cachedPods({ timers }, store);
    const watcher = pods.watch();
    const end = watcher.next();
    breakWatch(new CompactedError(1, 2));
    expect(await end).toMatchObject({ done: true });
    await putPod(store, 'a', 'y');
    const last = await deletePod(store, 'a', 'x');
    await pods.cache.ready;
    await pods.cache.waitFor(last);
    expect(pods.cache.list({ namespace: '' }).items.map(({ name }) => name)).toEqual(['y']);
    expect(pods.cache.oldest).toBeGreaterThan(1);
    const after = pods.watch({ after: 'initial' });
    await putPod(store, 'a', 'z');
    expect(await describeNext(after, 2)).toEqual(['ADDED a/y 3', 'ADDED a/z 5']);
  });

  test('does not claim to be up to date while it is read again, and ends watches that begin meanwhile', async () => {
    const { store, break: breakWatch, delayList } = breakable(openMemoryStore());
    await putPod(store, 'a', 'x');
    await using pods = await cachedPods({}, store);
    let go = () => {};
    delayList(new Promise<void>((resolve) => (go = resolve)));
    breakWatch(new CompactedError(1, 2));
    await settled();
    await putPod(store, 'a', 'y');
    await settled();
    expect(pods.cache.revision).toBe(2);
    const early = pods.watch();
    go();
    await pods.cache.ready;
    expect(pods.cache.revision).toBe(3);
    expect(early.ended).toBe('closed');
  });

  test('that is lost while it is being read is read once more', async () => {
    const { store, break: breakWatch, delayList } = breakable(openMemoryStore());
    await putPod(store, 'a', 'x');
    let go = () => {};
    delayList(new Promise<void>((resolve) => (go = resolve)));
    const cache = new WatchCache(podCacheOptions(store));
    cache.start();
    await settled();
    await deletePod(store, 'a', 'x');
    breakWatch(new CompactedError(1, 2));
    await settled();
    go();
    await cache.ready;
    expect(cache.count).toBe(0);
    await cache.stop();
  });
});

describe('the start of a cache', () => {
  test('misses nothing that is written while the state is read', async () => {
    const { store, delayList } = breakable(openMemoryStore());
    for (const name of ['gone', 'stays']) await putPod(store, 'a', name);
    let go = () => {};
    delayList(new Promise<void>((resolve) => (go = resolve)));
    const cache = new WatchCache(podCacheOptions(store));
    cache.start();
    await settled();
    await deletePod(store, 'a', 'gone');
    await putPod(store, 'a', 'new');
    go();
    await cache.ready;
    expect(cache.list({ namespace: '' }).items.map(({ name }) => name)).toEqual(['new', 'stays']);
    expect(cache.revision).toBe(5);
    await cache.stop();
  });

  test('is tried again when the store fails or forgets the revision meanwhile', async () => {
    const timers = new ManualTimers();
    const { store, failList } = breakable(openMemoryStore());
    await putPod(store, 'a', 'x');
    failList(new CompactedError(1, 2));
    failList(new Error('unavailable'));
    const cache = new WatchCache({ ...podCacheOptions(store), timers });
    cache.start();
    await settled();
    expect(cache.count).toBe(0);
    timers.advance(1_000);
    await cache.ready;
    expect(cache.count).toBe(1);
    await cache.stop();
  });

  test('reads more than one page of the store at one revision', async () => {
    const store = openMemoryStore();
    for (let i = 0; i < 1_201; i++) await putPod(store, 'a', `p${i}`);
    const cache = new WatchCache(podCacheOptions(store));
    cache.start();
    await cache.ready;
    expect(cache.count).toBe(1_201);
    await cache.stop();
  });

  test('that never succeeds ends with stop', async () => {
    const { store, failList } = breakable(openMemoryStore());
    failList(new Error('unavailable'));
    const cache = new WatchCache({ ...podCacheOptions(store), timers: new ManualTimers() });
    cache.start();
    await settled();
    const ready = cache.ready;
    await cache.stop();
    await expect(ready).rejects.toThrow('was stopped');
  });
});

describe('a set of caches', () => {
  const resource = (prefix: string, strategy = {}) => ({ group: '', plural: prefix, namespaced: true, storage: { prefix }, form: podForm, strategy });

  test('starts one cache for each resource, and gives each its own changes', async () => {
    const store = openMemoryStore();
    await putPod(store, 'a', 'x');
    const caches = new CacheSet({ store });
    const [pods, specs, endpoints] = await Promise.all(['pods', 'services/specs', 'services/endpoints'].map((prefix) => caches.ready(resource(prefix))));
    expect(caches.get(resource('pods'))).toBe(pods);
    await write(store, '/registry/services/specs/a/s', podBytes('a', 's'));
    await write(store, '/registry/services/endpoints/a/e', podBytes('a', 'e'));
    await write(store, '/registry/unknown/a/e', podBytes('a', 'e'));
    expect([pods, specs, endpoints].map((cache) => cache?.list({ namespace: '' }).items.map(({ key }) => key))).toEqual([
      ['/registry/pods/a/x'],
      ['/registry/services/specs/a/s'],
      ['/registry/services/endpoints/a/e'],
    ]);
    expect([pods, specs, endpoints].map((cache) => cache?.revision)).toEqual([5, 5, 5]);
    await caches.stop();
  });

  test('renews the cache of a resource whose kind changes: its watches end, requests that began before see the new one', async () => {
    const store = openMemoryStore();
    const caches = new CacheSet({ store });
    const before = await caches.ready(resource('pods', { selectableFields: { f: () => 'old' } }));
    let cache = before;
    await putPod(store, 'a', 'x');
    const count = async (text: string) => (await cache.list({ namespace: '', fields: parseFieldSelector(text) })).items.length;
    expect([await count('f=old'), await count('f=new')]).toEqual([1, 0]);
    const renewed = resource('pods', { selectableFields: { f: () => 'new' } });
    const [watcher] = [before.watch({ namespace: '', after: 'now', bookmarks: false })];
    await caches.renew(renewed);
    expect(await (watcher as CacheWatcher).next()).toMatchObject({ done: true });
    cache = await caches.ready(resource('pods', { selectableFields: { f: () => 'a request that began before' } }));
    expect([await count('f=old'), await count('f=new')]).toEqual([0, 1]);
    await caches.stop();
  });

  test('drops the cache of a resource that is gone: its watches end', async () => {
    const store = openMemoryStore();
    const caches = new CacheSet({ store });
    const cache = await caches.ready(resource('pods'));
    const watcher = cache.watch({ namespace: '', after: 'now', bookmarks: false });
    if (watcher === 'too-old') throw new Error('too old');
    await caches.drop(resource('pods'));
    expect(await watcher.next()).toMatchObject({ done: true });
    expect(await caches.ready(resource('pods'))).not.toBe(cache);
    await caches.stop();
  });

  test('refuses a resource that is not stored', () => {
    const caches = new CacheSet({ store: openMemoryStore() });
    expect(() => caches.get({ ...resource('pods'), storage: undefined })).toThrow('not stored');
  });
});
