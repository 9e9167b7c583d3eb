import { expect, test } from 'vitest';
import { parseLabelSelector } from '#api/label-selector.ts';
import { WatchCache } from '#cache/watch-cache.ts';
import { openMemoryStore } from '#store/memory/memory-store.ts';

test('smoke', async () => {
  const store = openMemoryStore();
  const put = async (name: string, labels: object, rev = 0) => {
    const r = await store.compareAndSet(
      `/registry/pods/default/${name}`,
      rev,
      Buffer.from(JSON.stringify({ kind: 'Pod', apiVersion: 'v1', metadata: { name, namespace: 'default', uid: 'u-1', labels } })),
    );
    if (!r.committed) throw new Error('no');
    return r.revision;
  };
  await put('a', { x: '1' });
  const cache = new WatchCache({
    store,
    prefix: '/registry/pods/',
    namespaced: true,
    parse: (json) => JSON.parse(json.toString()),
    fieldsOf: (o) => ({ 'metadata.name': o.metadata.name ?? '' }),
  });
  cache.start();
  await cache.ready;
  const b = await put('b', { x: '2' });
  expect((await cache.list({ namespace: '' })).items.map((i) => i.json.toString())).toMatchInlineSnapshot(`
    [
      "{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","namespace":"default","uid":"u-1","resourceVersion":"2","labels":{"x":"1"}}}",
      "{"kind":"Pod","apiVersion":"v1","metadata":{"name":"b","namespace":"default","uid":"u-1","resourceVersion":"3","labels":{"x":"2"}}}",
    ]
  `);
  const watcher = cache.watch({ namespace: '', after: 'initial', bookmarks: false, labels: parseLabelSelector('x=2') });
  if (watcher === 'too-old') throw new Error();
  const first = await watcher.next();
  expect(first.value?.map((e) => [e.type, e.item?.name])).toEqual([['ADDED', 'b']]);
  const next = watcher.next();
  await put('b', { x: '3' }, b);
  expect((await next).value?.map((e) => [e.type, e.item?.json.toString()])).toMatchInlineSnapshot(`
    [
      [
        "DELETED",
        "{"kind":"Pod","apiVersion":"v1","metadata":{"name":"b","namespace":"default","uid":"u-1","resourceVersion":"4","labels":{"x":"2"}}}",
      ],
    ]
  `);
  expect(await cache.waitFor(3, AbortSignal.timeout(10))).toBe(true);
  await cache.stop();
  await store.close();
});
