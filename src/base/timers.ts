/** The only way to wait for time to pass, so that tests can let it pass at will. */
export interface Timers {
  /** Runs `task` once, after `milliseconds`. The function returned cancels it. */
  after(milliseconds: number, task: () => void): () => void;
}

/** Never keeps the process alive by itself. */
export const systemTimers: Timers = {
  after: (milliseconds, task) => {
    const timer = setTimeout(task, milliseconds);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** Waits; not longer than until `signal` aborts. */
export function pause(timers: Timers, milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      cancel();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const cancel = timers.after(milliseconds, end);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
  });
}
