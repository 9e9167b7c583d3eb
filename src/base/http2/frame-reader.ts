import { clientPreface, ConnectionError, defaultMaxFrameBytes, errorCodes, frameHeadBytes } from '#base/http2/protocol.ts';

/** `payload` may be kept: the reader does not reuse its buffer. */
export type TakeFrame = (type: number, flags: number, streamId: number, payload: Buffer) => void;

const preface = Buffer.from(clientPreface);
const nothing = Buffer.alloc(0);

/**
 * Cuts what a peer sends into frames. A frame that lies whole in a chunk is not copied; of one that does not, a buffer of its
 * size is filled, so that a peer that sends byte by byte costs no more than its bytes.
 */
export class FrameReader {
  readonly #take: TakeFrame;
  readonly #preface: Buffer;
  /** How much of the preface has come. */
  #greeted = 0;
  readonly #head = Buffer.alloc(frameHeadBytes);
  #headBytes = 0;
  /** Of a frame whose head is known. */
  #payload: Buffer | undefined;
  #payloadBytes = 0;

  /** Clients begin with a preface, servers with a frame. */
  constructor(take: TakeFrame, peer: 'client' | 'server') {
    this.#take = take;
    this.#preface = peer === 'client' ? preface : nothing;
  }

  /** Throws a ConnectionError when this is no HTTP/2, or a frame is too large. */
  push(chunk: Buffer): void {
    let at = this.#greeted < this.#preface.length ? this.#greet(chunk) : 0;
    while (at < chunk.length) {
      if (this.#payload !== undefined) at = this.#fillPayload(this.#payload, chunk, at);
      else if (this.#headBytes > 0 || chunk.length - at < frameHeadBytes) at = this.#fillHead(chunk, at);
      else at = this.#whole(chunk, at);
    }
  }

  #greet(chunk: Buffer): number {
    const count = Math.min(chunk.length, preface.length - this.#greeted);
    if (preface.compare(chunk, 0, count, this.#greeted, this.#greeted + count) !== 0) throw new ConnectionError(errorCodes.protocol, 'this is no HTTP/2');
    this.#greeted += count;
    return count;
  }

  #whole(chunk: Buffer, at: number): number {
    const start = at + frameHeadBytes;
    const end = start + lengthIn(chunk, at);
    if (end <= chunk.length) {
      this.#tell(chunk, at, chunk.subarray(start, end));
      return end;
    }
    chunk.copy(this.#head, 0, at, start);
    this.#beginPayload();
    return start;
  }

  #fillHead(chunk: Buffer, at: number): number {
    const copied = chunk.copy(this.#head, this.#headBytes, at);
    this.#headBytes += copied;
    if (this.#headBytes === frameHeadBytes) this.#beginPayload();
    return at + copied;
  }

  #beginPayload(): void {
    const length = lengthIn(this.#head, 0);
    this.#headBytes = 0;
    this.#payloadBytes = 0;
    if (length === 0) this.#tell(this.#head, 0, Buffer.alloc(0));
    else this.#payload = Buffer.allocUnsafeSlow(length);
  }

  #fillPayload(payload: Buffer, chunk: Buffer, at: number): number {
    const copied = chunk.copy(payload, this.#payloadBytes, at);
    this.#payloadBytes += copied;
    if (this.#payloadBytes === payload.length) {
      this.#payload = undefined;
      this.#tell(this.#head, 0, payload);
    }
    return at + copied;
  }

  #tell(head: Buffer, at: number, payload: Buffer): void {
    this.#take(head[at + 3] as number, head[at + 4] as number, streamIdIn(head, at), payload);
  }
}

// Byte by byte: the readers of Buffer cost 5 µs a frame until V8 has optimized them.

function streamIdIn(head: Buffer, at: number): number {
  const high = ((head[at + 5] as number) & 0x7f) << 24;
  return high | ((head[at + 6] as number) << 16) | ((head[at + 7] as number) << 8) | (head[at + 8] as number);
}

function lengthIn(head: Buffer, at: number): number {
  const length = ((head[at] as number) << 16) | ((head[at + 1] as number) << 8) | (head[at + 2] as number);
  if (length > defaultMaxFrameBytes) throw new ConnectionError(errorCodes.frameSize, 'a frame is too large');
  return length;
}
