import { expect, test, vi } from 'vitest';
import type { Follower, SourceItem } from '#api/source.ts';
import { CacheSet } from '#cache/cache-set.ts';
import { openMemoryStore } from '#store/memory/memory-store.ts';
import { CompactedError, type Store } from '#store/store.ts';
import { breakable } from '../../test/support/breakable-store.ts';
import { podForm, write } from '../../test/support/cached-pods.ts';
import { ManualTimers } from '../../test/support/manual-timers.ts';

const things = { group: 'example.com', plural: 'things', namespaced: false, storage: { prefix: 'example.com/things' }, form: podForm, strategy: {} };

function put(store: Store, name: string, text: string): Promise<number> {
  return write(store, `/registry/example.com/things/${name}`, Buffer.from(JSON.stringify({ kind: 'Thing', apiVersion: 'v1', metadata: { name }, text })));
}

/** Tells in one line each what it was told. */
function listener(): { readonly told: string[]; readonly follower: Follower } {
  const told: string[] = [];
  const shown = ({ name, revision, object }: SourceItem) => `${name}@${revision}=${String(object['text'])} ${object.metadata.resourceVersion}`;
  return {
    told,
    follower: { begin: (all) => void told.push(`begin ${all.map(shown).join(', ')}`), change: (type, item) => void told.push(`${type} ${shown(item)}`) },
  };
}

test('what there is comes first, then every change, read from the store', async () => {
  const store = openMemoryStore();
  const caches = new CacheSet({ store });
  const ended = new AbortController();
  await put(store, 'a', 'one');
  const { told, follower } = listener();
  const source = caches.storedSource(things);
  await source?.follow(follower, ended.signal);
  await put(store, 'b', 'two');
  await put(store, 'a', 'three');
  await write(store, '/registry/example.com/things/b', undefined);
  await vi.waitFor(() => expect(told.length).toBe(4));
  expect(told).toEqual(['begin a@2=one 2', 'ADDED b@3=two 3', 'MODIFIED a@4=three 4', 'DELETED b@3=two 3']);
  expect([source?.get('', 'a')?.object['text'], source?.get('', 'b')]).toEqual(['three', undefined]);
  expect([...caches]).toEqual([]);
  ended.abort();
  await caches.stop();
});

test('a cache of the same objects hears of changes too', async () => {
  const store = openMemoryStore();
  const caches = new CacheSet({ store });
  const ended = new AbortController();
  const { told, follower } = listener();
  await caches.storedSource(things)?.follow(follower, ended.signal);
  const cache = await caches.ready(things);
  await put(store, 'a', 'one');
  await vi.waitFor(() => expect([told.length, cache.count]).toEqual([2, 1]));
  ended.abort();
  await put(store, 'b', 'two');
  await vi.waitFor(() => expect(cache.count).toBe(2));
  expect(told.length).toBe(2);
  await caches.stop();
});

test('begins again when changes were lost', async () => {
  const timers = new ManualTimers();
  const { store, break: breakWatch } = breakable(openMemoryStore());
  const caches = new CacheSet({ store, timers });
  const ended = new AbortController();
  const { told, follower } = listener();
  await caches.storedSource(things)?.follow(follower, ended.signal);
  await put(store, 'a', 'one');
  await vi.waitFor(() => expect(told.length).toBe(2));
  breakWatch(new CompactedError(1, 2));
  await vi.waitFor(() => expect(told).toEqual(['begin ', 'ADDED a@2=one 2', 'begin a@2=one 2']));
  await put(store, 'b', 'two');
  await vi.waitFor(() => expect(told.at(-1)).toBe('ADDED b@3=two 3'));
  ended.abort();
  await caches.stop();
});

test('is not to be had where objects have to be converted, or lie in namespaces', () => {
  const caches = new CacheSet({ store: openMemoryStore() });
  expect(caches.storedSource({ ...things, form: { ...podForm, fromStore: (stored) => stored.map(({ value }) => value) } })).toBeUndefined();
  expect(caches.storedSource({ ...things, namespaced: true })).toBeUndefined();
});
