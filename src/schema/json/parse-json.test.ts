import { describe, expect, test } from 'vitest';
import { list, optional, required, string, struct } from '#schema/build.ts';
import { JsonSyntaxError, parseJson, parseStored } from '#schema/json/parse-json.ts';

const parse = (text: string) => parseJson(Buffer.from(text));

describe('values', () => {
  test('are those of JSON.parse, with integers of 64 bits exact', () => {
    expect(parse('{"a":[1,"x",null,true,{"b":-0.5}]}').value).toEqual({ a: [1, 'x', null, true, { b: -0.5 }] });
    expect(parse('[9007199254740993,-9223372036854775808,123456789012345]').value).toEqual([9007199254740993n, -9223372036854775808n, 123456789012345]);
    expect(parse('[1e3,1.0,18446744073709551616,12345678901234567890.5]').value).toEqual([1000, 1, 18446744073709552000, 12345678901234567000]);
  });

  test('keys of Object.prototype are keys like any other', () => {
    const { value, duplicates } = parse('{"__proto__":{"polluted":true},"constructor":1,"__proto__":2}');
    expect(Object.entries(value as object)).toEqual([
      ['__proto__', 2],
      ['constructor', 1],
    ]);
    expect(duplicates).toEqual(['__proto__']);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  test('every byte that is not UTF-8, and every half of a surrogate pair, becomes U+FFFD', () => {
    const bytes = Buffer.concat([Buffer.from('["a'), Buffer.from([0xe2, 0x82]), Buffer.from('b","\\ud83d\\ude00\\ud800"]')]);
    expect(parseJson(bytes).value).toEqual(['a\ufffd\ufffdb', '😀\ufffd']);
  });

  test('a number beyond the doubles has no value', () => {
    expect(() => parse('{"a":1e400}')).toThrow('json: cannot unmarshal number 1e400 into Go value of type float64');
  });
});

describe('duplicate keys', () => {
  test('are named by their path, each once, in the order of the text; the last one counts', () => {
    const { value, duplicates } = parse('{"spec":{"a":1,"list":[{"b":1,"b":2}],"a":2,"a":3},"z":0,"z":0}');
    expect(value).toEqual({ spec: { a: 3, list: [{ b: 2 }] }, z: 0 });
    expect(duplicates).toEqual(['spec.list[0].b', 'spec.a', 'z']);
  });

  test('escaped spellings of a key are the same key', () => {
    expect(parse('{"a":1,"\\u0061":2}').duplicates).toEqual(['a']);
  });

  test('a colon inside a string is no key', () => {
    expect(parse('{"a:b":":\\":","c":[":"]}').duplicates).toEqual([]);
  });
});

describe('malformed text', () => {
  test.each([
    ['', 'unexpected end of JSON input'],
    ['{"a":1', 'unexpected end of JSON input'],
    ['"abc', 'unexpected end of JSON input'],
    ['hello', "invalid character 'h' looking for beginning of value"],
    ['{a:1}', "invalid character 'a' looking for beginning of object key string"],
    ['{"a" 1}', "invalid character '1' after object key"],
    ['{"a":1 "b":2}', "invalid character '\"' after object key:value pair"],
    ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
    ['[1,]', "invalid character ']' looking for beginning of value"],
    ['[1 2]', "invalid character '2' after array element"],
    ['{} x', "invalid character 'x' after top-level value"],
    ['{"a":01}', "invalid character '1' after object key:value pair"],
    ['tru', "invalid character ' ' in literal true (expecting 'e')"],
    ['-', "invalid character ' ' in numeric literal"],
    ['1.x', "invalid character 'x' after decimal point in numeric literal"],
    ['1.5.2', "invalid character '.' after top-level value"],
    ['[1e5.3]', "invalid character '.' after array element"],
    ['1.5e+', "invalid character ' ' in exponent of numeric literal"],
    ['[-]', "invalid character ']' in numeric literal"],
    ['-01', "invalid character '1' after top-level value"],
    ['1e', "invalid character ' ' in exponent of numeric literal"],
    ['"\\x"', "invalid character 'x' in string escape code"],
    ['"\\u12g4"', "invalid character 'g' in \\u hexadecimal character escape"],
    ['"\n"', "invalid character '\\n' in string literal"],
    ["'a'", "invalid character '\\'' looking for beginning of value"],
    ['é', "invalid character 'Ã' looking for beginning of value"],
    ['\ufeff{}', "invalid character 'ï' looking for beginning of value"],
  ])('%j', (text, message) => {
    expect(() => parse(text)).toThrow(new JsonSyntaxError(message));
  });

  test('nesting has a limit, and reaching it costs neither stack nor time', () => {
    expect(() => parse('['.repeat(10_001))).toThrow("invalid character '[' exceeded max depth");
    expect(() => parse('['.repeat(100_000))).toThrow("invalid character '[' exceeded max depth");
    expect(() => parse(`${'['.repeat(9000)}${']'.repeat(9000)}`)).toThrow('exceeded max depth');
    expect(parse(`${'['.repeat(900)}${']'.repeat(900)}`).duplicates).toEqual([]);
  });
});

describe('stored bytes', () => {
  const schema = struct('test.v1.Thing', () => ({
    items: required(1, list(string)),
    parts: optional(2, list(struct('test.v1.Part', () => ({ names: required(1, list(string)) })))),
  }));

  test('are read exactly, and what is null because it is required is absent', () => {
    const bytes = Buffer.from('{"items":null,"parts":[{"names":null},{"names":["a"]}],"big":9223372036854775807}');
    const object = parseStored(bytes, schema) as unknown as Record<string, unknown>;
    expect(Object.keys(object)).toEqual(['parts', 'big']);
    expect(object['parts']).toEqual([{}, { names: ['a'] }]);
    expect(object['big']).toBe(9223372036854775807n);
  });

  test.each([
    ['9223372036854775807', 9223372036854775807n],
    ['-9223372036854775807', -9223372036854775807n],
    ['[1,9223372036854775807]', [1, 9223372036854775807n]],
    [' 9223372036854775807 ', 9223372036854775807n],
    ['[1,\n\t9223372036854775807]', [1, 9223372036854775807n]],
    ['["1234567890123456789",9223372036854775807]', ['1234567890123456789', 9223372036854775807n]],
    ['["a:1234567890123456789","1234567890123456789"]', ['a:1234567890123456789', '1234567890123456789']],
    ['{"1234567890123456789":"0.12345678901234567"}', { '1234567890123456789': '0.12345678901234567' }],
  ])('long numbers are kept, beside texts of digits: %s', (text, value) => {
    const read = parseStored(Buffer.from(`{"data":${text}}`), schema) as unknown as Record<string, unknown>;
    expect(read['data']).toEqual(value);
  });
});
