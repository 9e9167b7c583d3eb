/** A constant that is made when it is first needed: for what never changes and is dear to make. Those of a module know nothing of a server or its clients. */
export function lazily<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
