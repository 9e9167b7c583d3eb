// Buffers that live about as long as each other: pieces of large slabs, side by side. A buffer of its own is malloc's, and malloc's heap can give back only what lies
// behind everything that lives, so that buffers which come and go between such as stay leave holes in it. A slab is so large that malloc gives it a mapping of
// its own, which is gone with the last piece. And a piece costs less than a buffer.
// Whoever keeps a piece keeps its whole slab. So what ends at another time is in other slabs (values of writes, which a store may keep until they are where they
// belong), and what stays is copied (`apart`): values that the memory store keeps, answers that have to wait for a slow client.

/**
 * malloc takes a slab out of a hole of its heap, or from the end of it, where that is large enough (`MALLOC_TRIM_THRESHOLD_` of the launchers), and only else maps one:
 * slabs of 256 kB were often there, and let the heap grow (docs/decisions/0010-memory-when-idle.md).
 */
export const slabBytes = 1 << 20;
/** A larger buffer of its own wastes less than what it would leave of a slab. */
const largestPiece = 32 << 10;

export class Slabs {
  #slab = Buffer.alloc(0);
  #used = 0;

  /** Holds anything, to be written over. */
  piece(length: number): Buffer {
    if (length > largestPiece) return Buffer.allocUnsafeSlow(length);
    if (this.#used + length > this.#slab.length) {
      this.#slab = Buffer.allocUnsafeSlow(slabBytes);
      this.#used = 0;
    }
    const start = this.#used;
    this.#used += length;
    return this.#slab.subarray(start, this.#used);
  }

  /** A copy of `bytes` from `start` to `end`. */
  copy(bytes: Uint8Array, start = 0, end = bytes.length): Buffer {
    const copy = this.piece(end - start);
    copy.set(start === 0 && end === bytes.length ? bytes : bytes.subarray(start, end));
    return copy;
  }
}

/** What ends with the answer to a request. */
const ofAnswers = new Slabs();

/** Holds anything, to be written over. */
export function shortLived(length: number): Buffer {
  return ofAnswers.piece(length);
}

/** A copy of `bytes` from `start` to `end`. */
export function shortLivedCopy(bytes: Uint8Array, start?: number, end?: number): Buffer {
  return ofAnswers.copy(bytes, start, end);
}

/** For bytes that stay after all: a copy of a piece, so that its slab can go; others as they are. */
export function apart(bytes: Buffer): Buffer;
export function apart(bytes: Uint8Array): Uint8Array;
export function apart(bytes: Uint8Array): Uint8Array {
  return bytes.buffer.byteLength === slabBytes && bytes.length <= largestPiece ? Buffer.from(bytes) : bytes;
}
