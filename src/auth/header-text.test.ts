import { expect, test } from 'vitest';
import { headerText } from '#auth/header-text.ts';

test('the bytes of a header are UTF-8', () => {
  expect(headerText('plain')).toBe('plain');
  expect(headerText(Buffer.from('é€😀').toString('latin1'))).toBe('é€😀');
  expect(headerText('\u00e9')).toBe('\ufffd');
});
