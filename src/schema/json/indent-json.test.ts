import { expect, test } from 'vitest';
import { indentJson } from '#schema/json/indent-json.ts';

test.each(['{}', '[]', '"a{b"', '{"a":[{"b":1,"c":[]},2],"d":{"e":"x\\"y,}"}}', '[1.5,null,true,"[]"]'])('%s is indented as JSON.stringify would', (json) => {
  const text = `[${json},1234567890123456]`;
  expect(indentJson(text)).toBe(JSON.stringify(JSON.parse(text), null, 2));
});

test('a number that no double holds stays as it is written', () => {
  expect(indentJson('{"a":9007199254740993}')).toBe('{\n  "a": 9007199254740993\n}');
});

test('keeps the escapes of Go', () => {
  expect(indentJson('{"a":"\\u003cb\\u003e\\u0026"}')).toBe('{\n  "a": "\\u003cb\\u003e\\u0026"\n}');
});
