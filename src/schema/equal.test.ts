import { expect, test } from 'vitest';
import { equal } from '#schema/equal.ts';

test('compares deeply, whatever the order of keys', () => {
  expect(equal({ a: [1, { b: 'x' }], c: 1n }, { c: 1n, a: [1, { b: 'x' }] })).toBe(true);
  expect(equal({ a: [1, { b: 'x' }] }, { a: [1, { b: 'y' }] })).toBe(false);
  expect(equal([1, 2], [2, 1])).toBe(false);
  expect(equal([1], { 0: 1 })).toBe(false);
  expect(equal('1', 1)).toBe(false);
});

test('absent, undefined, null and empty are the same', () => {
  expect(equal({ a: [], b: {}, c: undefined, d: null }, {})).toBe(true);
  expect(equal({}, { a: { b: [] } })).toBe(false);
  expect(equal(undefined, [])).toBe(true);
});

test('zero, false and the empty text are values', () => {
  expect(equal({ a: 0 }, {})).toBe(false);
  expect(equal({}, { a: '' })).toBe(false);
  expect(equal({ a: false }, { a: undefined })).toBe(false);
});

test('inherited keys do not count', () => {
  expect(equal({ constructor: 'x' }, {})).toBe(false);
  expect(equal({}, { toString: 1 })).toBe(false);
});
