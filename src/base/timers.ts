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
