import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { combineCrc32, shiftOver } from '#server/answer/crc32-combine.ts';

test('the CRC of two texts put together follows from theirs', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 3000 }), fc.uint8Array({ maxLength: 3000 }), (first, second) => {
      const combined = combineCrc32(crc32(first), crc32(second), shiftOver(second.length));
      expect(combined).toBe(crc32(Buffer.concat([first, second])));
    }),
  );
});

test('a long text in many parts', () => {
  const part = Buffer.alloc(1 << 20, 'kubernetes');
  const shift = shiftOver(part.length);
  let crc = 0;
  let whole = 0;
  for (let i = 0; i < 20; i++) {
    crc = combineCrc32(crc, crc32(part), shift);
    whole = crc32(part, whole);
  }
  expect(crc).toBe(whole);
});

test('a length beyond 32 bits is as good as its halves', () => {
  const half = shiftOver(2 ** 33 + 5);
  expect(combineCrc32(combineCrc32(12345, 0, half), 0, half)).toBe(combineCrc32(12345, 0, shiftOver(2 ** 34 + 10)));
});
