// Lists of completion indexes: `1,3-5,7`.
import { goQuote } from '#base/go-text.ts';

type Interval = readonly [first: number, last: number];

/** How many indexes the list names, or what is wrong with it. */
export function countIndexes(text: string, completions: number): number | string {
  let last: number | undefined;
  let total = 0;
  for (const part of text === '' ? [] : text.split(',')) {
    const interval = parseInterval(part, completions);
    if (typeof interval === 'string') return interval;
    if (last !== undefined && last >= interval[0]) return `non-increasing order, previous: ${last}, current: ${interval[0]}`;
    total += interval[1] - interval[0] + 1;
    last = interval[1];
  }
  return total;
}

function parseInterval(text: string, completions: number): Interval | string {
  const ends = text.split('-');
  if (ends.length > 2) return `the fragment ${goQuote(text)} violates the requirement that an index interval can have at most two parts separated by '-'`;
  const numbers: number[] = [];
  for (const end of ends) {
    if (!/^[+-]?[0-9]+$/.test(end)) return `cannot convert string to integer for index: ${goQuote(end)}`;
    const number = Number(end);
    if (number >= completions) return `too large index: ${goQuote(end)}`;
    numbers.push(number);
  }
  const [first = 0, last = first] = numbers;
  return ends.length === 2 && first >= last ? `non-increasing order, previous: ${first}, current: ${last}` : [first, last];
}

/** The first index that is in both lists; parts that cannot be read are passed over. */
export function overlappingIndex(a: string, b: string, completions: number): number | undefined {
  const [left, right] = [intervalsOf(a, completions), intervalsOf(b, completions)];
  let i = 0;
  let j = 0;
  for (;;) {
    const [x, y] = [left[i], right[j]];
    if (x === undefined || y === undefined) return undefined;
    if (x[0] <= y[1] && y[0] <= x[1]) return Math.max(x[0], y[0]);
    if (x[0] <= y[0]) i++;
    else j++;
  }
}

function intervalsOf(text: string, completions: number): readonly Interval[] {
  return (text === '' ? [] : text.split(',')).map((part) => parseInterval(part, completions)).filter((interval) => typeof interval !== 'string');
}
