// Buffers that end with the answer to a request: pieces of large slabs, side by side. A buffer of its own is malloc's, and malloc's heap can give back only what lies
// behind everything that lives, so that buffers which come and go between such as stay leave holes in it. A slab is so large that malloc gives it a mapping of
// its own (`MALLOC_MMAP_THRESHOLD_` of the launchers), which is gone with the last piece. And a piece costs less than a buffer.
// Whoever keeps a piece keeps its whole slab. So this is not for values of writes, which stores keep, nor for what watches keep; and an answer that has to wait
// for a slow client is copied (`apart`).

export const slabBytes = 256 << 10;
/** From here on a buffer of its own wastes less than the rest of a slab. */
const largestPiece = slabBytes / 8;

let slab = Buffer.alloc(0);
let used = 0;

/** Holds anything, to be written over. */
export function shortLived(length: number): Buffer {
  if (length > largestPiece) return Buffer.allocUnsafeSlow(length);
  if (used + length > slab.length) {
    slab = Buffer.allocUnsafeSlow(slabBytes);
    used = 0;
  }
  const start = used;
  used += length;
  return slab.subarray(start, used);
}

/** A copy of `bytes` from `start` to `end`. */
export function shortLivedCopy(bytes: Uint8Array, start = 0, end = bytes.length): Buffer {
  const copy = shortLived(end - start);
  copy.set(start === 0 && end === bytes.length ? bytes : bytes.subarray(start, end));
  return copy;
}

/** For bytes that have to wait after all: a copy of a piece, so that its slab can go; others as they are. */
export function apart(bytes: Uint8Array): Uint8Array {
  return bytes.buffer.byteLength === slabBytes && bytes.length <= largestPiece ? Buffer.from(bytes) : bytes;
}
