import { expect, test } from 'vitest';
import { apart, Slabs } from '#base/memory/short-lived.ts';
import { openMemoryStore } from '#store/memory/memory-store.ts';
import { testStoreContract } from '#store/store-contract.ts';
import { bytes, collect, pod, pods } from '#store/store-contract-support.ts';

testStoreContract('the memory store', async (clock) => openMemoryStore({ clock }));

test('a value that is kept does not keep the slab in which it was written, and is told as it was written', async () => {
  const store = openMemoryStore();
  const told = collect(store.watch(pods, await store.revision(), new AbortController().signal), 1);
  const value = new Slabs().copy(bytes('one'));
  await store.compareAndSet(pod('a'), 0, value);
  const kept = (await store.get(pod('a')))?.value as Uint8Array;
  expect(kept).toEqual(value);
  expect(apart(kept) === kept).toBe(true);
  expect((await told)[0]?.value === value).toBe(true);
  const [replayed] = await collect(store.watch(pods, 1, new AbortController().signal), 1);
  expect(replayed?.value === kept).toBe(true);
  await store.close();
});
