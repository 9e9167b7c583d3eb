// Completion indexes as a Job's status and its success policy write them: `1,3-5,7`, kept as ranges in increasing order.

export interface IndexRange {
  readonly first: number;
  readonly last: number;
}

export type IndexRanges = readonly IndexRange[];

/** Of indexes below `completions`. Parts that are none are passed over. */
export function rangesOf(text: string, completions: number): IndexRanges {
  const ranges: IndexRange[] = [];
  for (const part of text === '' ? [] : text.split(',')) {
    const [first = Number.NaN, last = first] = part.split('-').map(indexOf);
    if (Number.isNaN(first) || Number.isNaN(last)) continue;
    if (first >= completions) break;
    append(ranges, { first, last: Math.min(last, completions - 1) });
  }
  return ranges;
}

function indexOf(text: string): number {
  return /^\+?[0-9]{1,15}$/.test(text) ? Number(text) : Number.NaN;
}

/** Two that follow each other are one. */
function append(ranges: IndexRange[], next: IndexRange): void {
  const before = ranges.at(-1);
  if (before === undefined || next.first > before.last + 1) ranges.push(next);
  else ranges[ranges.length - 1] = { first: before.first, last: Math.max(before.last, next.last) };
}

/** Two indexes that follow each other are named one by one, more by their ends. */
export function rangesText(ranges: IndexRanges): string {
  return ranges.map(({ first, last }) => (first === last ? `${first}` : `${first}${last === first + 1 ? ',' : '-'}${last}`)).join(',');
}

export function mergeRanges(a: IndexRanges, b: IndexRanges): IndexRanges {
  const merged: IndexRange[] = [];
  for (const range of [...a, ...b].sort((one, other) => one.first - other.first)) append(merged, range);
  return merged;
}

export function withIndexes(ranges: IndexRanges, indexes: Iterable<number>): IndexRanges {
  return mergeRanges(
    ranges,
    [...indexes].map((index) => ({ first: index, last: index })),
  );
}

export function countIndexes(ranges: IndexRanges): number {
  return ranges.reduce((sum, { first, last }) => sum + last - first + 1, 0);
}

export function hasIndex(ranges: IndexRanges, index: number): boolean {
  return ranges.some(({ first, last }) => first <= index && index <= last);
}

export function countCommon(a: IndexRanges, b: IndexRanges): number {
  let common = 0;
  for (let i = 0, j = 0; ; ) {
    const [x, y] = [a[i], b[j]];
    if (x === undefined || y === undefined) return common;
    common += Math.max(0, Math.min(x.last, y.last) - Math.max(x.first, y.first) + 1);
    if (x.last <= y.last) i++;
    if (y.last <= x.last) j++;
  }
}

/** The first `count` indexes below `completions` that are in none of the ranges. */
export function firstFree(taken: IndexRanges, count: number, completions: number): readonly number[] {
  const free: number[] = [];
  let index = 0;
  for (const { first, last } of [...taken, { first: completions, last: completions }]) {
    for (; index < Math.min(first, completions) && free.length < count; index++) free.push(index);
    index = Math.max(index, last + 1);
  }
  return free;
}
