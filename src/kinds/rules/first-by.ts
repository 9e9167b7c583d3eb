/** The first item of each key: lists hold as many items as clients like, so that nobody may look for each of one in another. */
export function firstBy<T, K>(items: readonly T[] | undefined, keyOf: (item: T) => K): ReadonlyMap<K, T> {
  const first = new Map<K, T>();
  for (const item of items ?? []) {
    const key = keyOf(item);
    if (!first.has(key)) first.set(key, item);
  }
  return first;
}
