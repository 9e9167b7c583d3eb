// How long it takes to find out who asks and whether they may, and what came out of it.
import { type Count, countSamples, Histogram, histogramSamples, type Metric, newCount, Series } from '#base/metrics.ts';
import type { User } from '#api/user.ts';
import type { MaybePromise } from '#base/maybe-promise.ts';
import type { Authenticator } from '#auth/authenticator.ts';
import type { Authorizer, Verdict } from '#auth/authorizer.ts';
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
    const told = (user: User | undefined, began: number) => {
      this.#authentication.at(user === undefined ? 'failure' : 'success').observe(this.#secondsSince(began));
      return user;
    };
    const failed = (error: unknown, began: number): never => {
      this.#authentication.at('error').observe(this.#secondsSince(began));
      throw error;
    };
    return this.#timing(authenticator, told, failed);
  }

  timedAccess(authorizer: Authorizer): Authorizer {
    const told = (answer: Verdict, began: number) => {
      this.#decided(results[answer.decision], began);
      return answer;
    };
    const failed = (error: unknown, began: number): never => {
      this.#decided('error', began);
      throw error;
    };
    return this.#timing(authorizer, told, failed);
  }

  #decided(result: string, began: number): void {
    this.#authorization.at(result).observe(this.#secondsSince(began));
    this.#attempts.at(result).value += 1;
  }

  /** What is answered at once is answered at once here too: every request comes by. */
  #timing<A extends readonly unknown[], T>(
    ask: (...question: A) => MaybePromise<T>,
    told: (answer: T, began: number) => T,
    failed: (error: unknown, began: number) => never,
  ): (...question: A) => MaybePromise<T> {
    return (...question) => {
      const began = this.#now();
      let answer: MaybePromise<T>;
      try {
        answer = ask(...question);
      } catch (error) {
        return failed(error, began);
      }
      if (!(answer instanceof Promise)) return told(answer, began);
      return answer.then(
        (value) => told(value, began),
        (error: unknown) => failed(error, began),
      );
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
