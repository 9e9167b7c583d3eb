// Byte order of UTF-8 keys, decided on JavaScript strings. Plain `<` compares UTF-16 units, which puts
// characters beyond U+FFFF before those from U+E000 on.
import type { KeyRange } from '#store/store.ts';

export function compareKeys(a: string, b: string): number {
  if (a === b) return 0;
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return utf8Rank(x) - utf8Rank(y);
  }
  return a.length - b.length;
}

export function inRange(range: KeyRange, key: string): boolean {
  return compareKeys(range.start, key) <= 0 && compareKeys(key, range.end) < 0;
}

/** Moves surrogates behind the rest of the basic plane, where their four-byte forms sort. */
function utf8Rank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}
