import { describe, expect, test } from 'vitest';
import { parseFieldSelector, requiredFieldValue } from '#api/field-selector.ts';

test.each([
  ['', { a: 'b' }, true],
  ['a=b', { a: 'b' }, true],
  ['a==b', { a: 'b' }, true],
  ['a!=b', { a: 'b' }, false],
  ['a!=b', {}, true],
  ['a=', {}, true],
  ['a!=', {}, false],
  ['a=b,c=d', { a: 'b', c: 'e' }, false],
  [',a=b,,', { a: 'b' }, true],
  ['a=x\\,y', { a: 'x,y' }, true],
  ['a=x\\=y', { a: 'x=y' }, true],
  ['a=x\\\\', { a: 'x\\' }, true],
  ['a=b,a=c', { a: 'b' }, false],
  ['==', { '': 'x' }, true],
  ['!=,a=b', { a: 'c' }, false],
])('%j on %j: %j', (text, fields, expected) => {
  expect(parseFieldSelector(text).matches(fields as Record<string, string>)).toBe(expected);
});

test('the text is the same however a selector was written', () => {
  expect(parseFieldSelector('b!=2,a==x\\,y').text).toBe('a=x\\,y,b!=2');
  expect(parseFieldSelector('a=x\\,y,,b!=2').text).toBe('a=x\\,y,b!=2');
});

test('the value that a match must have is known', () => {
  const selector = parseFieldSelector('a!=1,b=2');
  expect(requiredFieldValue(selector, 'b')).toBe('2');
  expect(requiredFieldValue(selector, 'a')).toBeUndefined();
});

test.each([
  ['metadata.name', "invalid selector: 'metadata.name'; can't understand 'metadata.name'"],
  ['metadata.name in (a,b)', "invalid selector: 'metadata.name in (a,b)'; can't understand 'b)'"],
  ['a=b=c', 'invalid field selector: unescaped character in value: 61'],
  ['a===b', 'invalid field selector: unescaped character in value: 61'],
  ['a=\\x', 'invalid field selector: invalid escape sequence: \\x'],
  ['a=b\\', 'invalid field selector: invalid escape sequence: \\'],
])('%j is refused with the words of the original', (text, message) => {
  expect(() => parseFieldSelector(text)).toThrow(expect.objectContaining({ code: 400, message }));
});

describe('a selector of many requirements', () => {
  const often = (text: string) => parseFieldSelector(Array.from({ length: 20 }, () => text).join(','));

  test.each(['a=b', 'a!=b', 'a=b,a=c', 'a!=b,a!=c', 'a=', 'a!=', 'a=b,c!=d'])('%s selects what a short one selects', (text) => {
    for (const fields of [{}, { a: 'b' }, { a: 'c' }, { a: 'b', c: 'd' }]) {
      expect(often(text).matches(fields), JSON.stringify(fields)).toBe(parseFieldSelector(text).matches(fields));
    }
  });
});
