// How much room the stores take on their disks. etcd has to be asked for it, so that it is known as of the last look.
import type { Metric } from '#base/metrics.ts';
import { pause, type Timers } from '#base/timers.ts';
import { metric } from '#server/metrics/request-metrics.ts';

/** A store of this server. */
export interface SizedStore {
  /** Undefined where it has nothing on a disk. */
  sizeOnDisk(): Promise<number | undefined>;
}

export class StorageSizes {
  readonly #stores: readonly SizedStore[];
  #sizes: readonly (number | undefined)[] = [];

  constructor(stores: readonly SizedStore[]) {
    this.#stores = stores;
  }

  /** Stores are told apart as the original does: the one of --etcd-servers is `etcd-0`. */
  readonly metrics: readonly Metric[] = [
    metric('apiserver_storage_size_bytes', 'gauge', 'STABLE', 'Size of the storage database file physically allocated in bytes.', () =>
      this.#sizes.flatMap((value, index) => (value === undefined ? [] : [{ labels: { storage_cluster_id: `etcd-${index}` }, value }])),
    ),
  ];

  async look(): Promise<void> {
    this.#sizes = await Promise.all(this.#stores.map((store) => store.sizeOnDisk().catch(() => undefined)));
  }

  /** 0: never. */
  async keep(intervalMs: number, timers: Timers, signal: AbortSignal): Promise<void> {
    while (intervalMs > 0 && !signal.aborted) {
      await this.look();
      await pause(timers, intervalMs, signal);
    }
  }
}
