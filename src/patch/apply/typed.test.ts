import { describe, expect, test } from 'vitest';
import { compare } from '#patch/apply/compare.ts';
import { formatPath, pathsOf } from '#patch/apply/field-set.ts';
import { fromFieldsV1, toFieldsV1 } from '#patch/apply/fields-v1.ts';
import { mergeValues } from '#patch/apply/merge.ts';
import { reconcile } from '#patch/apply/reconcile.ts';
import { removeFields } from '#patch/apply/remove.ts';
import { toFieldSet } from '#patch/apply/to-field-set.ts';
import { topologyOf } from '#patch/apply/topology.ts';
import { refuseMisfit, TypeMismatch } from '#patch/apply/validate.ts';
import { boolean, embedded, int32, intOrString, list, map, optional, pointer, quantity, rawExtension, required, string, struct, time } from '#schema/build.ts';

const Selector = struct('test.Selector', () => ({ match: optional(1, map(string)) }), { atomic: true });
const Port = struct('test.Port', () => ({ port: required(1, int32), protocol: optional(2, string, { default: 'TCP' }), name: optional(3, string) }));
const Item = struct('test.Item', () => ({
  name: required(1, string),
  value: optional(2, string),
  ports: optional(3, list(Port), { merge: { keys: ['port', 'protocol'] } }),
}));
const Thing = struct('test.Thing', () => ({
  text: optional(1, string),
  count: optional(2, int32),
  on: optional(3, boolean),
  amount: optional(4, quantity),
  either: optional(5, intOrString),
  labels: optional(6, map(string)),
  fixed: optional(7, map(string), { atomic: true }),
  selector: pointer(8, Selector),
  items: optional(9, list(Item), { merge: { keys: ['name'] } }),
  tags: optional(10, list(string), { merge: 'set' }),
  args: optional(11, list(string), { merge: 'atomic' }),
  raw: optional(12, rawExtension),
  inner: embedded(
    13,
    struct('test.Inner', () => ({ rules: required(1, list(string), { merge: 'atomic' }), at: optional(2, time) })),
  ),
  byPatch: optional(14, list(Item), { patch: { strategy: 'merge', key: 'name' } }),
}));
const Custom = struct('', () => ({
  spec: pointer(
    1,
    struct('', () => ({ known: pointer(1, string) }), { preserveUnknown: true }),
  ),
}));
const thing = topologyOf(Thing);
const custom = topologyOf(Custom);

describe('toFieldSet', () => {
  test.each<[string, object, object]>([
    ['names leaves', { text: 'a', count: 0, on: false }, { 'f:count': {}, 'f:on': {}, 'f:text': {} }],
    ['takes maps apart', { labels: { a: '1', b: '2' } }, { 'f:labels': { 'f:a': {}, 'f:b': {} } }],
    ['owns an empty map', { labels: {} }, { 'f:labels': {} }],
    ['owns null', { labels: null, items: null, text: null }, { 'f:items': {}, 'f:labels': {}, 'f:text': {} }],
    ['does not own an empty keyed list', { items: [], tags: [] }, {}],
    [
      'takes atomic maps, structs, lists and raw values as one',
      { fixed: { a: '1' }, selector: { match: {} }, args: ['x'], raw: { a: { b: 1 } } },
      { 'f:args': {}, 'f:fixed': {}, 'f:raw': {}, 'f:selector': {} },
    ],
    ['names items by key', { items: [{ name: 'a', value: 'v' }] }, { 'f:items': { 'k:{"name":"a"}': { '.': {}, 'f:name': {}, 'f:value': {} } } }],
    [
      'uses the default of a key',
      { items: [{ name: 'a', ports: [{ port: 80 }] }] },
      { 'f:items': { 'k:{"name":"a"}': { '.': {}, 'f:name': {}, 'f:ports': { 'k:{"port":80,"protocol":"TCP"}': { '.': {}, 'f:port': {} } } } } },
    ],
    ['uses the zero of a required key', { items: [{ value: 'v' }] }, { 'f:items': { 'k:{"name":""}': { '.': {}, 'f:value': {} } } }],
    ['names items of sets by value', { tags: ['b', 'a'] }, { 'f:tags': { 'v:"a"': {}, 'v:"b"': {} } }],
    [
      'owns twins as one',
      {
        items: [
          { name: 'a', value: '1' },
          { name: 'a', value: '2' },
        ],
      },
      { 'f:items': { 'k:{"name":"a"}': {} } },
    ],
    ['merges by patch key where nothing else is said', { byPatch: [{ name: 'a' }] }, { 'f:byPatch': { 'k:{"name":"a"}': { '.': {}, 'f:name': {} } } }],
  ])('%s', (_, value, fields) => {
    expect(toFieldsV1(toFieldSet(thing, value))).toEqual(fields);
  });

  test('takes unknown fields of custom resources apart as far as they are maps', () => {
    const value = { spec: { known: 'a', free: { list: [{ name: 'x' }], map: { a: 1 } } } };
    expect(toFieldsV1(toFieldSet(custom, value))).toEqual({
      'f:spec': { 'f:free': { '.': {}, 'f:list': {}, 'f:map': { '.': {}, 'f:a': {} } }, 'f:known': {} },
    });
  });
});

