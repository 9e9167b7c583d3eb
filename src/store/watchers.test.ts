import { describe, expect, test } from 'vitest';
import { openMemoryStore } from '#store/memory/memory-store.ts';
import { CompactedError } from '#store/store.ts';
import { collect, countFrom, pods, write, writeMany } from '#store/store-contract-support.ts';

const MORE_THAN_A_QUEUE_HOLDS = 10_500;

describe('a watch that falls far behind', () => {
  test('reads from history what its queue could not hold', async () => {
    const { store, iterator } = await watchOnce();
    await writeMany(store, 'p', MORE_THAN_A_QUEUE_HOLDS);
    const rest = await collect({ [Symbol.asyncIterator]: () => iterator }, MORE_THAN_A_QUEUE_HOLDS);
    expect(rest.map(({ revision }) => revision)).toEqual(countFrom(3, MORE_THAN_A_QUEUE_HOLDS));
    await store.close();
  });

  test('fails when that history is gone', async () => {
    const { store, iterator } = await watchOnce();
    await writeMany(store, 'p', MORE_THAN_A_QUEUE_HOLDS);
    await store.compact(await store.revision());
    await expect(iterator.next()).rejects.toThrow(CompactedError);
    expect((await iterator.next()).done).toBe(true);
    await store.close();
  });

  test('goes on live once it has caught up', async () => {
    const { store, iterator } = await watchOnce();
    await writeMany(store, 'p', MORE_THAN_A_QUEUE_HOLDS);
    for (let last = 0; last < MORE_THAN_A_QUEUE_HOLDS + 2; ) last = (await iterator.next()).value?.revision ?? 0;
    const next = iterator.next();
    const revision = await write(store, 'late', 0, 'late');
    expect((await next).value).toMatchObject({ changes: [{ revision }], revision });
    await store.close();
  });
});

/** A watch that is live and has been told of one change. */
async function watchOnce() {
  const store = openMemoryStore();
  const iterator = store.watch(pods, 1, new AbortController().signal)[Symbol.asyncIterator]();
  const first = iterator.next();
  await write(store, 'first', 0, 'first');
  await first;
  return { store, iterator };
}
