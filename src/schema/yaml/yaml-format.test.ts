import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatYaml, parseYaml, yamlWritingSteps } from '#schema/yaml/yaml.ts';

describe('the text', () => {
  test('lists stand under their key, empty collections inline, keys sorted with numbers by amount', () => {
    const value = { list: [1, { b: 2, a: [[1, 2], []] }], map: {}, a10: 1, a9: 2, Z: null };
    expect(formatYaml(value)).toBe('Z: null\na9: 2\na10: 1\nlist:\n- 1\n- a:\n  - - 1\n    - 2\n  - []\n  b: 2\nmap: {}\n');
  });

  test.each<[unknown, string]>([
    ['plain text', 'plain text'],
    ['true', '"true"'],
    ['', '""'],
    ['1.5', '"1.5"'],
    ['2020-01-01T00:00:00Z', '"2020-01-01T00:00:00Z"'],
    ['12:30', '"12:30"'],
    ['a: b', "'a: b'"],
    ['- a', "'- a'"],
    ['*', "'*'"],
    ["it's: x", "'it''s: x'"],
    [' lead', "' lead'"],
    ['tab\t', '"tab\\t"'],
    ['😀', '"\\U0001F600"'],
    ['é', 'é'],
    ['one\ntwo\n', '|\n  one\n  two'],
    ['one\ntwo', '|-\n  one\n  two'],
    ['one\n\n', '|+\n  one\n'],
    ['\n x', '|2-\n\n   x'],
    ['trailing \nspace', '"trailing \\nspace"'],
    [1.5, '1.5'],
    [1234567.5, '1.2345675e+06'],
    [9223372036854775807n, '9223372036854775807'],
    [null, 'null'],
    [true, 'true'],
  ])('%s is written %s', (value, expected) => {
    expect(formatYaml({ k: value })).toBe(`k: ${expected}\n`);
  });

  test('long lines are folded at spaces beyond column 80', () => {
    const message = 'configmaps "a" is forbidden: User "bob" cannot get resource "configmaps" in API group "" in the namespace "default"';
    expect(formatYaml({ message })).toBe(
      `message: 'configmaps "a" is forbidden: User "bob" cannot get resource "configmaps"\n  in API group "" in the namespace "default"'\n`,
    );
  });

  test('keys that are long or of several lines are written apart', () => {
    expect(formatYaml({ ['k'.repeat(129)]: [1] })).toBe(`? ${'k'.repeat(129)}\n: - 1\n`);
    expect(formatYaml({ 'a\nb': 1 })).toBe('? |-\n  a\n  b\n: 1\n');
  });
});

test('many keys are sorted and written in many short steps', () => {
  const keys = Array.from({ length: 5000 }, (_, i) => `key-${i}`);
  const shuffled = keys.toSorted((a, b) => (a.split('').toReversed().join('') < b.split('').toReversed().join('') ? -1 : 1));
  const steps = yamlWritingSteps({ data: Object.fromEntries(shuffled.map((key) => [key, 'x'])) });
  let count = 0;
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) count++;
  expect(step.value).toBe(`data:\n${keys.map((key) => `  ${key}: x\n`).join('')}`);
  expect(count).toBeGreaterThan(50);
});

test.each([
  ['a', 'ab'],
  ['\u{1f600}', '\u{1f601}'],
  ['a9', 'a10'],
  ['_', 'A'],
])('%s comes before %s', (first, second) => {
  expect(formatYaml({ [second]: 1, [first]: 2 })).toMatch(/: 2\n.*: 1\n$/);
});

test('reading gives back what was written', () => {
  const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string(), fc.stringMatching(/^[ a:#'"\\\n-]{0,100}$/));
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof({ maxDepth: 4 }, text, fc.integer(), fc.boolean(), fc.constant(null), fc.array(tie('value'), { maxLength: 3 }), tie('object')),
    object: fc.dictionary(text, tie('value'), { maxKeys: 3, noNullPrototype: true }),
  }));
  fc.assert(
    fc.property(value, (given) => {
      expect(parseYaml(formatYaml(given))).toEqual(given);
    }),
    { numRuns: 300 },
  );
});
