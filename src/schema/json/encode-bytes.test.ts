import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Pod } from '#kinds/core/v1/pod/pod.ts';
import {
  boolean,
  bytes,
  embedded,
  fieldsV1,
  int64,
  json,
  list,
  map,
  optional,
  pointer,
  rawExtension,
  required,
  rootStruct,
  string,
  struct,
  type StructSchema,
  time,
} from '#schema/build.ts';
import { decodeJson } from '#schema/json/decode.ts';
import { apart, shortLived } from '#base/memory/short-lived.ts';
import { encodeJsonBytes } from '#schema/json/encode-bytes.ts';
import { encodeJson } from '#schema/json/encode.ts';
import { defineFields } from '#schema/fields-text/fields-text.ts';
import { samplePod } from '../../../test/support/sample-pod.ts';

const Entry = struct('test.v1.Entry', () => ({ manager: optional(1, string), fieldsV1: optional(2, fieldsV1), subresource: optional(3, string) }));
const Inner = struct('test.v1.Inner', () => ({ b: optional(1, string), a: required(2, list(string)), at: optional(3, time) }));
const Thing = rootStruct('test.v1.Thing', () => ({
  spec: embedded(1, Inner),
  flag: pointer(2, boolean),
  labels: optional(3, map(string)),
  big: optional(4, int64),
  raw: optional(5, rawExtension),
  any: pointer(6, json),
  secret: required(7, bytes),
  parts: optional(8, list(Inner)),
  entries: optional(9, list(Entry)),
}));

function expectSame(schema: StructSchema, value: unknown): void {
  expect(encodeJsonBytes(schema, value).toString()).toBe(encodeJson(schema, value));
}

const text = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('<&>', '"\\', '\u2028', '\ud800', '\u007f', 'é', 'x'.repeat(300), 'é'.repeat(121)),
);
const inner = fc.record({ b: text, a: fc.array(text), at: fc.constantFrom('2020-01-01T00:00:00Z', null) }, { requiredKeys: [] });
const thing = fc.record(
  {
    kind: text,
    spec: inner,
    flag: fc.boolean(),
    labels: fc.dictionary(text, fc.oneof(text, fc.constant(null), fc.constant(undefined))),
    big: fc.oneof(fc.integer(), fc.bigInt(), fc.double({ noNaN: true, noDefaultInfinity: true })),
    any: fc.jsonValue(),
    parts: fc.array(fc.oneof(inner, fc.constant(null))),
    stranger: fc.jsonValue(),
  },
  { requiredKeys: [] },
);

describe('the bytes of an object', () => {
  test('are those of its text, whatever it holds', () => {
    fc.assert(fc.property(thing, (value) => expectSame(Thing, value)));
  });

  test('are those of its text where a value is not of the type of its field', () => {
    for (const value of [{ spec: 'x' }, { labels: ['x'] }, { parts: {} }, { flag: {} }, { spec: { a: 'x' } }, 'x', null]) expectSame(Thing, value);
  });

  test('take a field set from its text', () => {
    const entry = { manager: 'm', subresource: 'status' };
    defineFields(entry, '{"f:spec":{"f:é":{}}}');
    const value = { entries: [entry] };
    expect(encodeJsonBytes(Thing, value).toString()).toContain('{"manager":"m","fieldsV1":{"f:spec":{"f:é":{}}},"subresource":"status"}');
    expectSame(Thing, value);
  });

  test('of a pod are those of its text', () => {
    const { object } = decodeJson(Pod, Buffer.from(JSON.stringify(samplePod('web'))));
    expectSame(Pod, object);
  });

  test('are right when they outgrow the room, and do not change when the next object is written', () => {
    const large = { spec: { a: Array.from({ length: 60_000 }, (_, index) => `item ${index}`) }, labels: { a: 'é'.repeat(900_000) } };
    const [written, expected] = [encodeJsonBytes(Thing, large), encodeJson(Thing, large)];
    encodeJsonBytes(Thing, { kind: 'other' });
    expect(written.toString() === expected).toBe(true);
  });

  test('are right after an object that could not be written', () => {
    const bad = {
      kind: 'x',
      get spec(): never {
        throw new Error('no');
      },
    };
    expect(() => encodeJsonBytes(Thing, bad)).toThrow('no');
    expectSame(Thing, { kind: 'y' });
  });
});

test('what is written is no piece of a slab unless the caller says where to put it', () => {
  for (const length of [1, 5_000]) {
    const bytes = encodeJsonBytes(Thing, { kind: 'k'.repeat(length) });
    expect(apart(bytes) === bytes).toBe(true);
    expect(apart(encodeJsonBytes(Thing, { kind: 'k'.repeat(length) }, shortLived)).equals(bytes)).toBe(true);
  }
});
