// Long work in steps: a generator that stops where others may have their turn. Its caller decides whether they get one.
import { nextTurn } from '#base/next-turn.ts';

export type Steps<T> = Generator<undefined, T, undefined>;

/** All steps at once. */
export function inOneGo<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** A turn of the event loop for each step. */
export async function inTurns<T>(steps: Steps<T>): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await nextTurn();
  }
}
