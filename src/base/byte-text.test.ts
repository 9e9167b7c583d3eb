import { describe, expect, test } from 'vitest';
import { textOfBytes } from '#base/byte-text.ts';
import { goQuote } from '#base/go-text.ts';
import { quoteJson } from '#schema/json/json-text.ts';

describe('text of bytes', () => {
  test('is the text where they are UTF-8, also with a real replacement character', () => {
    for (const text of ['', 'plain', 'é日\u{1f600}', 'a\ufffdb']) expect(textOfBytes(Buffer.from(text))).toBe(text);
  });

  test('keeps every byte that is part of no character', () => {
    const text = textOfBytes(Buffer.from([0x61, 0xff, 0xc3, 0xe6, 0x97, 0xc3, 0xa9, 0xed, 0xa0, 0x80]));
    expect(goQuote(text)).toBe('"a\\xff\\xc3\\xe6\\x97é\\xed\\xa0\\x80"');
  });

  test('is written by JSON as Go writes it', () => {
    expect(quoteJson(textOfBytes(Buffer.from([0x61, 0xff, 0x62, 0xfe])))).toBe('"a\\ufffdb\\ufffd"');
    expect(quoteJson('\\udcff <')).toBe('"\\\\udcff \\u003c"');
    expect(quoteJson('\u{1f600}\ufffd')).toBe('"\u{1f600}\ufffd"');
  });

  test('of a part of a buffer', () => {
    expect(goQuote(textOfBytes(Buffer.from([0xff, 0x61, 0xfe, 0xff]), 1, 3))).toBe('"a\\xfe"');
  });
});
