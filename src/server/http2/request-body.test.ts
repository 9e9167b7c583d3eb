import { describe, expect, test } from 'vitest';
import { RequestBody } from '#server/http2/request-body.ts';

function bodyOf(frames: readonly string[]): { readonly body: RequestBody; readonly givenBack: number[] } {
  const givenBack: number[] = [];
  const body = new RequestBody((bytes) => givenBack.push(bytes));
  for (const frame of frames) body.add(Buffer.from(frame), frame.length);
  return { body, givenBack };
}

async function piecesOf(stream: AsyncIterable<Buffer>): Promise<readonly string[]> {
  const pieces: string[] = [];
  for await (const piece of stream) pieces.push(piece.toString());
  return pieces;
}

describe('a body that is read as a stream', () => {
  test('comes as one piece where many small frames had to wait for the reader', async () => {
    const { body } = bodyOf(['a', 'b']);
    const stream = body.stream();
    for (const letter of 'cdefgh') body.add(Buffer.from(letter), 1);
    body.end();
    expect(await piecesOf(stream)).toEqual(['abcdefgh']);
  });

  test('holds one small frame and gathers those behind it while the reader looks at none', async () => {
    const { body } = bodyOf([]);
    const stream = body.stream();
    const first = new Promise<Buffer>((resolve) => stream.once('readable', () => resolve(stream.read() as Buffer)));
    body.add(Buffer.from('a'), 1);
    expect((await first).toString()).toBe('a');
    for (const letter of 'bcdefgh') body.add(Buffer.from(letter), 1);
    expect(stream.readableLength).toBeLessThan(2);
    body.end();
    expect((await piecesOf(stream)).join('')).toBe('bcdefgh');
  });

  test('gives the window back when the reader has asked for what took it, padding included', async () => {
    const { body, givenBack } = bodyOf([]);
    const stream = body.stream();
    body.add(Buffer.alloc(60 * 1024, 'x'), 62 * 1024);
    body.add(Buffer.alloc(0), 4 * 1024);
    expect(givenBack).toEqual([]);
    await new Promise((resolve) => stream.once('readable', resolve));
    stream.read();
    await new Promise(setImmediate);
    expect(givenBack).toEqual([66 * 1024]);
  });

  test('reaches its end whole when what is left of it was declared unwanted after it had come', async () => {
    const { body } = bodyOf(['all', ' of', ' it']);
    const stream = body.stream();
    body.end();
    body.discard();
    expect((await piecesOf(stream)).join('')).toBe('all of it');
  });

  test('breaks where it was broken off', async () => {
    const { body } = bodyOf(['half']);
    const stream = body.stream();
    body.break();
    await expect(piecesOf(stream)).rejects.toMatchObject({ message: expect.stringContaining('unexpected EOF') });
  });
});
