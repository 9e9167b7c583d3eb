import { expect, test } from 'vitest';
import { repeatedAt } from '#base/repeated.ts';

test('a value is repeated where an equal one stands before it', () => {
  expect(repeatedAt(['a', 'b', 'a', 'a', 'c'])).toEqual([false, false, true, true, false]);
  expect(repeatedAt([])).toEqual([]);
});
