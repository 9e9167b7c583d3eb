// Time that passes as it does, and by leaps when a test says so: the clock and the timers of a server stay in step.
import type { Clock } from '#base/clock.ts';
import type { Timers } from '#base/timers.ts';

export class PassingTime implements Clock, Timers {
  #aheadMs = 0;
  readonly #waiting = new Map<object, { readonly due: number; readonly run: () => void }>();

  now(): Date {
    return new Date(Date.now() + this.#aheadMs);
  }

  after(milliseconds: number, task: () => void): () => void {
    const key = {};
    const timer = setTimeout(() => this.#waiting.get(key)?.run(), milliseconds);
    timer.unref();
    const cancel = () => {
      clearTimeout(timer);
      this.#waiting.delete(key);
    };
    const run = () => {
      cancel();
      task();
    };
    this.#waiting.set(key, { due: this.now().getTime() + milliseconds, run });
    return cancel;
  }

  advance(milliseconds: number): void {
    this.#aheadMs += milliseconds;
    const now = this.now().getTime();
    for (const { due, run } of [...this.#waiting.values()].sort((a, b) => a.due - b.due)) if (due <= now) run();
  }
}
