import { describe, expect, test } from 'vitest';
import { nextTurn } from '#base/next-turn.ts';
import type { CacheEvent } from '#cache/watch-cache.ts';
import { cachedPods, describeEvent, putPod } from '../../test/support/cached-pods.ts';

const names = (batches: readonly (readonly CacheEvent[])[]) => batches.flat().map(({ item }) => item?.name);

/** An answer that is given when the test says so. */
function answerLater() {
  let resolve: (more: boolean) => void = () => {};
  const promise = new Promise<boolean>((given) => (resolve = given));
  return { promise, resolve: (more: boolean) => resolve(more) };
}

describe('somebody who follows a watcher', () => {
  test('is told the state, then changes as they come, until it is closed', async () => {
    await using pods = await cachedPods();
    await putPod(pods.store, 'default', 'a');
    await pods.cache.waitFor(await pods.store.revision());
    const watcher = pods.watch({ after: 'initial' });
    const told: string[] = [];
    const followed = watcher.follow((events) => {
      told.push(...events.map(describeEvent));
      if (told.length === 3) watcher.close();
      return true;
    });
    while (told.length === 0) await nextTurn();
    const revisions = [await putPod(pods.store, 'default', 'b'), await putPod(pods.store, 'default', 'b')];
    await followed;
    expect(told.slice(1)).toEqual([`ADDED default/b ${revisions[0]}`, `MODIFIED default/b ${revisions[1]}`]);
    expect(watcher.ended).toBe('closed');
  });

  test('is told of a change before those who wait for the cache to have it', async () => {
    await using pods = await cachedPods();
    const watcher = pods.watch();
    const told: number[] = [];
    void watcher.follow((events) => {
      told.push(...events.map(({ revision }) => revision));
      return true;
    });
    const revision = await putPod(pods.store, 'default', 'a');
    await pods.cache.waitFor(revision);
    expect(told).toEqual([revision]);
  });

  test('gets no more while it is busy, and then all of it at once', async () => {
    await using pods = await cachedPods();
    const watcher = pods.watch();
    const batches: (readonly CacheEvent[])[] = [];
    const busy = answerLater();
    void watcher.follow((events) => {
      batches.push(events);
      return batches.length === 1 ? busy.promise : true;
    });
    for (const name of ['a', 'b', 'c']) await pods.cache.waitFor(await putPod(pods.store, 'default', name));
    expect(names(batches)).toEqual(['a']);
    busy.resolve(true);
    await nextTurn();
    expect(batches.map(({ length }) => length)).toEqual([1, 2]);
    expect(names(batches)).toEqual(['a', 'b', 'c']);
  });

  test('is given no more than a few megabytes at once, however large the objects are, and misses none of them', async () => {
    const large = { padding: 900_000 };
    await using pods = await cachedPods();
    const watcher = pods.watch();
    const batches: (readonly CacheEvent[])[] = [];
    const busy = answerLater();
    void watcher.follow((events) => {
      batches.push(events);
      return batches.length === 1 ? busy.promise : true;
    });
    for (let i = 0; i < 20; i++) await pods.cache.waitFor(await putPod(pods.store, 'default', `p${i}`, large));
    busy.resolve(true);
    while (batches.flat().length < 20) await nextTurn();
    expect(names(batches)).toEqual(Array.from({ length: 20 }, (_, i) => `p${i}`));
    expect(Math.max(...batches.map(({ length }) => length))).toBeLessThanOrEqual(3);
    const initial: number[] = [];
    const again = pods.watch({ after: 'initial' });
    void again.follow((events) => {
      initial.push(events.length);
      return true;
    });
    while (initial.reduce((sum, length) => sum + length, 0) < 20) await nextTurn();
    expect(Math.max(...initial)).toBeLessThanOrEqual(3);
  });

  test('that does not read keeps few of the large objects that have changed meanwhile, and is ended when history has overtaken it', async () => {
    const large = { padding: 900_000 };
    await using pods = await cachedPods({ historyBytes: 4 << 20 });
    const watcher = pods.watch();
    const given: (readonly CacheEvent[])[] = [];
    const busy = answerLater();
    const followed = watcher.follow((events) => {
      given.push(events);
      return busy.promise;
    });
    for (let i = 0; i < 20; i++) await pods.cache.waitFor(await putPod(pods.store, 'default', 'same', large));
    busy.resolve(true);
    await followed;
    expect([given.flat().length, watcher.ended]).toEqual([1, 'overrun']);
  });

  test('reads from history what did not fit into its buffer while it was busy', async () => {
    await using pods = await cachedPods({ watcherBuffer: 2 });
    const watcher = pods.watch();
    const batches: (readonly CacheEvent[])[] = [];
    const busy = answerLater();
    void watcher.follow((events) => {
      batches.push(events);
      return batches.length === 1 ? busy.promise : true;
    });
    const all = ['a', 'b', 'c', 'd', 'e', 'f'];
    for (const name of all) await pods.cache.waitFor(await putPod(pods.store, 'default', name));
    busy.resolve(true);
    while (batches.flat().length < all.length) await nextTurn();
    await pods.cache.waitFor(await putPod(pods.store, 'default', 'g'));
    expect(names(batches)).toEqual([...all, 'g']);
  });

  test.each([
    ['says that it wants no more', () => false],
    ['says so later', async () => false],
  ])('who %s ends it', async (_, take) => {
    await using pods = await cachedPods();
    const watcher = pods.watch();
    const followed = watcher.follow(take);
    await putPod(pods.store, 'default', 'a');
    await followed;
    expect(watcher.ended).toBe('closed');
    expect(pods.cache.watchers).toBe(0);
  });

  test('and fails ends it alone, and others are told', async () => {
    await using pods = await cachedPods();
    const broken = pods.watch();
    const failure = expect(
      broken.follow(() => {
        throw new Error('broken');
      }),
    ).rejects.toThrow('broken');
    const other = pods.watch();
    const told = new Promise<readonly CacheEvent[]>((resolve) => {
      void other.follow((events) => {
        resolve(events);
        return true;
      });
    });
    await putPod(pods.store, 'default', 'a');
    await failure;
    expect(names([await told])).toEqual(['a']);
    expect([broken.ended, other.ended]).toEqual(['closed', undefined]);
  });

  test('is through when the cache stops', async () => {
    const pods = await cachedPods();
    const followed = pods.watch().follow(() => true);
    await pods[Symbol.asyncDispose]();
    await expect(followed).resolves.toBeUndefined();
  });
});
