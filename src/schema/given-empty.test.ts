import { expect, test } from 'vitest';
import { list, map, optional, rootStruct, string } from '#schema/build.ts';
import { clone } from '#schema/clone.ts';
import { decodeValue } from '#schema/json/decode.ts';
import { wasGivenEmpty } from '#schema/given-empty.ts';

const Thing = rootStruct('test.Thing', () => ({ names: optional(1, list(string)), labels: optional(2, map(string)), text: optional(3, string) }));

test('lists and maps that were sent empty are told from those that were not sent, also in copies', () => {
  const { object } = decodeValue(Thing, { names: [], labels: {}, text: '' });
  expect(object).toEqual({});
  for (const thing of [object, clone(object)]) {
    expect(['names', 'labels', 'text'].filter((field) => wasGivenEmpty(thing, field))).toEqual(['names', 'labels']);
  }
  expect(wasGivenEmpty(decodeValue(Thing, {}).object, 'names')).toBe(false);
});