describe('refuseMisfit', () => {
  test.each<[unknown, string]>([
    [{ nope: 1 }, '.nope: field not declared in schema'],
    [{ items: [{ name: 'a', nope: 1 }] }, '.items[name="a"].nope: field not declared in schema'],
    [{ text: 5 }, '.text: expected string, got &value.valueUnstructured{Value:5}'],
    [
      { text: { b: [true, null, 'x', 1.5], a: 1 } },
      '.text: expected string, got &value.valueUnstructured{Value:map[string]interface {}{"a":1, "b":[]interface {}{true, interface {}(nil), "x", 1.5}}}',
    ],
    [{ count: 'x' }, '.count: expected numeric (int or float), got string'],
    [{ on: 'x' }, '.on: expected boolean, got &{x}'],
    [{ amount: { a: 1 } }, '.amount: expected any scalar, got &{map[a:1]}'],
    [{ labels: ['x'] }, '.labels: expected map, got &{[x]}'],
    [{ selector: 'x' }, '.selector: expected map, got &{x}'],
    [{ items: {} }, '.items: expected list, got &{map[]}'],
    [{ args: [1] }, '.args[0]: expected string, got &value.valueUnstructured{Value:1}'],
    [{ items: ['x'] }, '.items: element 0: associative list with keys may not have non-map elements'],
    [{ items: [null] }, '.items: element 0: associative list with keys may not have a null element'],
    [{ tags: [null] }, ".tags: element 0: associative list without keys has an element that's an explicit null"],
    [{ tags: [{}] }, ".tags: element 0: associative list without keys has an element that's a map type"],
    [{ tags: [[]] }, '.tags: element 0: not supported: associative list with lists as elements'],
    [{ tags: ['a', 'a'] }, '.tags: duplicate entries for key [="a"]'],
    [{ items: [{ name: 'a', ports: [{ port: 1 }, { port: 1 }] }] }, '.items[name="a"].ports: duplicate entries for key [port=1,protocol="TCP"]'],
    [{ text: 5, on: 'x' }, 'errors:\n  .text: expected string, got &value.valueUnstructured{Value:5}\n  .on: expected boolean, got &{x}'],
    [[], 'expected map, got &{[]}'],
  ])('%j', (value, message) => {
    expect(() => refuseMisfit(thing, value, 'refused')).toThrow(new TypeMismatch(message));
  });

  test('takes twins where they are allowed, nulls, and anything raw', () => {
    expect(() => refuseMisfit(thing, { tags: ['a', 'a'], text: null, items: null, raw: [1, { a: 'b' }], either: '5%' }, 'allowed')).not.toThrow();
  });

  test('names the keys an item of a custom list lacks', () => {
    const Keyed = struct('', () => ({
      list: pointer(1, list(struct('', () => ({ id: pointer(1, string), zone: pointer(2, string) }))), { merge: { keys: ['id', 'zone'] } }),
    }));
    expect(() => refuseMisfit(topologyOf(Keyed), { list: [{}] }, 'refused')).toThrow(
      '.list: element 0: associative list with keys has an element that omits all key fields ["id" "zone"] (and doesn\'t have default values for any key fields)',
    );
  });
});

