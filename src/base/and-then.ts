import type { MaybePromise } from '#base/maybe-promise.ts';

/** What is there at once needs no turn of its own: most of what policy code reads is in memory. */
export function andThen<A, B>(value: MaybePromise<A>, then: (value: A) => MaybePromise<B>): MaybePromise<B> {
  return value instanceof Promise ? value.then((ready) => then(ready)) : then(value);
}
