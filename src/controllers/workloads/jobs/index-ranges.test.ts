import { expect, test } from 'vitest';
import { countCommon, countIndexes, firstFree, hasIndex, mergeRanges, rangesOf, rangesText, withIndexes } from '#controllers/workloads/jobs/index-ranges.ts';

test.each([
  ['', 10, ''],
  ['0', 10, '0'],
  ['0,1', 10, '0,1'],
  ['0,1,2', 10, '0-2'],
  ['1-3,5,7-8', 10, '1-3,5,7,8'],
  ['1-9', 5, '1-4'],
  ['1,6-8', 5, '1'],
  ['x,2,3-y,4', 10, '2,4'],
])('%j of %i is %j', (text, completions, written) => {
  expect(rangesText(rangesOf(text, completions))).toBe(written);
});

test.each([
  ['1-3', '2-5', '1-5', 2],
  ['0,4', '1,5', '0,1,4,5', 0],
  ['0-9', '3', '0-9', 1],
  ['', '2', '2', 0],
])('%j with %j is %j; they have %i in common', (a, b, merged, common) => {
  const [left, right] = [rangesOf(a, 100), rangesOf(b, 100)];
  expect(rangesText(mergeRanges(left, right))).toBe(merged);
  expect(countCommon(left, right)).toBe(common);
});

test('indexes are found, counted and added', () => {
  const ranges = withIndexes(rangesOf('1-3', 10), [7, 4]);
  expect(rangesText(ranges)).toBe('1-4,7');
  expect(countIndexes(ranges)).toBe(5);
  expect([0, 1, 4, 5, 7, 8].filter((index) => hasIndex(ranges, index))).toEqual([1, 4, 7]);
});

test.each([
  ['', 2, 5, [0, 1]],
  ['0-1,3', 3, 6, [2, 4, 5]],
  ['0-4', 3, 5, []],
  ['1', 9, 3, [0, 2]],
])('of what %j leaves free the first %i below %i are %j', (taken, count, completions, free) => {
  expect(firstFree(rangesOf(taken, 100), count, completions)).toEqual(free);
});
