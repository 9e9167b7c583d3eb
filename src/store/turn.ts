// Giving way to other work in long loops: nothing holds the event loop for more than a few milliseconds.

const TURN_MS = 4;
/** Looking at the clock costs more than a small step of work. */
const STEPS_BETWEEN_LOOKS = 16;

export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Ask after every step whether the turn is over; if so, await `nextTurn()`. */
export class Turn {
  #started = performance.now();
  #steps = 0;

  isOver(): boolean {
    if (++this.#steps % STEPS_BETWEEN_LOOKS !== 0) return false;
    return performance.now() - this.#started > TURN_MS;
  }

  async next(): Promise<void> {
    await nextTurn();
    this.#started = performance.now();
  }
}
