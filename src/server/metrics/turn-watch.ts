// The watchdog of the event loop: which kind of request held up all others? JavaScript cannot be interrupted to find out,
// so requests leave marks where their work begins or goes on, and time that passes between two marks is charged to the first.
// While requests come, a timer leaves marks too; a server at rest has none.
import type { Timers } from '#base/timers.ts';

/** Longer turns are counted. */
export const longTurnMs = 20;
const markEveryMs = 10;

export interface TurnWatchOptions<T> {
  readonly now: () => number;
  readonly timers: Timers;
  /** `subject` is what the last mark before the turn was about. */
  readonly onLongTurn: (subject: T, ms: number) => void;
}

export class TurnWatch<T> {
  readonly #options: TurnWatchOptions<T>;
  #subject: T | undefined;
  #markedAt = 0;
  /** Marks since the timer's last one. */
  #busy = false;
  #cancelTimer: (() => void) | undefined;

  constructor(options: TurnWatchOptions<T>) {
    this.#options = options;
  }

  /** From now on this thread works on `subject`. */
  mark(subject: T): void {
    this.#charge(subject);
    this.#busy = true;
    this.#cancelTimer ??= this.#options.timers.after(markEveryMs, this.#tick);
  }

  stop(): void {
    this.#cancelTimer?.();
    this.#subject = undefined;
  }

  readonly #tick = () => {
    this.#charge(undefined);
    this.#cancelTimer = this.#busy ? this.#options.timers.after(markEveryMs, this.#tick) : undefined;
    this.#busy = false;
  };

  #charge(next: T | undefined): void {
    const now = this.#options.now();
    const passed = now - this.#markedAt;
    if (this.#subject !== undefined && passed > longTurnMs) this.#options.onLongTurn(this.#subject, passed);
    this.#subject = next;
    this.#markedAt = now;
  }
}
