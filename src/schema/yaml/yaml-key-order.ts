// The order in which Go's YAML writer puts the keys of a map.
import type { Steps } from '#base/steps.ts';

/** So many are sorted or merged in about a millisecond. */
const keysPerStep = 500;

/** Sorted; many of them in runs that are merged. */
export function* keySortingSteps(keys: string[]): Steps<readonly string[]> {
  if (keys.length <= keysPerStep) return keys.sort(compareKeys);
  let runs: string[][] = [];
  for (let from = 0; from < keys.length; from += keysPerStep) {
    runs.push(keys.slice(from, from + keysPerStep).sort(compareKeys));
    yield;
  }
  while (runs.length > 1) {
    const merged: string[][] = [];
    for (let at = 0; at < runs.length; at += 2) merged.push(yield* mergingSteps(runs[at] as string[], runs[at + 1] ?? []));
    runs = merged;
  }
  return runs[0] as string[];
}

function* mergingSteps(left: readonly string[], right: readonly string[]): Steps<string[]> {
  // Clients often write keys in order.
  if (right.length === 0 || compareKeys(left.at(-1) as string, right[0] as string) <= 0) return [...left, ...right];
  const merged: string[] = [];
  let [l, r] = [0, 0];
  while (l < left.length || r < right.length) {
    const takesLeft = r === right.length || (l < left.length && compareKeys(left[l] as string, right[r] as string) <= 0);
    merged.push((takesLeft ? left[l++] : right[r++]) as string);
    if (merged.length % keysPerStep === 0) yield;
  }
  return merged;
}

/** Letters after everything else, and numbers inside keys by their amount. */
function compareKeys(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  let same = 0;
  while (same < shorter && a.charCodeAt(same) === b.charCodeAt(same)) same++;
  if (same === shorter) return a.length - b.length;
  // Both halves of a character are compared together.
  const halves = same > 0 && isHighSurrogate(a.charCodeAt(same - 1)) && (isLowSurrogate(a.charCodeAt(same)) || isLowSurrogate(b.charCodeAt(same)));
  return compareAt(a, b, halves ? same - 1 : same);
}

function compareAt(a: string, b: string, index: number): number {
  const [x, y] = [a.codePointAt(index) as number, b.codePointAt(index) as number];
  const [xIsLetter, yIsLetter] = [isLetter(x), isLetter(y)];
  if (xIsLetter && yIsLetter) return x - y;
  if (xIsLetter || yIsLetter) return yIsLetter ? -1 : 1;
  const lead = (x === zero || y === zero) && followsNonZeroDigit(a, index) ? '1' : '';
  const [m, n] = [digitsFrom(a, index), digitsFrom(b, index)];
  const difference = Number(`${lead}${m}`) - Number(`${lead}${n}`);
  if (difference !== 0) return difference;
  return m.length === n.length ? x - y : m.length - n.length;
}

const zero = 0x30;

function isLetter(code: number): boolean {
  const lowerCase = code | 0x20;
  return code < 0x80 ? lowerCase >= 0x61 && lowerCase <= 0x7a : /\p{L}/u.test(String.fromCodePoint(code));
}

function followsNonZeroDigit(key: string, index: number): boolean {
  return /[^0]/.test(/\p{Nd}*$/u.exec(key.slice(0, index))?.[0] ?? '');
}

function digitsFrom(key: string, index: number): string {
  digits.lastIndex = index;
  return digits.exec(key)?.[0] ?? '';
}

const digits = /\p{Nd}*/uy;

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}
