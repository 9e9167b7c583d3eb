// Lets a server that stops wait for the requests it has begun, and refuses new ones while it does.
import { ApiError } from '#api/api-error.ts';
import { isLongRunning } from '#api/request-info.ts';
import type { Middleware } from '#server/exchange.ts';

export class RequestCount {
  #running = 0;
  #state: 'serving' | 'leaving' | 'refusing' = 'serving';
  #whenIdle: (() => void) | undefined;

  /** The server will stop: balancers should look elsewhere. */
  get stopping(): boolean {
    return this.#state !== 'serving';
  }

  get refusing(): boolean {
    return this.#state === 'refusing';
  }

  /** Requests are still served, but /readyz says that it is time to go elsewhere. */
  announceStop(): void {
    if (this.#state === 'serving') this.#state = 'leaving';
  }

  begin(): void {
    this.#running += 1;
  }

  end(): void {
    this.#running -= 1;
    if (this.#running === 0) this.#whenIdle?.();
  }

  /** From now on requests are refused; resolves when the last running one has ended. */
  drain(): Promise<void> {
    this.#state = 'refusing';
    if (this.#running === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#whenIdle = resolve;
    });
  }
}

/** Long-running requests are not waited for, they would never end; but none begins any more. */
export function countRequests(count: RequestCount): Middleware {
  return (next) => async (exchange) => {
    if (count.stopping) exchange.setHeader('connection', 'close');
    if (count.refusing) throw new ApiError(503, 'ServiceUnavailable', 'apiserver is shutting down', { details: { retryAfterSeconds: 1 } });
    if (isLongRunning(exchange.info)) return next(exchange);
    count.begin();
    try {
      await next(exchange);
    } finally {
      count.end();
    }
  };
}
