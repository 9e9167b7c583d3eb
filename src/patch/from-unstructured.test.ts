import { describe, expect, test } from 'vitest';
import { fromUnstructured } from '#patch/from-unstructured.ts';
import { boolean, bytes, double, int32, int64, intOrString, json, list, map, optional, pointer, quantity, string, struct, time } from '#schema/build.ts';
import { DecodeError } from '#schema/json/decode.ts';

const Inner = struct('io.example.v1.Inner', () => ({ name: optional(1, string, { goType: 'v1.Name' }) }));
const Thing = struct('io.example.v1.Thing', () => ({
  text: optional(1, string),
  small: optional(2, int32),
  large: pointer(3, int64),
  on: optional(4, boolean),
  ratio: optional(5, double),
  data: optional(6, bytes),
  amount: optional(7, quantity),
  either: optional(8, intOrString),
  at: optional(9, time),
  inner: pointer(10, Inner),
  inners: optional(11, list(Inner)),
  byName: optional(12, map(string)),
  free: optional(13, json),
}));

describe('fromUnstructured', () => {
  test.each<[object, string]>([
    [{ text: 5 }, 'cannot convert int64 to string'],
    [{ text: true }, 'unrecognized type: string'],
    [{ inner: { name: 5 } }, 'cannot convert int64 to v1.Name'],
    [{ small: 1.5 }, 'cannot convert float64 to int32'],
    [{ large: 1.5 }, 'cannot convert float64 to int64'],
    [{ small: 'x' }, 'unrecognized type: int32'],
    [{ on: 1 }, 'unrecognized type: bool'],
    [{ ratio: 'x' }, 'unrecognized type: float64'],
    [{ data: '***' }, 'error decoding from json: illegal base64 data at input byte 0'],
    [{ data: {} }, 'cannot restore slice from map'],
    [{ data: ['x'] }, 'unrecognized type: uint8'],
    [{ data: [1, true] }, 'unrecognized type: uint8'],
    [{ data: [1.5] }, 'cannot convert float64 to uint8'],
    [{ amount: true }, "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"],
    [{ either: true }, 'json: cannot unmarshal bool into Go value of type int32'],
    [{ either: 1.5 }, 'json: cannot unmarshal number 1.5 into Go value of type int32'],
    [{ either: {} }, 'json: cannot unmarshal object into Go value of type int32'],
    [{ at: 5 }, 'json: cannot unmarshal number into Go value of type string'],
    [{ inner: 'x' }, 'cannot restore struct from: string'],
    [{ inner: [] }, 'cannot restore struct from: slice'],
    [{ inners: 'x' }, 'cannot restore slice from string'],
    [{ inners: [1.5] }, 'cannot restore struct from: float64'],
    [{ byName: true }, 'cannot restore map from bool'],
    [{ byName: { a: 1 } }, 'cannot convert int64 to string'],
  ])('refuses %j', (value, message) => {
    expect(() => fromUnstructured(Thing, value)).toThrow(new DecodeError(message));
  });

  test.each<[object, object]>([
    [{ small: 9007199254740993n }, { small: 1 }],
    [{ small: 2147483648 }, { small: -2147483648 }],
    [{ small: 9223372036854775808n }, { small: 0 }],
    [{ large: 9223372036854775808n }, { large: -9223372036854775808n }],
    [{ large: 9007199254740993n }, { large: 9007199254740993n }],
  ])('wraps %o as the processor does', (value, result) => {
    expect(fromUnstructured(Thing, value)).toEqual(result);
  });

  test('takes a list of numbers for bytes, as Go does', () => {
    expect(fromUnstructured(Thing, { data: [104, 105, 256 + 33, null, -1, 18446744073709551615n] })).toEqual({ data: 'aGkhAP8A' });
    expect(fromUnstructured(Thing, { data: [] })).toEqual({ data: '' });
  });

  test('puts the keys of free JSON in order, as what Go writes from a map', () => {
    const free = { b: [{ d: 1, c: 2 }], a: 3 };
    expect(JSON.stringify(fromUnstructured(Thing, { text: 'a', free }))).toBe('{"text":"a","free":{"a":3,"b":[{"c":2,"d":1}]}}');
  });

  test('hands back the very value when all of it fits', () => {
    const value = {
      text: 'a',
      small: 1,
      inner: { name: 'n', unknown: 1 },
      inners: [{}, null],
      free: { a: [1.5] },
      amount: '1',
      at: '2026-01-01T00:00:00Z',
      data: 'eA==',
      either: 5,
    };
    expect(fromUnstructured(Thing, value)).toBe(value);
  });
});
