// What the two controllers of EndpointSlices count, by the names of the original's.
import { exponentialBuckets, type MetricSet } from '#base/metric-set.ts';
import type { Metric } from '#base/metrics.ts';
import type { SliceOperation } from '#controllers/endpoints/write-slices.ts';

export interface SliceFigures {
  readonly endpoints: number;
  readonly slices: number;
  /** Slices that would do if all were filled up. */
  readonly desiredSlices: number;
  readonly added: number;
  readonly removed: number;
  readonly updated: number;
}

const perSync = exponentialBuckets(2, 2, 15);

export class SliceMetrics {
  readonly #observed: (figures: SliceFigures) => void;
  /** By the Service, or the Endpoints, that the slices are for. */
  readonly #byOwner = new Map<string, readonly SliceFigures[]>();
  readonly onWritten: (operation: SliceOperation) => void;

  /** `counted`: which endpoints of a look are worth a histogram. */
  constructor(metrics: MetricSet, subsystem: string, stability: Metric['stability'], counted: readonly ('added' | 'removed' | 'updated')[]) {
    const named = (name: string, help: string) => ({ name: `${subsystem}_${name}`, help, stability });
    const histograms = counted.map(
      (which) => [which, metrics.histogram({ ...named(`endpoints_${which}_per_sync`, `Endpoints that a look has ${which}`), buckets: perSync })] as const,
    );
    this.#observed = (figures) => histograms.forEach(([which, series]) => series.at().observe(figures[which]));
    const changes = metrics.counter({ name: `${subsystem}_changes`, help: 'Writes of EndpointSlices', labels: ['operation'] });
    this.onWritten = (operation) => void (changes.at(operation).value += 1);
    const sum = (which: 'endpoints' | 'slices' | 'desiredSlices') => () => [
      { value: [...this.#byOwner.values()].flat().reduce((total, figures) => total + figures[which], 0) },
    ];
    metrics.gauge(named('endpoints_desired', 'Endpoints that there should be'), sum('endpoints'));
    metrics.gauge(named('num_endpoint_slices', 'EndpointSlices'), sum('slices'));
    metrics.gauge(named('desired_endpoint_slices', 'EndpointSlices that would do if all were filled up'), sum('desiredSlices'));
  }

  looked(owner: string, figures: readonly SliceFigures[]): void {
    figures.forEach(this.#observed);
    // A Service has a slice even when it has no endpoints.
    this.#byOwner.set(
      owner,
      figures.map((one) => ({ ...one, desiredSlices: Math.max(1, one.desiredSlices) })),
    );
  }

  forget(owner: string): void {
    this.#byOwner.delete(owner);
  }
}

/** What only the slices of Services with a selector have. */
export interface ServiceFacts {
  readonly topology: 'Auto' | 'Disabled';
  /** A known value of `trafficDistribution` that counts; empty: none. */
  readonly trafficDistribution: string;
}

export class ServiceSliceMetrics {
  readonly slices: SliceMetrics;
  readonly #syncs: (result: 'success' | 'error') => void;
  readonly #changed: (facts: ServiceFacts, slices: number) => void;
  readonly #distributions = new Map<string, string>();

  constructor(metrics: MetricSet) {
    const subsystem = 'endpoint_slice_controller';
    this.slices = new SliceMetrics(metrics, subsystem, 'BETA', ['added', 'removed']);
    const syncs = metrics.counter({ name: `${subsystem}_syncs`, help: 'Looks at a Service', labels: ['result'] });
    this.#syncs = (result) => void (syncs.at(result).value += 1);
    const changed = metrics.histogram({
      name: `${subsystem}_endpointslices_changed_per_sync`,
      help: 'EndpointSlices that a look has changed',
      labels: ['topology', 'traffic_distribution'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    });
    this.#changed = ({ topology, trafficDistribution }, slices) => changed.at(topology, trafficDistribution).observe(slices);
    metrics.gauge({ name: `${subsystem}_services_count_by_traffic_distribution`, help: 'Services by their trafficDistribution', stability: 'BETA' }, () => {
      const counts = new Map<string, number>();
      for (const distribution of this.#distributions.values()) counts.set(distribution, (counts.get(distribution) ?? 0) + 1);
      return [...counts].map(([distribution, value]) => ({ labels: { traffic_distribution: distribution }, value }));
    });
  }

  looked(service: string, figures: readonly SliceFigures[], { trafficDistribution }: ServiceFacts): void {
    this.slices.looked(service, figures);
    if (trafficDistribution) this.#distributions.set(service, trafficDistribution);
    else this.#distributions.delete(service);
  }

  written(facts: ServiceFacts, slices: number): void {
    this.#changed(facts, slices);
  }

  ended(result: 'success' | 'error'): void {
    this.#syncs(result);
  }

  forget(service: string): void {
    this.slices.forget(service);
    this.#distributions.delete(service);
  }
}
