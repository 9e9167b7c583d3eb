import { expect, test } from 'vitest';
import { earlierItem } from '#schema/structural/correlate.ts';
import { valueFromOpenApi } from '#schema/structural/from-openapi.ts';

const item = { type: 'object', properties: { k: { type: 'string' }, v: { type: 'integer' } } };
const schema = valueFromOpenApi({ type: 'array', items: item, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'] });

test('an item is found again by its keys; of several the first counts, and text is no number', () => {
  const value = [{ k: 'a', v: 1 }, { k: 'b', v: 2 }, { k: 'a', v: 3 }, { v: 4 }, 5];
  expect(earlierItem({ value, schema }, { k: 'a', v: 9 })?.value).toBe(value[0]);
  expect(earlierItem({ value, schema }, { k: 'b' })?.value).toBe(value[1]);
  expect([{ k: 'c' }, { v: 4 }, { k: 1 }, 5].map((other) => earlierItem({ value, schema }, other))).toEqual([undefined, undefined, undefined, undefined]);
});

test('finding every item of a list looks at each old item once', () => {
  let reads = 0;
  const old = Array.from({ length: 500 }, (_, i) => Object.defineProperty({ v: i }, 'k', { get: () => (reads++, `k${i}`), enumerable: true }));
  const earlier = { value: old, schema };
  for (let i = 0; i < 500; i++) expect(earlierItem(earlier, { k: `k${i}` })?.value).toBe(old[i]);
  expect(reads).toBeLessThan(2_000);
});
