// Steps of one piece of work, in one turn of the event loop as long as they are quick.
import type { MaybePromise } from '#base/maybe-promise.ts';
import { nextTurn } from '#base/next-turn.ts';

/** After so long other requests get their turn before the next step. */
const longestTurnMs = 8;

export function inShortTurns(steps: readonly (() => MaybePromise<void>)[], first = 0): MaybePromise<void> {
  const began = performance.now();
  for (let index = first; index < steps.length; index++) {
    const pending = steps[index]?.();
    if (pending instanceof Promise) return pending.then(() => inShortTurns(steps, index + 1));
    if (index + 1 < steps.length && performance.now() - began > longestTurnMs) return nextTurn().then(() => inShortTurns(steps, index + 1));
  }
}
