// A body that comes in pieces, as one buffer that grows: kept as they are, pieces of a byte each would take two hundred times what they hold.

const nothing = Buffer.alloc(0);
/** A buffer grows to twice its size, but by no more than this at a time. */
const largestStep = 1024 * 1024;

export class GatheredBytes {
  #bytes: Buffer = nothing;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Copied, except for a first one that the caller lends. */
  add(piece: Buffer, isLent: boolean): void {
    const needed = this.#length + piece.length;
    if (this.#length === 0 && isLent) this.#bytes = piece;
    else {
      if (needed > this.#bytes.length) this.#bytes = grown(this.#bytes.subarray(0, this.#length), needed);
      this.#bytes.set(piece, this.#length);
    }
    this.#length = needed;
  }

  /** All of it; nothing may be added afterwards. */
  get whole(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  clear(): void {
    this.#bytes = nothing;
    this.#length = 0;
  }
}

function grown(bytes: Buffer, needed: number): Buffer {
  const larger = Buffer.allocUnsafeSlow(Math.max(needed, Math.min(bytes.length * 2, bytes.length + largestStep)));
  larger.set(bytes);
  return larger;
}
