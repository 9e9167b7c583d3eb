import { expect, test } from 'vitest';
import { CacheSet } from '#cache/cache-set.ts';
import { openMemoryStore } from '#store/memory/memory-store.ts';
import { podForm, write } from '../../test/support/cached-pods.ts';

const things = { group: 'example.com', plural: 'things', namespaced: false, storage: { prefix: 'example.com/things' }, form: podForm, strategy: {} };
const key = '/registry/example.com/things/a';
const thing = (text: string) => Buffer.from(JSON.stringify({ kind: 'Thing', apiVersion: 'v1', metadata: { name: 'a' }, text }));

test('objects that a loop follows without a cache are read from the store, and no cache is started for that', async () => {
  const store = openMemoryStore();
  const caches = new CacheSet({ store });
  caches.storedSource(things);
  const reader = caches.reader(things);
  expect([reader.isReady, reader.get('', 'a')]).toEqual([true, undefined]);
  const first = await write(store, key, thing('one'));
  const read = reader.get('', 'a');
  expect([read?.revision, read?.object['text'], read?.object.metadata.resourceVersion]).toEqual([first, 'one', String(first)]);
  expect(read?.byteLength).toBe(read?.json.length);
  await write(store, key, thing('two'));
  expect((await reader.readLatest('', 'a'))?.object['text']).toBe('two');
  expect((await reader.read('', 'a'))?.object['text']).toBe('two');
  expect([read?.object['text'], [...caches], caches.started(things)]).toEqual(['one', [], undefined]);
  await caches.stop();
});

test('where there is a cache, or no loop does without one, the cache is the reader', async () => {
  const caches = new CacheSet({ store: openMemoryStore() });
  const others = { ...things, plural: 'others', storage: { prefix: 'example.com/others' } };
  expect(caches.reader(others)).toBe(caches.started(others));
  caches.storedSource(things);
  const cache = await caches.ready(things);
  expect(caches.reader(things)).toBe(cache);
  await caches.stop();
});
