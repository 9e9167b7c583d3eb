import type { MaybePromise } from '#base/maybe-promise.ts';

/** Runs `step` for one after the other; waits only where a step has to be waited for. */
export function eachInOrder<T>(items: readonly T[], step: (item: T, index: number) => MaybePromise<void>, first = 0): MaybePromise<void> {
  for (let index = first; index < items.length; index++) {
    const pending = step(items[index] as T, index);
    if (pending instanceof Promise) return pending.then(() => eachInOrder(items, step, index + 1));
  }
}
