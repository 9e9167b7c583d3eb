import { describe, expect, test } from 'vitest';
import { ApiError } from '#api/api-error.ts';
import { applyJsonPatch, decodeJsonPatch, JsonPatchFailure, patchDocument } from '#patch/json-patch.ts';

const bytes = (value: unknown) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
const base = { data: { k: 'v', list: [1, 2, 3], deep: { a: { b: 'c' } } } };

const results: readonly [name: string, operations: object[], result: unknown][] = [
  ['add sets a member', [{ op: 'add', path: '/data/n', value: 1 }], { data: { ...base.data, n: 1 } }],
  ['add replaces an existing member', [{ op: 'add', path: '/data/k', value: 'w' }], { data: { ...base.data, k: 'w' } }],
  ['add inserts before an index', [{ op: 'add', path: '/data/list/1', value: 9 }], { data: { ...base.data, list: [1, 9, 2, 3] } }],
  ['add at the length appends', [{ op: 'add', path: '/data/list/3', value: 9 }], { data: { ...base.data, list: [1, 2, 3, 9] } }],
  ['a dash appends', [{ op: 'add', path: '/data/list/-', value: 9 }], { data: { ...base.data, list: [1, 2, 3, 9] } }],
  ['index -1 of an add is after the last', [{ op: 'add', path: '/data/list/-1', value: 9 }], { data: { ...base.data, list: [1, 2, 3, 9] } }],
  ['index -1 of a remove is the last', [{ op: 'remove', path: '/data/list/-1' }], { data: { ...base.data, list: [1, 2] } }],
  ['zero-led indexes count', [{ op: 'remove', path: '/data/list/01' }], { data: { ...base.data, list: [1, 3] } }],
  ['a path without leading slash loses its first part', [{ op: 'add', path: 'data/x', value: 'y' }], { ...base, x: 'y' }],
  ['replace of a missing member adds it', [{ op: 'replace', path: '/data/n', value: 1 }], { data: { ...base.data, n: 1 } }],
  ['replace of the root', [{ op: 'replace', path: '', value: { a: 1 } }], { a: 1 }],
  ['copy from a missing member writes null', [{ op: 'copy', from: '/data/zzz', path: '/data/n' }], { data: { ...base.data, n: null } }],
  ['add without value writes null', [{ op: 'add', path: '/data/n' }], { data: { ...base.data, n: null } }],
  ['move', [{ op: 'move', from: '/data/k', path: '/data/m' }], { data: { list: [1, 2, 3], deep: { a: { b: 'c' } }, m: 'v' } }],
  ['escaped keys', [{ op: 'add', path: '/data/a~1b~0c~01', value: 1 }], { data: { ...base.data, 'a/b~c~1': 1 } }],
  ['test of a missing member against null passes', [{ op: 'test', path: '/data/zzz', value: null }], base],
  ['test compares deeply', [{ op: 'test', path: '/data/deep', value: { a: { b: 'c' } } }], base],
];

const refusals: readonly [name: string, operations: object[], message: string][] = [
  ['a failed test', [{ op: 'test', path: '/data/k', value: 1 }], 'testing value /data/k failed: test failed'],
  ['remove of nothing', [{ op: 'remove', path: '/data/n' }], "error in remove for path: '/data/n': Unable to remove nonexistent key: n: missing value"],
  ['a missing parent', [{ op: 'add', path: '/nope/n', value: 1 }], 'add operation does not apply: doc is missing path: "/nope/n": missing value'],
  ['a scalar parent', [{ op: 'add', path: '/data/k/n', value: 1 }], 'add operation does not apply: doc is missing path: "/data/k/n": missing value'],
  ['an index that is a word', [{ op: 'remove', path: '/data/list/x' }], `error in remove for path: '/data/list/x': strconv.Atoi: parsing "x": invalid syntax`],
  [
    'an index too large',
    [{ op: 'add', path: '/data/list/4', value: 1 }],
    "error in add for path: '/data/list/4': Unable to access invalid index: 4: invalid index referenced",
  ],
  [
    'replace of a dash',
    [{ op: 'replace', path: '/data/list/-', value: 1 }],
    'replace operation does not apply: doc is missing key: /data/list/-: missing value',
  ],
  ['the root as target', [{ op: 'add', path: '', value: {} }], 'add operation does not apply: doc is missing path: "": missing value'],
  ['an unknown operation', [{ op: 'frob', path: '/data' }], 'Unexpected kind: frob'],
  ['no operation', [{ path: '/data' }], 'Unexpected kind: unknown'],
  ['a missing path', [{ op: 'add' }], 'add operation failed to decode path: missing value'],
];

