import { describe, expect, test } from 'vitest';
import { applyMergePatch, decodeMergePatch } from '#patch/merge-patch.ts';

describe('applyMergePatch', () => {
  test.each([
    ['sets and removes members', { a: 1, b: 2 }, { b: null, c: 3 }, { a: 1, c: 3 }],
    ['merges deeply', { a: { b: 1, c: 2 } }, { a: { c: null, d: { e: null, f: 1 } } }, { a: { b: 1, d: { f: 1 } } }],
    ['replaces lists', { a: [1, 2] }, { a: [3] }, { a: [3] }],
    ['keeps null items of lists', { a: 1 }, { a: [null, { b: null }] }, { a: [null, {}] }],
    ['replaces scalars by objects', { a: 1 }, { a: { b: null } }, { a: {} }],
    ['takes directives for plain keys', { a: {} }, { a: { $patch: 'delete' } }, { a: { $patch: 'delete' } }],
  ])('%s', (_, document, patch, result) => {
    const before = structuredClone(document);
    expect(applyMergePatch(document, patch)).toEqual(result);
    expect(document).toEqual(before);
  });

  test('a member called __proto__ is a member like any other', () => {
    const result = applyMergePatch({}, JSON.parse('{"__proto__":"x"}'));
    expect(JSON.stringify(result)).toBe('{"__proto__":"x"}');
  });
});

describe('decodeMergePatch', () => {
  test.each([
    ['[]', 'Warn', 'error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}'],
    ['5', 'Strict', 'error decoding patch: json: cannot unmarshal number into Go value of type map[string]interface {}'],
    ['{"data":', 'Warn', 'error decoding patch: unexpected end of JSON input'],
    ['null', 'Warn', 'Invalid JSON Patch'],
    ['{', 'Ignore', 'Invalid JSON Patch'],
    ['5', 'Ignore', 'Invalid JSON Patch'],
  ] as const)('refuses %j with %s', (text, validation, message) => {
    expect(() => decodeMergePatch(Buffer.from(text), validation)).toThrow(message);
  });

  test('finds members that occur twice', () => {
    expect(decodeMergePatch(Buffer.from('{"data":{"x":"1","x":"2"}}'))).toEqual({ patch: { data: { x: '2' } }, findings: ['duplicate field "data.x"'] });
  });
});
