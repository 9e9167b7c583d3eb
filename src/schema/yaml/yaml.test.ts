import { describe, expect, test } from 'vitest';
import { parseYaml, readYaml, YamlError } from '#schema/yaml/yaml.ts';

describe('plain scalars follow YAML 1.1 as Go has it', () => {
  test.each<[string, unknown]>([
    ['yes', true],
    ['Off', false],
    ['y', true],
    ['~', null],
    ['', null],
    ['Null', null],
    ['010', 8],
    ['0o10', 8],
    ['0x1F', 31],
    ['0b11', 3],
    ['1_000', 1000],
    ['08', 8],
    ['1e3', 1000],
    ['.5', 0.5],
    ['-1.', -1],
    ['+1', 1],
    ['9223372036854775807', 9223372036854775807n],
    ['18446744073709551615', 18446744073709551615n],
    ['18446744073709551616', 18446744073709552000],
    ['2020-01-01', '2020-01-01'],
    ['12:30', '12:30'],
    ['a b', 'a b'],
    ['"yes"', 'yes'],
    ["'it''s'", "it's"],
    ['"\\x41\\n\\u00e9"', 'A\né'],
    ['!!str 5', '5'],
    ['!!float 5', 5],
    ['!mine 5', '5'],
    ['!!binary aGVsbG8=', 'hello'],
  ])('%s', (text, expected) => {
    expect(parseYaml(`a: ${text}\n`)).toEqual({ a: expected });
  });

  test('infinity and what is not a number have no JSON', () => {
    expect(() => parseYaml('a: .inf')).toThrow('json: unsupported value: +Inf');
    expect(() => parseYaml('a: .nan')).toThrow('json: unsupported value: NaN');
  });
});

describe('structure', () => {
  test('block and flow collections, comments and block scalars', () => {
    const text = [
      '# head',
      'list:',
      '- a',
      '- b: 1',
      '  c: [x, {y: z}, ]',
      '-',
      'map: {k: "v", e}',
      'text: |',
      '  one',
      '   two',
      '',
      'fold: >-',
      '  a',
      '  b',
      '',
      '  c',
      '? q',
      ': w',
      '',
    ].join('\n');
    expect(parseYaml(text)).toEqual({
      list: ['a', { b: 1, c: ['x', { '\u0079': 'z' }] }, null].map((item) => renameBoolean(item)),
      map: { k: 'v', e: null },
      text: 'one\n two\n',
      fold: 'a b\nc',
      q: 'w',
    });
  });

  test('only the first document counts; an empty text is null', () => {
    expect(parseYaml('---\na: 1\n---\nb: 2\n')).toEqual({ a: 1 });
    expect(parseYaml(' \n# nothing\n')).toBeNull();
  });

  test('keys are text, and sorted', () => {
    expect(Object.keys(parseYaml('b: 1\ntrue: 2\n1.5: 3\na: 4\n') as object)).toEqual(['1.5', 'a', 'b', 'true']);
  });

  test('anchors, aliases and merge keys', () => {
    expect(parseYaml('base: &b {x: 1, z: 2}\nhere:\n  <<: *b\n  x: 3\nall:\n  <<: [*b, {z: 9, w: 1}]\n')).toEqual({
      base: { x: 1, z: 2 },
      here: { x: 3, z: 2 },
      all: { x: 1, z: 2, w: 1 },
    });
  });

  test('JSON is YAML', () => {
    expect(parseYaml('{"b":{"d":1,"c":[true,null]},"a":"x\\u00e9"}')).toEqual({ a: 'xé', b: { c: [true, null], d: 1 } });
  });

  test('the key __proto__ is a key like any other', () => {
    expect(Object.entries(parseYaml('__proto__: {a: 1}\n') as object)).toEqual([['__proto__', { a: 1 }]]);
  });
});

/** `y` is a boolean, also as a key. */
function renameBoolean(item: unknown): unknown {
  if (typeof item !== 'object' || item === null) return item;
  return { ...item, c: ['x', { true: 'z' }] };
}

