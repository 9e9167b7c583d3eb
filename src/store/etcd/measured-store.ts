// A store in etcd whose calls are counted. A write lasts until its change has come back on our own watch, as its caller waits for that.
import type { EtcdMetrics, EtcdOperation } from '#store/etcd/etcd-metrics.ts';
import type { KeyRange, Revision, Store, WatchBatch } from '#store/store.ts';

export function measuredStore(store: Store, metrics: EtcdMetrics): Store {
  const measured = async <T>(operation: EtcdOperation, key: string, call: Promise<T>): Promise<T> => {
    const startedMs = performance.now();
    try {
      const answer = await call;
      metrics.requested(operation, key, (performance.now() - startedMs) / 1000, false);
      return answer;
    } catch (error) {
      metrics.requested(operation, key, (performance.now() - startedMs) / 1000, true);
      throw error;
    }
  };
  return {
    atOnce: store.atOnce,
    revision: () => store.revision(),
    get: (key, options) => measured('get', key, store.get(key, options)),
    list: (range, options) => measured('list', range.start, store.list(range, options)),
    keys: (range) => measured('list', range.start, store.keys(range)),
    count: (range) => measured('listWithCount', range.start, store.count(range)),
    visitAll: (range, visitorAt, signal) => measured('list', range.start, store.visitAll(range, visitorAt, signal)),
    watch: (range, after, signal) => countedWatch(store, metrics, range, after, signal),
    compareAndSet: (key, expected, value, options) => measured(operationOf(expected, value), key, store.compareAndSet(key, expected, value, options)),
    compareAndSetDeferred: (key, expected, value, onLost) =>
      measured(operationOf(expected, value), key, Promise.resolve(store.compareAndSetDeferred(key, expected, value, onLost))),
    compact: (before) => store.compact(before),
    claimCompaction: (before) => store.claimCompaction(before),
    writeError: () => store.writeError(),
    sizeOnDisk: () => store.sizeOnDisk(),
    close: () => store.close(),
  };
}

function operationOf(expected: Revision, value: Uint8Array | undefined): EtcdOperation {
  if (value === undefined) return 'delete';
  return expected === 0 ? 'create' : 'update';
}

/** Refused at once where the store is closed, as the store itself does. */
function countedWatch(store: Store, metrics: EtcdMetrics, range: KeyRange, after: Revision, signal: AbortSignal): AsyncIterable<WatchBatch> {
  const batches = store.watch(range, after, signal);
  return (async function* () {
    for await (const batch of batches) {
      for (const { key } of batch.changes) metrics.told(key);
      yield batch;
    }
  })();
}
