// Lets a server that stops wait for the requests it has begun, and refuses new ones while it does.
import { ApiError } from '#api/api-error.ts';
import { isLongRunning } from '#api/request-info.ts';
import type { Middleware } from '#server/exchange.ts';

export class RequestCount {
  #running = 0;
  #stopping = false;
  #whenIdle: (() => void) | undefined;

  get stopping(): boolean {
    return this.#stopping;
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
    this.#stopping = true;
    if (this.#running === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#whenIdle = resolve;
    });
  }
}

/** Long-running requests are not waited for: they would never end. */
export function countRequests(count: RequestCount): Middleware {
  return (next) => async (exchange) => {
    if (isLongRunning(exchange.info)) return next(exchange);
    if (count.stopping) throw new ApiError(503, 'ServiceUnavailable', 'apiserver is shutting down', { details: { retryAfterSeconds: 1 } });
    count.begin();
    try {
      await next(exchange);
    } finally {
      count.end();
    }
  };
}
