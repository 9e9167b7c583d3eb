// Metrics that the parts of a process make for themselves, by name. Two parts that ask for the same metric share it.
import { type Count, countSamples, Histogram, histogramSamples, type Metric, newCount, type Sample, Series } from '#base/metrics.ts';

export interface MetricFacts {
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
  readonly stability?: Metric['stability'];
}

export class MetricSet {
  readonly #metrics = new Map<string, Metric>();
  readonly #counts = new Map<string, Series<Count>>();
  readonly #histograms = new Map<string, Series<Histogram>>();

  counter(facts: MetricFacts): Series<Count> {
    const series = this.#counts.get(facts.name) ?? new Series<Count>(facts.labels ?? [], newCount);
    this.#counts.set(facts.name, series);
    this.#put(facts, 'counter', () => countSamples(series));
    return series;
  }

  histogram(facts: MetricFacts & { readonly buckets: readonly number[] }): Series<Histogram> {
    const series = this.#histograms.get(facts.name) ?? new Series<Histogram>(facts.labels ?? [], () => new Histogram(facts.buckets));
    this.#histograms.set(facts.name, series);
    this.#put(facts, 'histogram', () => histogramSamples(series));
    return series;
  }

  /** The numbers are asked for when somebody reads them. */
  gauge(facts: MetricFacts, samples: () => Iterable<Sample>): void {
    this.#put(facts, 'gauge', samples);
  }

  metrics(): readonly Metric[] {
    return [...this.#metrics.values()];
  }

  #put({ name, help, stability = 'ALPHA' }: MetricFacts, type: Metric['type'], samples: () => Iterable<Sample>): void {
    this.#metrics.set(name, { name, help, type, stability, samples });
  }
}

/** `count` bounds, each `factor` times the one before. */
export function exponentialBuckets(start: number, factor: number, count: number): number[] {
  return Array.from({ length: count }, (_, at) => start * factor ** at);
}
