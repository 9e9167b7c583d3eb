// Waiting longer and longer between attempts, up to a limit, never in step with others.

export interface Backoff {
  /** Resolves after the next pause, or at once when `signal` aborts. */
  wait(signal: AbortSignal): Promise<void>;
  reset(): void;
}

export interface BackoffOptions {
  readonly firstMs: number;
  readonly maxMs: number;
  readonly random: () => number;
}

export function exponentialBackoff({ firstMs, maxMs, random }: BackoffOptions): Backoff {
  let next = firstMs;
  return {
    wait(signal) {
      const pause = next * (1 + random());
      next = Math.min(next * 2, maxMs);
      return sleep(pause, signal);
    },
    reset() {
      next = firstMs;
    },
  };
}

export function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener('abort', done, { once: true });
  });
}
