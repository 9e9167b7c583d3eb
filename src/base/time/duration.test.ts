import { expect, test } from 'vitest';
import { canonicalDuration, DurationError, formatDuration, parseDuration } from '#base/time/duration.ts';

test.each([
  ['90s', '1m30s'],
  ['1h', '1h0m0s'],
  ['1.5h', '1h30m0s'],
  ['1500ms', '1.5s'],
  ['0', '0s'],
  ['-1m', '-1m0s'],
  ['1us', '1µs'],
  ['100ns', '100ns'],
  ['1h1ns', '1h0m0.000000001s'],
])('%s is written as %s', (given, expected) => {
  expect(canonicalDuration(given)).toBe(expected);
  expect(canonicalDuration(expected)).toBe(expected);
});

test.each([
  ['', 'time: invalid duration ""'],
  ['x', 'time: invalid duration "x"'],
  ['5', 'time: missing unit in duration "5"'],
  ['5d', 'time: unknown unit "d" in duration "5d"'],
  ['9223372036854775808ns', 'time: invalid duration "9223372036854775808ns"'],
])('%j is refused', (given, message) => {
  expect(() => parseDuration(given)).toThrow(new DurationError(message));
});

test('the longest negative duration is its own', () => {
  expect(formatDuration(parseDuration('-9223372036854775808ns'))).toBe('-2562047h47m16.854775808s');
});
