import { expect, test } from 'vitest';
import { canonicalBase64 } from '#schema/base64.ts';

test('line breaks and loose bits are tidied', () => {
  expect(canonicalBase64('')).toBe('');
  expect(canonicalBase64('YWJj')).toBe('YWJj');
  expect(canonicalBase64('YW\nJj\r\n')).toBe('YWJj');
  expect(canonicalBase64('YR==')).toBe('YQ==');
});

test.each([
  ['YQ', 0],
  ['YQ=', 3],
  ['_-8=', 0],
  ['YWJjY', 4],
  ['YQ==x', 4],
  ['=', 0],
  ['YWJj é', 4],
])('%j is refused at byte %i', (given, offset) => {
  expect(() => canonicalBase64(given)).toThrow(`illegal base64 data at input byte ${offset}`);
});
