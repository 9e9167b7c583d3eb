// How conversion webhooks do, in the numbers of apiextensions-apiserver.
import { Histogram, type Metric, Series } from '#base/metrics.ts';

export type ConversionFailure =
  | 'conversion_webhook_call_failure'
  | 'conversion_webhook_malformed_response_failure'
  | 'conversion_webhook_partial_response_failure'
  | 'conversion_webhook_invalid_converted_object_failure';

export interface Conversion {
  readonly definition: string;
  readonly from: string;
  readonly to: string;
  readonly seconds: number;
  /** Undefined: all went well. */
  readonly failure: ConversionFailure | undefined;
}

const callBounds = [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 45, 60];
const conversionBounds = Array.from({ length: 15 }, (_, power) => 0.001 * 2 ** power);

export class ConversionMetrics {
  readonly #calls = new Series(['result', 'failure_type'], () => ({ count: 0, seconds: new Histogram(callBounds) }));
  readonly #conversions = new Series(['crd_name', 'from_version', 'to_version', 'succeeded'], () => new Histogram(conversionBounds));

  observe({ definition, from, to, seconds, failure }: Conversion): void {
    const call = this.#calls.at(failure === undefined ? 'success' : 'failure', failure ?? '');
    call.count += 1;
    call.seconds.observe(seconds);
    this.#conversions.at(definition, from, to, String(failure === undefined)).observe(seconds);
  }

  metrics(): readonly Metric[] {
    const [calls, conversions] = [this.#calls, this.#conversions];
    return [
      {
        name: 'apiserver_conversion_webhook_request_total',
        type: 'counter',
        stability: 'ALPHA',
        help: 'Questions to conversion webhooks, by what came of them',
        samples: () => [...calls.entries()].map(({ labels, value }) => ({ labels, value: value.count })),
      },
      {
        name: 'apiserver_conversion_webhook_duration_seconds',
        type: 'histogram',
        stability: 'ALPHA',
        help: 'How long conversion webhooks take',
        samples: () => [...calls.entries()].flatMap(({ labels, value }) => [...value.seconds.samples(labels)]),
      },
      {
        name: 'apiserver_crd_conversion_webhook_duration_seconds',
        type: 'histogram',
        stability: 'ALPHA',
        help: 'How long conversions between versions of custom resources take',
        samples: () => [...conversions.entries()].flatMap(({ labels, value }) => [...value.samples(labels)]),
      },
    ];
  }
}
