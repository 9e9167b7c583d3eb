import type { MaybePromise } from '#base/maybe-promise.ts';

/** Lets the event loop do what is waiting: for loops that would otherwise run for long. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** After so long other requests get their turn before the next step. */
const shortMs = 5;

/** Looking at the clock costs more than a small step of work. */
const smallStepsBetweenLooks = 16;

/** The turn of the event loop that a piece of work is in: as long as it is short, the steps of the work follow each other at once. */
export class Turn {
  readonly #longestMs: number;
  #began = performance.now();
  #smallSteps = 0;

  constructor(longestMs = shortMs) {
    this.#longestMs = longestMs;
  }

  /** Undefined where the next step belongs to this turn. */
  next(): Promise<void> | undefined {
    return performance.now() - this.#began < this.#longestMs ? undefined : this.#renewed();
  }

  /** The same for one of very many steps. */
  nextSmall(): Promise<void> | undefined {
    return ++this.#smallSteps % smallStepsBetweenLooks === 0 ? this.next() : undefined;
  }

  /** `step` in this turn, or in the next one where this one has been long. */
  run<T>(step: () => MaybePromise<T>): MaybePromise<T> {
    const others = this.next();
    return others ? others.then(step) : step();
  }

  async #renewed(): Promise<void> {
    await nextTurn();
    this.#began = performance.now();
  }
}
