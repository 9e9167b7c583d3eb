import { expect, test } from 'vitest';
import type { Follower } from '#api/source.ts';
import { collector } from '#base/memory/collector.ts';
import { silentLog } from '#base/log.ts';
import { systemTimers } from '#base/timers.ts';
import { type CachedResource, CacheSet } from '#cache/cache-set.ts';
import { cacheSources } from '#cache/cache-source.ts';
import { openMemoryStore } from '#store/memory/memory-store.ts';
import { podForm, putPod, deletePod } from '../../test/support/cached-pods.ts';

const pods: CachedResource = { group: '', plural: 'pods', namespaced: true, storage: { prefix: 'pods' }, form: podForm, strategy: {} };

function sourceInTest() {
  const store = openMemoryStore();
  const caches = new CacheSet({ store });
  const listeners = new Set<() => void>();
  let served: CachedResource | undefined = pods;
  const onChange = (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  const source = cacheSources({ caches, find: () => served, onChange, timers: systemTimers, log: silentLog }).of({ group: '', resource: 'pods' });
  const serve = (next: CachedResource | undefined) => {
    served = next;
    for (const listener of listeners) listener();
  };
  const stop = new AbortController();
  const told: string[] = [];
  const follower: Follower = {
    begin: (all) => void told.push(`all: ${all.map(({ name }) => name).join(' ')}`),
    change: (type, { name }) => void told.push(`${type} ${name}`),
  };
  const close = async () => {
    stop.abort();
    await caches.stop();
    await store.close();
  };
  return { store, caches, source, serve, told, listeners, follow: () => source.follow(follower, stop.signal), [Symbol.asyncDispose]: close };
}

test('a follower is told all there is, then every change', async () => {
  await using at = sourceInTest();
  await putPod(at.store, 'a', 'one');
  await at.follow();
  await putPod(at.store, 'a', 'two');
  await deletePod(at.store, 'a', 'one');
  await expect.poll(() => at.told).toEqual(['all: one', 'ADDED two', 'DELETED one']);
  expect(at.source.list('a').map(({ name }) => name)).toEqual(['two']);
  expect(at.source.get('a', 'two')?.object.metadata.name).toBe('two');
});

test('a resource whose cache is replaced, or that goes and comes back, is followed on in its new cache', async () => {
  await using at = sourceInTest();
  await at.follow();
  await at.caches.renew(pods);
  await expect.poll(() => at.told).toEqual(['all: ', 'all: ']);
  at.serve(undefined);
  await at.caches.drop(pods);
  await expect.poll(() => at.told.length).toBe(3);
  expect(at.source.list()).toEqual([]);
  at.serve(pods);
  await expect.poll(() => at.told.length).toBe(4);
  await putPod(at.store, 'a', 'again');
  await expect.poll(() => at.told.at(-1)).toBe('ADDED again');
  expect(at.listeners.size).toBe(0);
});

test('one that is not served yet has begun, with nothing', async () => {
  await using at = sourceInTest();
  at.serve(undefined);
  await at.follow();
  expect(at.told).toEqual(['all: ']);
});

test('while its resource is not served a source does not hold the cache that it read before', async () => {
  await using at = sourceInTest();
  await at.follow();
  const collect = collector();
  const cache = new WeakRef(at.caches.get(pods));
  at.serve(undefined);
  at.caches.drop(pods);
  await expect.poll(() => (collect(), cache.deref() === undefined), { timeout: 15_000, interval: 200 }).toBe(true);
}, 30_000);
