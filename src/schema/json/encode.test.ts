import { describe, expect, test } from 'vitest';
import { arrange } from '#schema/json/arrange.ts';
import {
  boolean,
  bytes,
  embedded,
  int64,
  json,
  list,
  map,
  optional,
  pointer,
  quantity,
  rawExtension,
  required,
  rootStruct,
  string,
  struct,
  type StructSchema,
  time,
} from '#schema/build.ts';
import { encodeJson } from '#schema/json/encode.ts';

const Inner = struct('test.v1.Inner', () => ({ b: optional(1, string), a: required(2, list(string)), at: optional(3, time) }));
const Thing: StructSchema = rootStruct('test.v1.Thing', () => ({
  spec: embedded(2, Inner),
  metadata: embedded(
    1,
    struct('test.v1.Meta', () => ({ name: optional(1, string), made: optional(2, time, { written: 'nonzero' }) })),
  ),
  flag: pointer(3, boolean),
  labels: optional(4, map(string)),
  big: optional(5, int64),
  raw: optional(6, rawExtension),
  any: pointer(7, json),
  secret: required(8, bytes),
  size: required(9, quantity),
  always: pointer(10, string, { written: 'always' }),
}));

const encode = (value: unknown) => encodeJson(Thing, value);

describe('the text of an object', () => {
  test('has kind, apiVersion and metadata first, then the order of the table; map keys are sorted', () => {
    const value = {
      labels: { b: '2', a: '1' },
      flag: false,
      size: '1',
      spec: { at: '2020-01-01T00:00:00Z', a: ['x'], b: 'y' },
      metadata: { name: 'n' },
      apiVersion: 'v1',
      kind: 'Thing',
    };
    expect(encode(value)).toBe(
      '{"kind":"Thing","apiVersion":"v1","metadata":{"name":"n"},"spec":{"b":"y","a":["x"],"at":"2020-01-01T00:00:00Z"},"flag":false,"labels":{"a":"1","b":"2"},"raw":null,"secret":null,"size":"1","always":null}',
    );
  });

  test('says null for required lists, bytes, raw values and unset times, but not for those written only when set', () => {
    expect(encode({ metadata: {}, spec: {}, size: '0' })).toBe('{"metadata":{},"spec":{"a":null,"at":null},"raw":null,"secret":null,"size":"0","always":null}');
  });

  test('leaves out what is undefined', () => {
    expect(encodeJson(Inner, { b: undefined, a: [], at: undefined })).toBe('{"a":[],"at":null}');
  });

  test('escapes what Go escapes', () => {
    expect(encodeJson(string, '<a href="x">&\u2028\u2029\b\f\n\u0001é😀\x7f')).toBe(
      '"\\u003ca href=\\"x\\"\\u003e\\u0026\\u2028\\u2029\\b\\f\\n\\u0001é😀\x7f"',
    );
    expect(encodeJson(string, `${'x'.repeat(300)}<`)).toBe(`"${'x'.repeat(300)}\\u003c"`);
    expect(encodeJson(map(string), { '<': '>' })).toBe('{"\\u003c":"\\u003e"}');
    expect(encodeJson(json, { a: ['<'] })).toBe('{"a":["\\u003c"]}');
  });

  test('has integers of 64 bits, also inside raw values', () => {
    expect(encodeJson(int64, 9223372036854775807n)).toBe('9223372036854775807');
    expect(encodeJson(rawExtension, { z: 9007199254740993n, a: [null, '&'] })).toBe('{"z":9007199254740993,"a":[null,"\\u0026"]}');
  });

  test('does not change the object', () => {
    const value = Object.freeze({ size: '1', metadata: Object.freeze({}), labels: Object.freeze({ b: '1', a: '2' }) });
    expect(() => encode(value)).not.toThrow();
  });

  test('keeps the key __proto__', () => {
    expect(encodeJson(map(string), JSON.parse('{"__proto__":"x","a":"y"}'))).toBe('{"__proto__":"x","a":"y"}');
  });
});

describe('custom resources', () => {
  const Custom: StructSchema = {
    is: 'struct',
    name: '',
    options: {},
    fields: { metadata: { tag: 0, schema: Inner, presence: 'pointer', rules: {} } },
  };

  test('have all their keys sorted', () => {
    const value = { spec: { z: 0, a: [{ c: null, b: '<' }] }, kind: 'K', metadata: { b: 'x' }, gone: undefined };
    expect(encodeJson(Custom, value)).toBe('{"kind":"K","metadata":{"b":"x","a":null,"at":null},"spec":{"a":[{"b":"\\u003c","c":null}],"z":0}}');
  });
});

test('arranging gives the value that encoding writes', () => {
  const value = { size: '1', labels: { b: '2', a: '1' }, metadata: {}, spec: { a: ['x'] } };
  expect(JSON.stringify(arrange(Thing, value))).toBe(encode(value));
});
