// Steps of one piece of work that may have to be waited for, in one turn of the event loop as long as they are quick.
import type { MaybePromise } from '#base/maybe-promise.ts';
import { Turn } from '#base/next-turn.ts';

export function inShortTurns(steps: readonly (() => MaybePromise<void>)[], first = 0): MaybePromise<void> {
  const turn = new Turn();
  for (let index = first; index < steps.length; index++) {
    const pending = steps[index]?.();
    if (pending instanceof Promise) return pending.then(() => inShortTurns(steps, index + 1));
    const others = index + 1 < steps.length ? turn.next() : undefined;
    if (others) return others.then(() => inShortTurns(steps, index + 1));
  }
}
