// How long the rules of custom resources take, apiserver_cel_*, and the comparison of an update with what is stored.
import { Histogram, type Metric } from '#base/metrics.ts';
import type { RuleTimes } from '#schema/cel/rule-tree.ts';

/** Prometheus' own default. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** Upstream's ExponentialBuckets(0.00001, 4, 10). */
const comparisonBuckets = [0.00001, 0.00004, 0.00016, 0.00064, 0.00256, 0.01024, 0.04096, 0.16384, 0.65536, 2.62144];

export class RuleMetrics {
  readonly #compiled = new Histogram(buckets);
  readonly #evaluated = new Histogram(buckets);
  readonly #compared = new Histogram(comparisonBuckets);

  readonly times: RuleTimes = {
    compiled: (seconds) => this.#compiled.observe(seconds),
    evaluated: (seconds) => this.#evaluated.observe(seconds),
    compared: (seconds) => this.#compared.observe(seconds),
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
      {
        name: 'apiextensions_apiserver_validation_ratcheting_seconds',
        type: 'histogram',
        stability: 'ALPHA',
        help: 'Time that an update spent on comparing the new object with the old one, so that what did not change is not judged',
        samples: () => this.#compared.samples({}),
      },
    ];
  }
}
