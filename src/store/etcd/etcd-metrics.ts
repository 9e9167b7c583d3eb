// What is counted about calls of an etcd: by the names, labels and buckets of the original.
import { type Count, countSamples, Histogram, histogramSamples, type Metric, newCount, Series } from '#base/metrics.ts';

/** As apiserver's etcd3 store names them. */
export type EtcdOperation = 'get' | 'list' | 'listWithCount' | 'create' | 'update' | 'delete';

export interface StoredResource {
  readonly group: string;
  readonly resource: string;
}

/** Whose object lies under a key. */
export type ResourceAt = (key: string) => StoredResource;

const durationBuckets = [0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60];
const ofRequests = ['operation', 'group', 'resource'];

export class EtcdMetrics {
  readonly #resourceAt: ResourceAt;
  readonly #durations = new Series(ofRequests, () => new Histogram(durationBuckets));
  readonly #errors = new Series<Count>(ofRequests, newCount);
  readonly #events = new Series<Count>(['group', 'resource'], newCount);

  constructor(resourceAt: ResourceAt) {
    this.#resourceAt = resourceAt;
  }

  requested(operation: EtcdOperation, key: string, seconds: number, isFailed: boolean): void {
    const { group, resource } = this.#resourceAt(key);
    this.#durations.at(operation, group, resource).observe(seconds);
    if (isFailed) this.#errors.at(operation, group, resource).value += 1;
  }

  told(key: string): void {
    const { group, resource } = this.#resourceAt(key);
    this.#events.at(group, resource).value += 1;
  }

  metrics(): readonly Metric[] {
    const requests = () => [...this.#durations.entries()].map(({ labels, value }) => ({ labels, value: value.count }));
    const alpha = { stability: 'ALPHA' as const };
    return [
      {
        ...alpha,
        name: 'etcd_request_duration_seconds',
        type: 'histogram',
        help: 'How long calls of etcd took',
        samples: () => histogramSamples(this.#durations),
      },
      { ...alpha, name: 'etcd_requests_total', type: 'counter', help: 'Calls of etcd', samples: requests },
      { ...alpha, name: 'etcd_request_errors_total', type: 'counter', help: 'Calls of etcd that failed', samples: () => countSamples(this.#errors) },
      {
        name: 'apiserver_storage_events_received_total',
        type: 'counter',
        stability: 'BETA',
        help: 'Changes that etcd has told',
        samples: () => countSamples(this.#events),
      },
    ];
  }
}
