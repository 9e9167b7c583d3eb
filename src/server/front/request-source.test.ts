import { PassThrough } from 'node:stream';
import { queryObjects } from 'node:v8';
import { expect, test } from 'vitest';
import { ApiError } from '#api/api-error.ts';
import { nextTurn } from '#base/next-turn.ts';
import { RequestSource } from '#server/front/request-source.ts';

test('a body in pieces of a byte is whole, and its pieces are not kept', async () => {
  const input = new PassThrough();
  const pieces = 50_000;
  const body = new RequestSource(input).read(0, pieces);
  await nextTurn();
  const before = queryObjects(Buffer, { format: 'count' });
  for (let i = 0; i < pieces; i++) input.emit('data', Buffer.from([i % 251]));
  expect(queryObjects(Buffer, { format: 'count' }) - before).toBeLessThan(pieces / 10);
  input.end();
  input.resume();
  const expected = Buffer.from(Array.from({ length: pieces }, (_, i) => i % 251));
  expect((await body).equals(expected)).toBe(true);
});

test('a piece that comes alone is not copied', async () => {
  const input = new PassThrough();
  const body = new RequestSource(input).read(0, 100);
  const piece = Buffer.from('{}');
  input.end(piece);
  expect((await body).buffer).toBe(piece.buffer);
});

test('a client that goes in the middle of its body is told so, whatever node says about it', async () => {
  const input = new PassThrough();
  const body = new RequestSource(input).read(0, 100);
  input.write('{"half":');
  input.destroy(new Error('aborted'));
  await expect(body).rejects.toThrow('unexpected EOF');
  await expect(body).rejects.toBeInstanceOf(ApiError);
});
