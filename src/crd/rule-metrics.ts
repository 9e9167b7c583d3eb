// How long the rules of custom resources take: apiserver_cel_*.
import { Histogram, type Metric } from '#base/metrics.ts';
import type { RuleTimes } from '#schema/cel/rule-tree.ts';

/** Prometheus' own default. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export class RuleMetrics {
  readonly #compiled = new Histogram(buckets);
  readonly #evaluated = new Histogram(buckets);

  readonly times: RuleTimes = {
    compiled: (seconds) => this.#compiled.observe(seconds),
    evaluated: (seconds) => this.#evaluated.observe(seconds),
  };

  metrics(): readonly Metric[] {
    const metric = (name: string, help: string, histogram: Histogram): Metric => ({
      name: `apiserver_cel_${name}`,
      type: 'histogram',
      stability: 'BETA',
      help,
      samples: () => histogram.samples({}),
    });
    return [
      metric('compilation_duration_seconds', 'Time that the rules of a schema took to compile', this.#compiled),
      metric('evaluation_duration_seconds', 'Time that the rules of an object took', this.#evaluated),
    ];
  }
}
