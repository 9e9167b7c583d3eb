/** What is there at once needs no turn of its own: most of what policy code reads is in memory. */
export function andThen<A, B>(value: A | Promise<A>, then: (value: A) => B | Promise<B>): B | Promise<B> {
  return value instanceof Promise ? value.then((ready) => then(ready)) : then(value);
}