describe('patchDocument', () => {
  test.each(results)('%s', (_, operations, result) => {
    const before = structuredClone(base);
    expect(patchDocument(base, operations as never)).toEqual(result);
    expect(base).toEqual(before);
  });

  test.each(refusals)('refuses %s', (_, operations, message) => {
    expect(() => patchDocument(base, operations as never)).toThrow(new JsonPatchFailure(message));
  });

  test('a copied container and its source do not change together', () => {
    const operations = [
      { op: 'copy', from: '/data/deep', path: '/data/twin' },
      { op: 'replace', path: '/data/twin/a/b', value: 'd' },
    ];
    expect(patchDocument(base, operations)).toEqual({ data: { ...base.data, twin: { a: { b: 'd' } } } });
  });

  test('copies are limited to three mebibytes in all', () => {
    const big = { a: 'x'.repeat(1024 * 1024) };
    const operations = ['b', 'c', 'd'].map((key) => ({ op: 'copy', from: '/a', path: `/${key}` }));
    expect(() => patchDocument(big, operations)).toThrow(/exceeding the limit 3145728/);
  });

  test('a member called __proto__ is a member like any other', () => {
    const result = patchDocument({}, [{ op: 'add', path: '/__proto__', value: { polluted: true } }]) as Record<string, unknown>;
    expect(JSON.stringify(result)).toBe('{"__proto__":{"polluted":true}}');
    expect(result['polluted']).toBeUndefined();
  });
});

describe('applyJsonPatch', () => {
  const refusal = (patch: unknown, validation?: 'Ignore') => {
    try {
      applyJsonPatch(base, bytes(patch), validation);
    } catch (error) {
      if (error instanceof ApiError) return [error.code, error.reason, error.message];
    }
    return undefined;
  };

  test('answers every impossible operation with one text', () => {
    expect(refusal([{ op: 'remove', path: '/x' }])).toEqual([422, 'Invalid', 'the server rejected our request due to an error in our request']);
  });

  test.each([
    ['["x"]', 'json: cannot unmarshal string into Go value of type handlers.jsonPatchOp'],
    ['[[]]', 'json: cannot unmarshal array into Go value of type handlers.jsonPatchOp'],
    ['{"op":"add"}', 'json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp'],
    ['[{"op":5}]', 'json: cannot unmarshal number into Go struct field jsonPatchOp.op of type string'],
    ['', 'unexpected end of JSON input'],
    ['[] x', "invalid character 'x' after top-level value"],
    ['[{"op":}]', "invalid character '}' looking for beginning of value"],
    ['[tru]', "invalid character ']' in literal true (expecting 'e')"],
    ['[1.]', "invalid character ']' after decimal point in numeric literal"],
    ['["\n"]', "invalid character '\\n' in string literal"],
    ['{a:1}', "invalid character 'a' looking for beginning of object key string"],
    ['[1 2]', "invalid character '2' after array element"],
    ["'x'", "invalid character '\\'' looking for beginning of value"],
    ['é', "invalid character 'Ã' looking for beginning of value"],
  ])('refuses %j', (patch, message) => {
    expect(refusal(patch)).toEqual([400, 'BadRequest', `error decoding patch: ${message}`]);
  });

  test('says it in other words without field validation', () => {
    expect(refusal('{}', 'Ignore')).toEqual([400, 'BadRequest', 'json: cannot unmarshal object into Go value of type jsonpatch.Patch']);
  });

  test('takes null for an empty patch', () => {
    expect(applyJsonPatch(base, bytes('null'))).toEqual(base);
  });

  test('takes ten thousand operations and not one more', () => {
    const operations = Array.from({ length: 10_001 }, () => ({ op: 'test', path: '/data/k', value: 'v' }));
    expect(applyJsonPatch(base, bytes(operations.slice(1)))).toEqual(base);
    expect(refusal(operations)).toEqual([
      413,
      'RequestEntityTooLarge',
      'Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001',
    ]);
  });

  test('finds unknown and repeated members', () => {
    expect(decodeJsonPatch(bytes('[{"op":"add","op":"test","path":"/data/k","value":"v","comment":1}]')).findings).toEqual([
      'json patch unknown field "[0].comment"',
      'json patch duplicate field "[0].op"',
    ]);
  });

  test('keeps integers beyond 2^53', () => {
    expect(applyJsonPatch({}, bytes('[{"op":"add","path":"/n","value":9223372036854775807}]'))).toEqual({ n: 9223372036854775807n });
  });

  test('writes what it looked into in the order of Go maps, and the rest as it stood', () => {
    const document = { z: { y: { b: 1, a: 2 }, x: 3 }, a: { d: 4, c: 5 } };
    const text = (...operations: object[]) => JSON.stringify(applyJsonPatch(document, bytes(operations)));
    expect(text({ op: 'copy', from: '/z/y', path: '/new' })).toBe('{"a":{"d":4,"c":5},"new":{"b":1,"a":2},"z":{"x":3,"y":{"b":1,"a":2}}}');
    expect(text({ op: 'copy', from: '/z', path: '/z/y/new' })).toBe('{"a":{"d":4,"c":5},"z":{"x":3,"y":{"a":2,"b":1,"new":{"x":3,"y":{"a":2,"b":1}}}}}');
    expect(text({ op: 'test', path: '/z/x', value: 3 })).toBe('{"a":{"d":4,"c":5},"z":{"x":3,"y":{"b":1,"a":2}}}');
  });
});
