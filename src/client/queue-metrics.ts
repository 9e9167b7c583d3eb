// What the work queues of one process tell of themselves, by the names and labels of upstream's workqueue metrics, and what the loops behind
// them count besides.
import { MetricSet } from '#base/metric-set.ts';
import { type Count, countSamples, Histogram, histogramSamples, type Metric, newCount, type Sample, Series } from '#base/metrics.ts';

/** What a queue reports. */
export interface QueueObserver {
  added(depth: number): void;
  /** A key was taken after it had waited so long. */
  taken(depth: number, waitedSeconds: number): void;
  worked(seconds: number): void;
  retried(): void;
  /** Seconds for which each key that is worked on has been. */
  readonly unfinished: { of: () => readonly number[] };
}

const buckets = [1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1, 10];

export class QueueMetrics {
  /** By the names of the original's controllers. */
  readonly ofLoops = new MetricSet();
  readonly #adds = new Series<Count>(['name'], newCount);
  readonly #depth = new Series<Count>(['name'], newCount);
  readonly #retries = new Series<Count>(['name'], newCount);
  readonly #waits = new Series<Histogram>(['name'], () => new Histogram(buckets));
  readonly #work = new Series<Histogram>(['name'], () => new Histogram(buckets));
  readonly #unfinished = new Map<string, { of: () => readonly number[] }>();

  of(name: string): QueueObserver {
    const [adds, depth, retries, waits, work] = [this.#adds.at(name), this.#depth.at(name), this.#retries.at(name), this.#waits.at(name), this.#work.at(name)];
    const unfinished = { of: (): readonly number[] => [] };
    this.#unfinished.set(name, unfinished);
    return {
      added(now) {
        adds.value += 1;
        depth.value = now;
      },
      taken(now, waited) {
        depth.value = now;
        waits.observe(waited);
      },
      worked: (seconds) => work.observe(seconds),
      retried: () => void (retries.value += 1),
      unfinished,
    };
  }

  metrics(): readonly Metric[] {
    const perQueue = (figure: (seconds: readonly number[]) => number) => (): Sample[] =>
      [...this.#unfinished].map(([name, { of }]) => ({ labels: { name }, value: figure(of()) }));
    const alpha = (name: string, type: Metric['type'], help: string, samples: () => Iterable<Sample>): Metric => ({
      name: `workqueue_${name}`,
      type,
      help,
      stability: 'ALPHA',
      samples,
    });
    return [
      ...this.ofLoops.metrics(),
      alpha('adds_total', 'counter', 'Keys added', () => countSamples(this.#adds)),
      alpha('depth', 'gauge', 'Keys that wait', () => countSamples(this.#depth)),
      alpha('retries_total', 'counter', 'Keys added again after a failure', () => countSamples(this.#retries)),
      alpha('queue_duration_seconds', 'histogram', 'How long keys waited', () => histogramSamples(this.#waits)),
      alpha('work_duration_seconds', 'histogram', 'How long work on a key took', () => histogramSamples(this.#work)),
      alpha(
        'unfinished_work_seconds',
        'gauge',
        'How long keys have been worked on that are not done',
        perQueue((seconds) => seconds.reduce((sum, one) => sum + one, 0)),
      ),
      alpha(
        'longest_running_processor_seconds',
        'gauge',
        'The longest of them',
        perQueue((seconds) => Math.max(0, ...seconds)),
      ),
    ];
  }
}
