// How the frames that we send are written.
import type { ByteWriter } from '#base/http2/byte-writer.ts';
import { flags, frameTypes } from '#base/http2/protocol.ts';

export function writeFrameHead(out: ByteWriter, length: number, type: number, frameFlags: number, streamId: number): void {
  out.uint32(length * 256 + type);
  out.byte(frameFlags);
  out.uint32(streamId);
}

export function writeSettings(out: ByteWriter, settings: readonly (readonly [id: number, value: number])[]): void {
  writeFrameHead(out, settings.length * 6, frameTypes.settings, 0, 0);
  for (const [id, value] of settings) {
    out.byte(id >> 8);
    out.byte(id & 255);
    out.uint32(value);
  }
}

export function writeSettingsAck(out: ByteWriter): void {
  writeFrameHead(out, 0, frameTypes.settings, flags.ack, 0);
}

export function writePing(out: ByteWriter, payload: Uint8Array, isAck: boolean): void {
  writeFrameHead(out, payload.length, frameTypes.ping, isAck ? flags.ack : 0, 0);
  out.bytes(payload);
}

export function writeWindowUpdate(out: ByteWriter, streamId: number, increment: number): void {
  writeFrameHead(out, 4, frameTypes.windowUpdate, 0, streamId);
  out.uint32(increment);
}

export function writeReset(out: ByteWriter, streamId: number, code: number): void {
  writeFrameHead(out, 4, frameTypes.rstStream, 0, streamId);
  out.uint32(code);
}

export function writeGoaway(out: ByteWriter, lastStreamId: number, code: number, why: string): void {
  const text = Buffer.from(why);
  writeFrameHead(out, 8 + text.length, frameTypes.goaway, 0, 0);
  out.uint32(lastStreamId);
  out.uint32(code);
  out.bytes(text);
}

/** HEADERS, and as many CONTINUATIONs as the block needs. */
export function writeHeaderBlock(out: ByteWriter, streamId: number, block: Uint8Array, endStream: boolean, maxFrameBytes: number): void {
  const end = endStream ? flags.endStream : 0;
  for (let at = 0; at === 0 || at < block.length; at += maxFrameBytes) {
    const piece = block.subarray(at, at + maxFrameBytes);
    const isLast = at + maxFrameBytes >= block.length;
    writeFrameHead(
      out,
      piece.length,
      at === 0 ? frameTypes.headers : frameTypes.continuation,
      (at === 0 ? end : 0) | (isLast ? flags.endHeaders : 0),
      streamId,
    );
    out.bytes(piece);
  }
}

/** The head of a DATA frame, straight into the bytes that go to the socket. */
export function putDataHead(out: Buffer, at: number, length: number, endStream: boolean, streamId: number): void {
  out.writeUInt32BE(length * 256 + frameTypes.data, at);
  out[at + 4] = endStream ? flags.endStream : 0;
  out.writeUInt32BE(streamId, at + 5);
}
