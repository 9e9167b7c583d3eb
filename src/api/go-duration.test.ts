import { expect, test } from 'vitest';
import { parseGoDuration } from '#api/go-duration.ts';

test.each([
  ['0', 0],
  ['5s', 5000],
  ['1m30s', 90_000],
  ['1.5h', 5_400_000],
  ['300ms', 300],
  ['-2s', -2000],
  ['.5s', 500],
  ['1us', 0.001],
  ['1µs1μs', 0.002],
  ['1.s', 1000],
  ['+0', 0],
  ['1h1ms', 3_600_001],
])('%s is a duration', (text, milliseconds) => {
  expect(parseGoDuration(text)).toBeCloseTo(milliseconds, 9);
});

test.each(['', '5', 'abc', '5 s', 's', '1d', '--1s', '1s2', '.s', '1..s', '-', '+', '9999999999h'])('%j is none', (text) => {
  expect(parseGoDuration(text)).toBeUndefined();
});
