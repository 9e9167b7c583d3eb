/** For each value whether an equal one stands before it; looking back from every value would take quadratic time. */
export function repeatedAt(values: readonly unknown[]): readonly boolean[] {
  const seen = new Set<unknown>();
  return values.map((value) => seen.size === seen.add(value).size);
}
