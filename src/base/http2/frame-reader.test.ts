import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ByteWriter } from '#base/http2/byte-writer.ts';
import { FrameReader } from '#base/http2/frame-reader.ts';
import { writeFrameHead } from '#base/http2/frames.ts';
import { clientPreface, ConnectionError } from '#base/http2/protocol.ts';

interface Frame {
  readonly type: number;
  readonly flags: number;
  readonly streamId: number;
  readonly payload: Uint8Array;
}

function written(frames: readonly Frame[]): Buffer {
  const out = new ByteWriter(64);
  out.text(clientPreface);
  for (const { type, flags, streamId, payload } of frames) {
    writeFrameHead(out, payload.length, type, flags, streamId);
    out.bytes(payload);
  }
  return Buffer.from(out.written);
}

function readerOf(): { readonly reader: FrameReader; readonly seen: Frame[] } {
  const seen: Frame[] = [];
  return {
    seen,
    reader: new FrameReader((type, flags, streamId, payload) => seen.push({ type, flags, streamId, payload: new Uint8Array(payload) }), 'client'),
  };
}

const frame = fc.record({
  type: fc.nat(255),
  flags: fc.nat(255),
  streamId: fc.nat(2 ** 31 - 1),
  payload: fc.oneof(fc.uint8Array({ maxLength: 20 }), fc.uint8Array({ minLength: 100, maxLength: 300 })),
});

describe('a reader of frames', () => {
  test('tells the same frames however they are cut', () => {
    fc.assert(
      fc.property(fc.array(frame, { maxLength: 8 }), fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 40 }), (frames, cuts) => {
        const { reader, seen } = readerOf();
        const bytes = written(frames);
        for (let at = 0, i = 0; at < bytes.length; i++) {
          const cut = cuts[i % cuts.length] as number;
          reader.push(bytes.subarray(at, at + cut));
          at += cut;
        }
        expect(seen).toEqual(frames);
      }),
    );
  });

  test('does not copy a frame that lies whole in a chunk', () => {
    const chunk = written([{ type: 0, flags: 0, streamId: 1, payload: new Uint8Array(100) }]);
    let payload: Buffer = Buffer.alloc(0);
    new FrameReader((_type, _flags, _id, its) => (payload = its), 'client').push(chunk);
    expect(payload.buffer).toBe(chunk.buffer);
  });

  test('refuses what does not begin as HTTP/2 does, at the first wrong byte', () => {
    expect(() => readerOf().reader.push(Buffer.from('G'))).toThrow(ConnectionError);
    const { reader } = readerOf();
    reader.push(Buffer.from('PRI * '));
    expect(() => reader.push(Buffer.from('HTTP/1'))).toThrow(ConnectionError);
  });

  test('refuses a frame that is too large before it has come', () => {
    const out = new ByteWriter(64);
    out.text(clientPreface);
    writeFrameHead(out, 16_385, 0, 0, 1);
    expect(() => readerOf().reader.push(out.written)).toThrow(ConnectionError);
  });
});
