import { expect, test } from 'vitest';
import { apart, shortLived, shortLivedCopy, slabBytes } from '#base/memory/short-lived.ts';

test('buffers lie side by side in a slab, and none on another', () => {
  const buffers = Array.from({ length: 1_000 }, (_, index) => shortLived(index + 1).fill(index & 0xff));
  for (const [index, buffer] of buffers.entries()) {
    expect(buffer.length).toBe(index + 1);
    expect(buffer.every((byte) => byte === (index & 0xff))).toBe(true);
  }
  const slabs = new Set(buffers.map(({ buffer }) => buffer));
  const all = buffers.reduce((sum, { length }) => sum + length, 0);
  expect(slabs.size).toBeLessThanOrEqual(Math.ceil(all / slabBytes) + 2);
  for (const { byteLength } of slabs) expect(byteLength).toBe(slabBytes);
});

test('a large one has memory of its own, so that it does not waste the rest of a slab', () => {
  const large = shortLived(slabBytes / 2);
  expect([large.length, large.buffer.byteLength]).toEqual([slabBytes / 2, slabBytes / 2]);
});

test('a copy has the bytes of the part that was asked for, and changes with nothing', () => {
  const bytes = Buffer.from('in the middle');
  const [whole, part] = [shortLivedCopy(bytes), shortLivedCopy(bytes, 3, 6)];
  bytes.fill(0);
  expect([whole.toString(), part.toString(), shortLivedCopy(bytes, 4, 4).length]).toEqual(['in the middle', 'the', 0]);
});

test('what has to wait is parted from its slab, and only that is copied', () => {
  const piece = shortLivedCopy(Buffer.from('an answer'));
  const waiting = apart(piece);
  expect(waiting.buffer === piece.buffer).toBe(false);
  expect(Buffer.from(waiting).toString()).toBe('an answer');
  for (const own of [Buffer.alloc(10), Buffer.alloc(slabBytes), shortLived(slabBytes / 2)]) expect(apart(own) === own).toBe(true);
});
