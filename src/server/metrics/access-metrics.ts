// How long it takes to find out who asks and whether they may, and what came out of it.
import { type Count, countSamples, Histogram, histogramSamples, type Metric, newCount, Series } from '#base/metrics.ts';
import type { Authenticator } from '#auth/authenticator.ts';
import type { Authorizer } from '#auth/authorizer.ts';
import { metric } from '#server/metrics/request-metrics.ts';

/** Doubled 14 times, from a millisecond on. */
const buckets = Array.from({ length: 15 }, (_, i) => 0.001 * 2 ** i);

export class AccessMetrics {
  readonly #authentication = new Series<Histogram>(['result'], () => new Histogram(buckets));
  readonly #authorization = new Series<Histogram>(['result'], () => new Histogram(buckets));
  readonly #attempts = new Series<Count>(['result'], newCount);
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  timed(authenticator: Authenticator): Authenticator {
    return async (request) => {
      const began = this.#now();
      let result = 'error';
      try {
        const user = await authenticator(request);
        result = user === undefined ? 'failure' : 'success';
        return user;
      } finally {
        this.#authentication.at(result).observe(this.#secondsSince(began));
      }
    };
  }

  timedAccess(authorizer: Authorizer): Authorizer {
    return async (user, attributes) => {
      const began = this.#now();
      let result = 'error';
      try {
        const answer = await authorizer(user, attributes);
        result = results[answer.decision];
        return answer;
      } finally {
        this.#authorization.at(result).observe(this.#secondsSince(began));
        this.#attempts.at(result).value += 1;
      }
    };
  }

  metrics(): readonly Metric[] {
    return [
      metric('authentication_duration_seconds', 'histogram', 'ALPHA', 'Time to find out who asks, by result', () => histogramSamples(this.#authentication)),
      metric('authorization_duration_seconds', 'histogram', 'ALPHA', 'Time to find out whether they may, by result', () =>
        histogramSamples(this.#authorization),
      ),
      metric('authorization_attempts_total', 'counter', 'ALPHA', 'Requests whose access was decided, by result', () => countSamples(this.#attempts)),
    ];
  }

  #secondsSince(began: number): number {
    return (this.#now() - began) / 1000;
  }
}

const results = { allow: 'allowed', deny: 'denied', 'no-opinion': 'no-opinion' } as const;