function changes(before: object, after: object, topology = thing): string[] {
  const { added, modified, removed } = compare(topology, before, after);
  return [added, modified, removed].map((set) => pathsOf(set).map(formatPath).join(' '));
}

describe('compare', () => {
  test.each<[string, object, object, string[]]>([
    ['finds nothing in equal values', { text: 'a', items: [{ name: 'a' }] }, { text: 'a', items: [{ name: 'a' }] }, ['', '', '']],
    ['tells added, modified and removed apart', { text: 'a', on: true }, { text: 'b', count: 1 }, ['.count', '.text', '.on']],
    [
      'names containers that come and go',
      { labels: { a: '1' } },
      { items: [{ name: 'a' }] },
      ['.items .items[name="a"] .items[name="a"].name', '', '.labels .labels.a'],
    ],
    [
      'looks into maps and items',
      { labels: { a: '1' }, items: [{ name: 'a', value: '1' }] },
      { labels: { a: '2' }, items: [{ name: 'a', value: '2' }] },
      ['', '.labels.a .items[name="a"].value', ''],
    ],
    ['ignores the order of keyed items', { items: [{ name: 'a' }, { name: 'b' }] }, { items: [{ name: 'b' }, { name: 'a' }] }, ['', '', '']],
    ['minds the order of atomic lists', { args: ['a', 'b'] }, { args: ['b', 'a'] }, ['', '.args', '']],
    ['compares set items', { tags: ['a', 'b'] }, { tags: ['b', 'c'] }, ['.tags[="c"]', '', '.tags[="a"]']],
    ['compares texts of quantities', { amount: '1' }, { amount: '1000m' }, ['', '.amount', '']],
    [
      'takes twins as one',
      {
        items: [
          { name: 'a', value: '1' },
          { name: 'a', value: '2' },
        ],
      },
      {
        items: [
          { name: 'a', value: '1' },
          { name: 'a', value: '3' },
        ],
      },
      ['', '.items[name="a"]', ''],
    ],
    ['lets twins become one item', { tags: ['a', 'a'] }, { tags: ['a'] }, ['.tags[="a"]', '', '.tags[="a"]']],
    [
      'lets an item become twins',
      { items: [{ name: 'a', value: '1' }] },
      { items: [{ name: 'a' }, { name: 'a' }] },
      ['.items[name="a"]', '', '.items[name="a"] .items[name="a"].name .items[name="a"].value'],
    ],
    [
      'knows that required lists and times are null before they are set',
      { inner: {} },
      { inner: { rules: ['x'], at: 't' } },
      ['', '.inner.rules .inner.at', ''],
    ],
    ['counts nulls of what is new', {}, { inner: { rules: ['x'] } }, ['.inner .inner.at .inner.rules', '', '']],
  ])('%s', (_, before, after, expected) => {
    expect(changes(before, after).map((paths) => paths.split(' ').sort().join(' '))).toEqual(expected.map((paths) => paths.split(' ').sort().join(' ')));
  });

  test('follows a value of unknown type that changes its shape', () => {
    expect(changes({ spec: { free: 'text' } }, { spec: { free: { a: 1 } } }, custom)).toEqual(['.spec.free.a', '.spec.free', '']);
    expect(changes({ spec: { free: { a: 1 } } }, { spec: { free: 'text' } }, custom)).toEqual(['', '.spec.free', '.spec.free.a']);
  });
});

