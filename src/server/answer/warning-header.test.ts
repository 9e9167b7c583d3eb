import { expect, test } from 'vitest';
import { Warnings } from '#server/answer/warning-header.ts';

function headersFor(...texts: string[]): readonly string[] {
  const warnings = new Warnings();
  for (const text of texts) warnings.add(text);
  return warnings.headers;
}

test('a warning is quoted behind its code', () => {
  expect(headersFor('unknown field "a\\b"')).toEqual(['299 - "unknown field \\"a\\\\b\\""']);
});

test('the same text is sent once, nothing for no text, nothing for control characters', () => {
  expect(headersFor('a', 'b', 'a', '', 'c\n')).toEqual(['299 - "a"', '299 - "b"']);
});

test('text beyond ASCII travels as its UTF-8 bytes', () => {
  expect(Buffer.from(headersFor('é')[0] ?? '', 'latin1').toString()).toBe('299 - "é"');
});

test('beyond 4096 characters in total each one is cut to 256', () => {
  const long = Array.from({ length: 5 }, (_, i) => String(i).repeat(1000));
  const headers = headersFor(...long);
  expect(headers).toHaveLength(5);
  expect(headers[0]).toBe(`299 - "${'0'.repeat(256)}"`);
});

test('what does not fit even then is dropped', () => {
  const headers = headersFor(
    ...Array.from({ length: 40 }, (_, i) =>
      String.fromCharCode(65 + i)
        .repeat(300)
        .replaceAll('\\', 'x'),
    ),
  );
  expect(headers).toHaveLength(16);
});
