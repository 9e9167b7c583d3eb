import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Shape } from '#base/shapes/shape.ts';
import { ShapeBook } from '#base/shapes/shape-book.ts';
import { leavesOf } from '#base/shapes/json-leaves.ts';
import { samplePod } from '../../../test/support/sample-pod.ts';

const bytes = (value: unknown) => Buffer.from(JSON.stringify(value));
const newBook = () => new ShapeBook((shape: Shape) => ({ shape }), 0);

/** What comes back after packing; undefined when the object is kept as it is. */
function roundTrip(book: ReturnType<typeof newBook>, json: Buffer): { length: number; text: string } | undefined {
  const fit = book.fit(json);
  if (fit === undefined) return undefined;
  const packed = Buffer.alloc(fit.length + 7);
  fit.shaped.shape.pack(json, book.found, packed, 7);
  const target = Buffer.alloc(json.length);
  expect(fit.shaped.shape.unpack(packed, 7, target, 0, 0)).toBe(json.length);
  return { length: fit.length, text: target.toString() };
}

function variant(i: number): Buffer {
  const pod = samplePod(`web-${i}`) as { metadata: Record<string, unknown>; spec: Record<string, unknown> };
  pod.metadata['uid'] = `uid "${i}" \\ ${'é'.repeat(i % 5)}`;
  pod.metadata['generation'] = i % 3 === 0 ? i : null;
  pod.spec['nodeName'] = `node-${i % 7}`;
  return bytes(pod);
}

test('objects that differ in some values come back byte for byte from a fraction of their size', () => {
  const book = newBook();
  const results = Array.from({ length: 50 }, (_, i) => ({ json: variant(i), packed: roundTrip(book, variant(i)) }));
  for (const { json, packed } of results.slice(2)) {
    expect(packed?.text).toBe(json.toString());
    expect(packed?.length).toBeLessThan(json.length / 20);
  }
});

test('pods whose managedFields name their addresses have a shape in common, too', () => {
  const book = newBook();
  const podWithAddress = (i: number) => {
    const pod = samplePod(`web-${i}`) as { metadata: Record<string, unknown> };
    const fieldsV1 = { 'f:status': { 'f:podIPs': { '.': {}, [`k:{"ip":"10.0.0.${i}"}`]: { '.': {}, 'f:ip': {} } } } };
    pod.metadata['managedFields'] = [
      { manager: 'other', fieldsV1: {} },
      { manager: 'kubelet', fieldsV1 },
    ];
    return bytes({ ...pod, status: { podIPs: [{ ip: `10.0.0.${i}` }] } });
  };
  const results = Array.from({ length: 50 }, (_, i) => ({ json: podWithAddress(i), packed: roundTrip(book, podWithAddress(i)) }));
  for (const { json, packed } of results.slice(2)) {
    expect(packed?.text).toBe(json.toString());
    expect(packed?.length).toBeLessThan(json.length / 20);
  }
});

test('names that are no keys of a field set are no values', () => {
  const set = { 'k:{"a":1}': { 'f:x': 'value' } };
  const outside = {
    fieldsV1: set,
    spec: { managedFields: [{ fieldsV1: set }] },
    metadata: { fieldsV1: set, other: [{ fieldsV1: set }], managedFields: [{ other: set }] },
  };
  const textsOf = (value: unknown) => {
    const [json, leaves] = [bytes(value), leavesOf(bytes(value))];
    return Array.from({ length: leaves.length / 2 }, (_, i) => json.toString('utf8', leaves[2 * i], leaves[2 * i + 1]));
  };
  expect(textsOf(outside)).toEqual(Array.from({ length: 5 }, () => 'value'));
  expect(textsOf({ metadata: { managedFields: [{ fieldsV1: set }, { fieldsV1: set }] }, spec: set })).toEqual([
    'k:{\\"a\\":1}',
    'value',
    'k:{\\"a\\":1}',
    'value',
    'value',
  ]);
});

test('the first objects are kept as they are, those of a kind that has many are not', () => {
  const book = new ShapeBook((shape: Shape) => ({ shape }), 40);
  const packed = Array.from({ length: 50 }, (_, i) => book.fit(variant(i)) !== undefined);
  expect(packed.indexOf(true)).toBeGreaterThanOrEqual(40);
  expect(packed.slice(43)).toEqual(packed.slice(43).fill(true));
});

test('objects of two kinds that alternate both keep their shape', () => {
  const book = newBook();
  const other = (i: number) => bytes({ name: `c-${i}`, data: Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`key-${n}`, `value of ${n}`])) });
  for (let i = 0; i < 6; i++) [variant(i), other(i)].map((json) => book.fit(json));
  for (let i = 6; i < 20; i++) for (const json of [variant(i), other(i)]) expect(roundTrip(book, json)?.text).toBe(json.toString());
});

test('small objects and those that have nothing in common are kept as they are', () => {
  const book = newBook();
  for (let i = 0; i < 200; i++) {
    expect(book.fit(bytes({ name: `small-${i}` }))).toBeUndefined();
    expect(book.fit(bytes({ [`key-${i}`]: 'x'.repeat(700) }))).toBeUndefined();
    expect(book.fit(bytes({ text: String(i).repeat(700) }))).toBeUndefined();
  }
});

describe('whatever the objects are', () => {
  const leaf = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null), fc.double({ noNaN: true }));
  const object = fc.record({ a: leaf, b: fc.record({ c: leaf, d: fc.array(leaf, { maxLength: 3 }) }), e: fc.constant('x'.repeat(900)), f: leaf });

  test('they come back as they were', () => {
    fc.assert(
      fc.property(fc.array(object, { maxLength: 30 }), (objects) => {
        const book = newBook();
        for (const json of objects.map(bytes)) expect(roundTrip(book, json)?.text ?? json.toString()).toBe(json.toString());
      }),
    );
  });

  test('their leaves are their values', () => {
    fc.assert(
      fc.property(object, (value) => {
        const json = bytes(value);
        const leaves = leavesOf(json);
        const texts = Array.from({ length: leaves.length / 2 }, (_, i) => json.toString('utf8', leaves[2 * i], leaves[2 * i + 1]));
        const { a, b, e, f } = value;
        expect(texts).toEqual([a, b.c, ...b.d, e, f].map((each) => JSON.stringify(each).replace(/^"(.*)"$/s, '$1')));
      }),
    );
  });
});