describe('repeated keys', () => {
  test('the last one counts, strict decoding names each by the line of its value', () => {
    expect(readYaml('a: 1\nb:\n  c: 1\n  c: 2\na: 3\n')).toEqual({
      value: { a: 3, b: { c: 2 } },
      problem: 'yaml: unmarshal errors:\n  line 4: key "c" already set in map\n  line 5: key "a" already set in map',
    });
    expect(readYaml('a: 1\n').problem).toBeUndefined();
    expect(readYaml('{"a":1,\n"a":2}').problem).toBe('yaml: unmarshal errors:\n  line 2: key "a" already set in map');
  });
});

describe('malformed text is refused in the words of the original', () => {
  test.each([
    ['a: b: c', 'yaml: mapping values are not allowed in this context'],
    ['x: {}\n\ty: 1', 'yaml: line 2: found character that cannot start any token'],
    ['a: x\n\tb: 1', 'yaml: line 2: found a tab character that violates indentation'],
    ['a: @x', 'yaml: found character that cannot start any token'],
    ['a: [1,\n', 'yaml: line 1: did not find expected node content'],
    ['x: 1\na: [1 2: 3', "yaml: line 2: did not find expected ',' or ']'"],
    ['a:\n  b: 1\n c: 2', 'yaml: line 2: did not find expected key'],
    ['- a\nb: c', "yaml: line 1: did not find expected '-' indicator"],
    ['a: 1\nb', "yaml: line 3: could not find expected ':'"],
    ['a: "x\n', 'yaml: line 2: found unexpected end of stream'],
    ['a: "\\q"', 'yaml: found unknown escape character'],
    ['a: - b', 'yaml: block sequence entries are not allowed in this context'],
    ['a: *x', "yaml: unknown anchor 'x' referenced"],
    ['a: &a\n  b: *a', "yaml: anchor 'a' value contains itself"],
    ['a: !e!x 1', 'yaml: found undefined tag handle'],
    ['a: !!int x', 'yaml: cannot decode !!str `x` as a !!int'],
    ['a: |0\n x', 'yaml: found an indentation indicator equal to 0'],
    ['<<: 1', 'yaml: map merge requires map or sequence of maps as the value'],
    ['? [a]\n: b', 'yaml: invalid map key: []interface {}{"a"}'],
    ['a: \u0001', 'yaml: control characters are not allowed'],
    ['%YAML 2.0\n---\na', 'yaml: found incompatible YAML document'],
  ])('%j', (text, message) => {
    expect(() => parseYaml(text)).toThrow(new YamlError(message));
  });

  test('broken UTF-8', () => {
    expect(() => parseYaml(Buffer.from([0x61, 0x3a, 0x20, 0xff]))).toThrow('yaml: invalid leading UTF-8 octet');
    expect(() => parseYaml(Buffer.from([0x61, 0x3a, 0x20, 0xe2, 0x82]))).toThrow('yaml: incomplete UTF-8 octet sequence');
    expect(() => parseYaml(Buffer.from([0x61, 0x3a, 0x20, 0xe2, 0x28, 0xa1]))).toThrow('yaml: invalid trailing UTF-8 octet');
  });
});

describe('bombs', () => {
  test('aliases that multiply are refused', () => {
    const levels = Array.from({ length: 9 }, (_, level) => `l${level + 1}: &l${level + 1} [${Array(10).fill(`*l${level}`).join(', ')}]`);
    expect(() => parseYaml(`l0: &l0 [${Array(10).fill('x').join(', ')}]\n${levels.join('\n')}\n`)).toThrow('yaml: document contains excessive aliasing');
  });

  test('deep nesting is refused before it takes the stack', () => {
    expect(() => parseYaml('['.repeat(100_000))).toThrow('exceeded max depth of 10000');
    expect(() => parseYaml(`${'- '.repeat(5_000)}a`)).toThrow('exceeded max depth of 10000');
  });
});
