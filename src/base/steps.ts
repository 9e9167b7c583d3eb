// Long work in steps: a generator that stops where others may have their turn. Its caller decides whether they get one.
import type { MaybePromise } from '#base/maybe-promise.ts';
import { Turn } from '#base/next-turn.ts';

export type Steps<T> = Generator<undefined, T, undefined>;

/** All steps at once. */
export function inOneGo<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** In one turn of the event loop as long as the steps are quick; no promise where all of them are. */
export function inTurns<T>(steps: Steps<T>, turn = new Turn()): MaybePromise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    const others = turn.next();
    if (others) return others.then(() => inTurns(steps, turn));
  }
}