describe('mergeValues', () => {
  const names = (...list: string[]) => ({ items: list.map((name) => ({ name })) });

  test.each<[string, object, object, object]>([
    [
      'the second value wins, the rest stays',
      { text: 'a', labels: { a: '1', b: '2' } },
      { labels: { b: '3', c: '4' } },
      { text: 'a', labels: { a: '1', b: '3', c: '4' } },
    ],
    ['atomic values are replaced', { fixed: { a: '1' }, args: ['a'] }, { fixed: { b: '2' }, args: ['b'] }, { fixed: { b: '2' }, args: ['b'] }],
    ['null replaces leaves', { text: 'a', args: ['a'] }, { text: null, args: null }, { text: null, args: null }],
    [
      'null leaves filled maps and keyed lists alone',
      { labels: { a: '1' }, items: [{ name: 'a' }] },
      { labels: null, items: null },
      { labels: { a: '1' }, items: [{ name: 'a' }] },
    ],
    [
      'items meet under their key',
      { items: [{ name: 'a', value: '1' }] },
      { items: [{ name: 'a', ports: [{ port: 1 }] }] },
      { items: [{ name: 'a', value: '1', ports: [{ port: 1 }] }] },
    ],
    [
      'an item that is there twice is replaced by the one applied',
      {
        items: [
          { name: 'a', value: '1' },
          { name: 'a', value: '2' },
        ],
      },
      { items: [{ name: 'a', value: '3' }] },
      { items: [{ name: 'a', value: '3' }] },
    ],
    ['sets are united', { tags: ['a', 'b'] }, { tags: ['c', 'a'] }, { tags: ['c', 'a', 'b'] }],
    ['new items come after what was there', names('a', 'b'), names('c'), names('a', 'b', 'c')],
    ['the applied order wins', names('a', 'b', 'c'), names('c', 'a'), names('b', 'c', 'a')],
    ['items of others keep their place', names('x', 'a', 'y', 'b', 'z'), names('a', 'n', 'b'), names('x', 'a', 'y', 'n', 'b', 'z')],
  ])('%s', (_, live, applied, merged) => {
    const before = structuredClone({ live, applied });
    expect(mergeValues(thing, live, applied)).toEqual(merged);
    expect({ live, applied }).toEqual(before);
  });
});

describe('removeFields', () => {
  const remove = (value: object, fields: object) => removeFields(thing, value, fromFieldsV1(fields));

  test('takes out members, items and what is inside them', () => {
    const value = { text: 'a', labels: { a: '1', b: '2' }, items: [{ name: 'a', value: '1' }, { name: 'b' }], tags: ['a', 'b'] };
    const fields = {
      'f:text': {},
      'f:labels': { 'f:a': {} },
      'f:items': { 'k:{"name":"a"}': { 'f:value': {} }, 'k:{"name":"b"}': { '.': {} } },
      'f:tags': { 'v:"a"': {} },
    };
    expect(remove(value, fields)).toEqual({ labels: { b: '2' }, items: [{ name: 'a' }], tags: ['b'] });
  });

  test('leaves null where everything inside went', () => {
    expect(remove({ text: 'a', tags: ['a'] }, { 'f:tags': { 'v:"a"': {} } })).toEqual({ text: 'a', tags: null });
  });
});

describe('reconcile', () => {
  test('turns what has become one value into one field', () => {
    const fields = fromFieldsV1({ 'f:fixed': { '.': {}, 'f:a': {} }, 'f:args': { 'v:"x"': {} }, 'f:labels': { 'f:a': {} } });
    expect(toFieldsV1(reconcile(fields, thing))).toEqual({ 'f:args': {}, 'f:fixed': {}, 'f:labels': { 'f:a': {} } });
  });

  test('keeps the very set when nothing changed', () => {
    const fields = fromFieldsV1({ 'f:labels': { 'f:a': {} }, 'f:items': { 'k:{"name":"a"}': { 'f:value': {} } }, 'f:gone': { 'f:b': {} } });
    expect(reconcile(fields, thing)).toBe(fields);
  });
});
