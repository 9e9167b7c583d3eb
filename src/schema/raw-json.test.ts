import { expect, test } from 'vitest';
import { json, list, map, optional, rawExtension, type StructSchema, string, struct } from '#schema/build.ts';
import { holdsRawJson, isRawJsonReordered } from '#schema/raw-json.ts';

const Inner: StructSchema = struct('Inner', () => ({ text: optional(1, string), raw: optional(2, rawExtension), again: optional(3, list(Inner)) }));
const Outer = struct('Outer', () => ({ labels: optional(1, map(string)), free: optional(2, json), inners: optional(3, map(Inner)) }));
const Plain = struct('Plain', () => ({ labels: optional(1, map(string)), free: optional(2, json) }));

test('a schema tells whether raw JSON stands somewhere in its values', () => {
  expect([holdsRawJson(Outer), holdsRawJson(Inner), holdsRawJson(Plain)]).toEqual([true, true, false]);
});

test.each<[string, boolean, object, object]>([
  ['members of raw JSON in another order', true, { inners: { a: { raw: { x: 1, y: 2 } } } }, { inners: { a: { raw: { y: 2, x: 1 } } } }],
  [
    'members deep in raw JSON in another order',
    true,
    { inners: { a: { raw: { x: [{ y: 2n, z: 3 }] } } } },
    { inners: { a: { raw: { x: [{ z: 3, y: 2n }] } } } },
  ],
  [
    'raw JSON of an item that holds itself',
    true,
    { inners: { a: { again: [{ raw: { x: 1, y: 2 } }] } } },
    { inners: { a: { again: [{ raw: { y: 2, x: 1 } }] } } },
  ],
  ['the same raw JSON', false, { inners: { a: { raw: { x: 1, y: 2 } } } }, { inners: { a: { raw: { x: 1, y: 2 } } } }],
  ['keys of a map in another order', false, { labels: { a: 'b', c: 'd' } }, { labels: { c: 'd', a: 'b' } }],
  ['fields in another order', false, { inners: { a: { text: 'x', raw: { x: 1 } } } }, { inners: { a: { raw: { x: 1 }, text: 'x' } } }],
  ['free JSON in another order, which Go keeps as a map', false, { free: { a: 1, b: 2 } }, { free: { b: 2, a: 1 } }],
])('%s: %j', (_, reordered, before, after) => {
  expect(isRawJsonReordered(Outer, before, after)).toBe(reordered);
});
