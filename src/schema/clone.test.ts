import { expect, test } from 'vitest';
import { clone, shallowCopy } from '#schema/clone.ts';

test('a clone is equal and shares nothing', () => {
  const value = { a: [1, { b: null, c: [[]] }], d: 'x', e: 9007199254740993n };
  const copy = clone(value);
  expect(copy).toEqual(value);
  expect(copy).not.toBe(value);
  expect(copy.a).not.toBe(value.a);
  expect(copy.a[1]).not.toBe(value.a[1]);
});

test('scalars and nothing are their own clones', () => {
  expect([clone(1), clone('a'), clone(null), clone(undefined), clone(2n)]).toEqual([1, 'a', null, undefined, 2n]);
});

test('keys of Object.prototype stay keys', () => {
  const copy = clone(JSON.parse('{"__proto__":{"x":1},"constructor":2}'));
  expect(JSON.stringify(copy)).toBe('{"__proto__":{"x":1},"constructor":2}');
  expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
});

test('a shallow copy shares what is below, and keys of Object.prototype stay keys', () => {
  const value = JSON.parse('{"a":{"b":1},"__proto__":{"x":1}}');
  const copy = shallowCopy(value);
  expect(JSON.stringify(copy)).toBe(JSON.stringify(value));
  expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
  expect([copy === value, copy.a === value.a]).toEqual([false, true]);
});
