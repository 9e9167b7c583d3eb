import { describe, expect, test } from 'vitest';
import {
  difference,
  differenceBelow,
  equalSets,
  type FieldSet,
  formatPath,
  has,
  intersection,
  matching,
  pathsOf,
  setOfPaths,
  union,
} from '#patch/apply/field-set.ts';
import { FieldsV1Error, fromFieldsV1, toFieldsV1 } from '#patch/apply/fields-v1.ts';

const set = (...paths: string[]): FieldSet => setOfPaths(paths.map((path) => path.split('.')));
const shown = (fields: FieldSet) => pathsOf(fields).map(formatPath);

describe('operations on field sets', () => {
  test('union has what either has', () => {
    expect(shown(union(set('a', 'b.c'), set('b', 'b.d')))).toEqual(['.a', '.b', '.b.c', '.b.d']);
  });

  test('difference takes a field away and leaves what is below it', () => {
    expect(shown(difference(set('a', 'b', 'b.c', 'b.d'), set('a', 'b', 'b.c')))).toEqual(['.b.d']);
  });

  test('recursive difference takes what is below along', () => {
    expect(shown(differenceBelow(set('a', 'b', 'b.c', 'c.d'), set('b', 'c.e')))).toEqual(['.a', '.c.d']);
  });

  test('intersection has what both have', () => {
    expect(shown(intersection(set('a', 'b.c', 'b.d'), set('b', 'b.c')))).toEqual(['.b.c']);
  });

  test('a pattern keeps what lies on or below it', () => {
    const fields = fromFieldsV1({ 'f:spec': { 'f:containers': { 'k:{"name":"a"}': { 'f:image': {}, 'f:resources': { 'f:limits': {} } } }, 'f:other': {} } });
    expect(shown(matching(fields, [['spec', 'containers', '*', 'resources']]))).toEqual(['.spec.containers[name="a"].resources.limits']);
  });

  test('sets are equal that have the same members', () => {
    const fields = set('a', 'b.c', 'b.d');
    expect([set('b.d', 'b.c', 'a'), fields].map((other) => equalSets(fields, other))).toEqual([true, true]);
    expect([set('a', 'b.c'), set('a', 'b', 'b.c', 'b.d'), set('a', 'b.c', 'b.e'), set('b.c', 'b.d', 'x')].map((other) => equalSets(fields, other))).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });

  test('a set has its members only', () => {
    expect([has(set('a.b'), ['f:a']), has(set('a.b'), ['f:a', 'f:b']), has(set('a.b'), [])]).toEqual([false, true, false]);
  });
});

describe('FieldsV1', () => {
  test.each([
    ['fields and items', { 'f:a': {}, 'f:b': { '.': {}, 'f:c': {} }, 'k:{"name":"x"}': { '.': {}, 'f:name': {} }, 'v:"s"': {}, 'i:2': {} }],
    ['keys of several types', { 'f:l': { 'k:{"containerPort":80,"protocol":"TCP"}': { '.': {} } } }],
  ])('reads and writes %s', (_, fields) => {
    const written = toFieldsV1(fromFieldsV1(fields));
    expect(fromFieldsV1(written)).toEqual(fromFieldsV1(fields));
    expect(toFieldsV1(fromFieldsV1(written))).toEqual(written);
  });

  test('writes fields, then keys, values and indexes, each in order', () => {
    const scrambled = {
      'i:10': {},
      'i:9': {},
      'v:"b"': {},
      'v:2': {},
      'v:10': {},
      'v:true': {},
      'k:{"name":"b"}': {},
      'k:{"name":"a!"}': {},
      'k:{"name":"a"}': {},
      'f:z': {},
      'f:B': {},
    };
    expect(Object.keys(toFieldsV1(fromFieldsV1(scrambled)))).toEqual([
      'f:B',
      'f:z',
      'k:{"name":"a"}',
      'k:{"name":"a!"}',
      'k:{"name":"b"}',
      'v:2',
      'v:10',
      'v:"b"',
      'v:true',
      'i:9',
      'i:10',
    ]);
  });

  test('writes the member mark first', () => {
    expect(JSON.stringify(toFieldsV1(fromFieldsV1({ 'f:a': { 'f:b': {}, '.': {} } })))).toBe('{"f:a":{".":{},"f:b":{}}}');
  });

  test('brings keys into one form', () => {
    expect(toFieldsV1(fromFieldsV1({ 'k:{ "protocol":"TCP", "containerPort":80.0 }': {} }))).toEqual({ 'k:{"containerPort":80,"protocol":"TCP"}': {} });
  });

  test('escapes what Go escapes', () => {
    expect(toFieldsV1(fromFieldsV1({ 'v:"<a&b>"': {} }))).toEqual({ 'v:"\\u003ca\\u0026b\\u003e"': {} });
  });

  test('leaves out kinds of steps it does not know', () => {
    expect(toFieldsV1(fromFieldsV1({ 'x:later': {}, 'f:a': {} }))).toEqual({ 'f:a': {} });
  });

  test.each<unknown[]>([['a'], [{ a: {} }], [{ 'fa:b': {} }], [{ 'f:a': 5 }], [{ 'k:[1]': {} }], [{ 'i:x': {} }], [{ 'v:{': {} }]])('refuses %j', (fields) => {
    expect(() => fromFieldsV1(fields)).toThrow(FieldsV1Error);
  });
});
