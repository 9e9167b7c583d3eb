// Lets a server that stops wait for the requests it has begun, and refuses new ones while it does.
import { ApiError } from '#api/api-error.ts';
import { isLongRunning } from '#api/request-info.ts';
import { systemTimers, type Timers } from '#base/timers.ts';
import { ChurningSet } from '#base/memory/churning.ts';
import type { Exchange, Middleware } from '#server/front/exchange.ts';

/** `unavailable` is a 503 for a client that should try at once elsewhere, `later` a 429 that asks for a pause. */
export type Refusal = 'unavailable' | 'later';

export class RequestCount {
  #state: 'serving' | 'leaving' | Refusal = 'serving';
  #whenIdle: (() => void) | undefined;
  readonly #running = new ChurningSet<Exchange>();
  /** Requests without an end of their own: watches, logs, shells, proxies. */
  readonly #streams = new Set<Exchange>();

  /** The server will stop: balancers should look elsewhere. */
  get stopping(): boolean {
    return this.#state !== 'serving';
  }

  get refusal(): Refusal | undefined {
    return this.#state === 'serving' || this.#state === 'leaving' ? undefined : this.#state;
  }

  /** Requests are still served, but /readyz says that it is time to go elsewhere. */
  announceStop(): void {
    if (this.#state === 'serving') this.#state = 'leaving';
  }

  begin(exchange: Exchange): void {
    this.#running.add(exchange);
  }

  end(exchange: Exchange): void {
    this.#running.delete(exchange);
    if (this.#running.size === 0) this.#whenIdle?.();
  }

  beginStream(exchange: Exchange): void {
    this.#streams.add(exchange);
  }

  endStream(exchange: Exchange): void {
    this.#streams.delete(exchange);
  }

  /** Requests that are not done with: their handler runs, or their answer waits for its client. */
  get running(): number {
    return this.#running.size;
  }

  get streams(): number {
    return this.#streams.size;
  }

  /**
   * From now on requests are refused, and connections end with their answers; resolves when the last running one has ended.
   * One that takes longer than `mostMs`, because its client does not send or does not read, is cut short.
   */
  drain(refusal: Refusal = 'unavailable', mostMs = Number.POSITIVE_INFINITY, timers: Timers = systemTimers): Promise<void> {
    this.#state = refusal;
    for (const exchange of this.#running) exchange.setHeader('connection', 'close');
    if (this.#running.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const cancel = Number.isFinite(mostMs) ? timers.after(mostMs, () => this.#cutShort(resolve)) : undefined;
      this.#whenIdle = () => {
        cancel?.();
        resolve();
      };
    });
  }

  #cutShort(cut: () => void): void {
    for (const exchange of this.#running) exchange.cutShort(503, 'text/plain; charset=utf-8', 'The apiserver is shutting down.\n');
    cut();
  }

  /**
   * Ends the streams one after the other, so that their clients do not all knock at another server's door at once:
   * within `graceMs`, and not slower than 200 a second. Resolves when none is left or the time is over.
   */
  async endStreams(graceMs: number, timers: Timers): Promise<void> {
    const perTick = (Math.max(slowest, (this.#streams.size * 1000) / graceMs) * tickMs) / 1000;
    for (let passed = 0; this.#streams.size > 0 && passed < graceMs; passed += tickMs) {
      for (const exchange of [...this.#streams].slice(0, Math.ceil(perTick))) exchange.endEarly();
      await new Promise<void>((resolve) => void timers.after(tickMs, resolve));
    }
  }

  /** All that are left, at once. */
  endAllStreams(): void {
    for (const exchange of this.#streams) exchange.endEarly();
  }
}

const slowest = 200;
const tickMs = 50;

/** Long-running requests are not waited for, they would never end; but none begins any more. */
export function countRequests(count: RequestCount): Middleware {
  return (next) => async (exchange) => {
    if (count.refusal !== undefined) return isExempt(exchange) ? next(exchange) : refuse(exchange, count.refusal);
    if (isLongRunning(exchange.info)) return countStream(count, exchange, next(exchange));
    count.begin(exchange);
    try {
      await next(exchange);
    } finally {
      if (exchange.taken) count.end(exchange);
      else exchange.onTaken(() => count.end(exchange));
    }
  };
}

async function countStream(count: RequestCount, exchange: Exchange, running: Promise<void>): Promise<void> {
  count.beginStream(exchange);
  try {
    await running;
  } finally {
    count.endStream(exchange);
  }
}

const alwaysAnswered = ['/readyz', '/livez', '/healthz', '/metrics'];

/** Operators read these while the server stops. */
function isExempt({ path }: Exchange): boolean {
  return alwaysAnswered.some((prefix) => path.startsWith(prefix));
}

function refuse(exchange: Exchange, refusal: Refusal): void {
  exchange.setHeader('connection', 'close');
  exchange.setHeader('x-content-type-options', 'nosniff');
  exchange.setHeader('retry-after', refusal === 'later' ? '5' : '1');
  if (refusal === 'unavailable') throw new ApiError(503, 'ServiceUnavailable', 'apiserver is shutting down');
  exchange.send(429, 'text/plain; charset=utf-8', 'The apiserver is shutting down, please try again later.\n');
}
