// A store whose connection can break: what a cache over a remote store has to live with.
import type { KeyRange, ListOptions, Page, Store, WatchBatch } from '#store/store.ts';

export interface BreakableStore {
  readonly store: Store;
  /** Ends all watches with this error. */
  break(error: Error): void;
  /** The next list fails with this error. */
  failList(error: Error): void;
  /** The next list answers only after this resolves. */
  delayList(until: Promise<void>): void;
}

export function breakable(store: Store): BreakableStore {
  const breakers = new Set<(error: Error) => void>();
  const failures: Error[] = [];
  const delays: Promise<void>[] = [];

  async function* watch(range: KeyRange, after: number, signal: AbortSignal): AsyncGenerator<WatchBatch> {
    let fail: (error: Error) => void = () => {};
    const broken = new Promise<never>((_, reject) => (fail = reject));
    broken.catch(() => {});
    breakers.add(fail);
    const source = store.watch(range, after, signal)[Symbol.asyncIterator]();
    try {
      for (;;) {
        const step = await Promise.race([source.next(), broken]);
        if (step.done) return;
        yield step.value;
      }
    } finally {
      breakers.delete(fail);
      await source.return?.();
    }
  }

  async function list(range: KeyRange, options?: ListOptions): Promise<Page> {
    const failure = failures.shift();
    if (failure) throw failure;
    const page = await store.list(range, options);
    await delays.shift();
    return page;
  }

  const wrapped: Store = {
    revision: () => store.revision(),
    get: (key, options) => store.get(key, options),
    atOnce: store.atOnce,
    keys: (range) => store.keys(range),
    count: (range) => store.count(range),
    list,
    visitAll: async (range, visitorAt, signal) => {
      const page = await list(range);
      const visit = visitorAt(page.revision);
      signal.throwIfAborted();
      for (const entry of page.entries) visit(entry);
    },
    watch,
    compareAndSet: (key, expected, value, options) => store.compareAndSet(key, expected, value, options),
    compareAndSetDeferred: (key, expected, value, onLost) => store.compareAndSetDeferred(key, expected, value, onLost),
    claimCompaction: (before) => store.claimCompaction(before),
    compact: (before) => store.compact(before),
    writeError: () => store.writeError(),
    sizeOnDisk: () => store.sizeOnDisk(),
    close: () => store.close(),
  };
  return {
    store: wrapped,
    break: (error) => {
      for (const fail of breakers) fail(error);
    },
    failList: (error) => failures.push(error),
    delayList: (until) => delays.push(until),
  };
}
