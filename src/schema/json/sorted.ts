/** A copy with the keys of all objects in order, as Go prints maps. */
export function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, member]) => [key, sorted(member)]));
}

/** Short and often sorted: insertion beats the built-in sort, which allocates. */
export function sortedKeys(object: Record<string, unknown>): readonly string[] {
  const keys = Object.keys(object);
  if (keys.length > 20) return keys.sort();
  for (let index = 1; index < keys.length; index++) {
    const key = keys[index] as string;
    let at = index - 1;
    for (; at >= 0 && (keys[at] as string) > key; at--) keys[at + 1] = keys[at] as string;
    keys[at + 1] = key;
  }
  return keys;
}
