// Documents of other servers are walked by functions that call themselves: what nests deeper than any real one is refused before.

const deepest = 200;

export function nestsTooDeep(document: unknown): boolean {
  let level: unknown[] = [document];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > deepest) return true;
    const next: unknown[] = [];
    for (const value of level) if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) next.push(inner);
    level = next;
  }
  return false;
}
