import { expect, test } from 'vitest';
import { keepCompacted } from '#store/keep-compacted.ts';
import { openMemoryStore } from '#store/memory/memory-store.ts';
import { Retention } from '#store/retention.ts';
import { CompactedError } from '#store/store.ts';
import { pod, stateAt, until, write } from '#store/store-contract-support.ts';

/** A store with a compactor whose intervals pass when the test says so. */
async function compacted({ intervalMs = 1000, refuse = (): void => undefined } = {}) {
  const store = openMemoryStore();
  const compact = store.compact.bind(store);
  let done = 0;
  store.compact = async (before) => {
    done++;
    refuse();
    await compact(before);
  };
  const retention = new Retention();
  const failures: string[] = [];
  let pass: (() => void) | undefined;
  const timers = {
    after: (milliseconds: number, task: () => void) => {
      expect(milliseconds).toBe(intervalMs);
      pass = task;
      return () => undefined;
    },
  };
  const end = new AbortController();
  const running = keepCompacted(store, { intervalMs, retention, timers, onFailure: ({ message }) => failures.push(message) }, end.signal);
  const interval = async () => {
    await until(() => pass !== undefined);
    const task = pass;
    pass = undefined;
    task?.();
    await until(() => pass !== undefined);
  };
  return { store, retention, failures, running, end, interval, compactions: () => done };
}

test('history of the last interval stays, what is older goes', async () => {
  const { store, interval } = await compacted();
  await write(store, 'a', 0, 'one');
  await interval();
  await write(store, 'a', 2, 'two');
  await interval();
  expect(await stateAt(store, 2)).toBe('a=one');
  await interval();
  await expect(store.get(pod('a'), { at: 2 })).rejects.toThrow(CompactedError);
  expect(await stateAt(store, 3)).toBe('a=two');
});

test('pinned history stays until the last pin is released', async () => {
  const { store, interval, retention } = await compacted();
  await write(store, 'a', await write(store, 'a', 0, 'one'), 'two');
  const [first, second] = [retention.pin(2), retention.pin(2)];
  first();
  for (let i = 0; i < 3; i++) await interval();
  expect(await stateAt(store, 2)).toBe('a=one');
  second();
  await interval();
  await expect(store.get(pod('a'), { at: 2 })).rejects.toThrow(CompactedError);
});

test('a store that refuses is tried again at the next interval', async () => {
  const disk = { works: false };
  const { store, interval, failures } = await compacted({
    refuse: () => {
      if (!disk.works) throw new Error('the disk is full');
    },
  });
  await write(store, 'a', await write(store, 'a', 0, 'one'), 'two');
  await interval();
  await interval();
  expect(failures).toEqual(['the disk is full', 'the disk is full']);
  disk.works = true;
  await interval();
  await expect(store.get(pod('a'), { at: 2 })).rejects.toThrow(CompactedError);
});

test('an interval of 0 compacts never, and stopping ends the compactor', async () => {
  const never = await compacted({ intervalMs: 0 });
  await never.running;
  expect(never.compactions()).toBe(0);
  const stopped = await compacted();
  stopped.end.abort();
  await stopped.running;
  expect(stopped.compactions()).toBe(0);
});
