import { expect, test } from 'vitest';
import { embedded, int32, list, map, optional, pointer, quantity, required, string, struct, time } from '#schema/build.ts';
import { canonical } from '#schema/json/canonical.ts';

const Inner = struct('test.v1.Inner', () => ({ name: required(1, string), size: optional(2, quantity), tags: optional(3, list(string)) }));
const Thing = struct('test.v1.Thing', () => ({
  inner: embedded(1, Inner),
  items: required(2, list(Inner)),
  limit: pointer(3, int32),
  sizes: optional(4, map(quantity)),
  at: optional(5, time),
}));

test('fills what is always there and drops what is empty', () => {
  expect(canonical(Thing, { items: [], limit: 0, sizes: {} })).toEqual({ inner: { name: '', size: '0' }, limit: 0 });
});

test('brings scalars into their one spelling, everywhere', () => {
  expect(canonical(Thing, { items: [{ name: 'a', size: '1024Ki' }], sizes: { cpu: '1000m' }, at: '2020-01-01T01:00:00+01:00' })).toEqual({
    inner: { name: '', size: '0' },
    items: [{ name: 'a', size: '1Mi' }],
    sizes: { cpu: '1' },
    at: '2020-01-01T00:00:00Z',
  });
});

test('gives a copy and leaves the value alone', () => {
  const value = { inner: { name: 'a', tags: [] }, items: [{ name: 'b' }] };
  const result = canonical(Thing, value);
  expect(value).toEqual({ inner: { name: 'a', tags: [] }, items: [{ name: 'b' }] });
  expect(result).toEqual({ inner: { name: 'a', size: '0' }, items: [{ name: 'b', size: '0' }] });
});

test('leaves what does not fit as it is', () => {
  expect(canonical(Thing, { inner: 5, sizes: { cpu: 'nonsense' }, unknown: 1 })).toEqual({ inner: 5, sizes: { cpu: 'nonsense' }, unknown: 1 });
  expect(canonical(Thing, undefined)).toBeUndefined();
});

test('works on parts as well as on whole objects', () => {
  expect(canonical(list(Inner), [{}])).toEqual([{ name: '', size: '0' }]);
  expect(canonical(quantity, '0.5')).toBe('500m');
});
