// One request of ours on an HTTP/2 connection: what of it has not gone out yet, and how much of its answer was taken.
import type { ByteWriter } from '#base/http2/byte-writer.ts';
import { writeFrameHead } from '#base/http2/frames.ts';
import { flags, frameTypes } from '#base/http2/protocol.ts';

/**
 * - `ended`: the peer has said all.
 * - `unseen`: the peer has not looked at the request, or never got it.
 * - `lost`: the peer has broken off, or the connection is gone.
 */
export type ClientStreamEnd = 'ended' | 'unseen' | 'lost';

export interface ClientStreamListener {
  /** A field of the head of the answer, or of its trailers. */
  field(name: string, value: string): void;
  data(piece: Buffer): void;
  /** Once. */
  closed(end: ClientStreamEnd): void;
}

export class ClientStream {
  /** 0 while it waits for its turn: the peer allows so many at a time. */
  id = 0;
  readonly block: Buffer;
  readonly listener: ClientStreamListener;
  /** How much the peer takes; less than nothing when it has changed its mind. */
  sendWindow = 0;
  /** Bytes of the answer that the window has not got back. */
  taken = 0;
  #waiting: Uint8Array[];
  /** Nothing follows what waits. */
  readonly isWhole: boolean;

  constructor(block: Buffer, first: Uint8Array, isWhole: boolean, listener: ClientStreamListener) {
    this.block = block;
    this.#waiting = first.length === 0 ? [] : [first];
    this.isWhole = isWhole;
    this.listener = listener;
  }

  get hasWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  /** Not empty. */
  put(piece: Uint8Array): void {
    this.#waiting.push(piece);
  }

  /** Writes the DATA frames that the windows let through; returns how much of the connection's window they took. */
  writeData(out: ByteWriter, window: number, maxFrameBytes: number): number {
    let left = window;
    for (let piece = this.#waiting[0]; piece !== undefined; piece = this.#waiting[0]) {
      const length = Math.min(piece.length, left, this.sendWindow, maxFrameBytes);
      if (length <= 0) break;
      if (length < piece.length) this.#waiting[0] = piece.subarray(length);
      else this.#waiting.shift();
      writeFrameHead(out, length, frameTypes.data, this.isWhole && !this.hasWaiting ? flags.endStream : 0, this.id);
      out.bytes(length < piece.length ? piece.subarray(0, length) : piece);
      left -= length;
      this.sendWindow -= length;
    }
    return window - left;
  }
}
