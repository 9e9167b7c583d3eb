// Where the values of a list are put: side by side in large pieces, because allocating each by itself costs more than
// copying it. A value keeps its whole piece alive, so this is for readers that soon let go of all of them.

const SMALLEST = 16 << 10;
const LARGEST = 256 << 10;

export class Slab {
  #piece = Buffer.alloc(0);
  #used = 0;

  copy(bytes: Buffer, start: number, end: number): Buffer {
    const length = end - start;
    if (length > LARGEST / 4) return copyAlone(bytes, start, end);
    if (this.#used + length > this.#piece.length) this.#grow(length);
    const from = this.#used;
    this.#used += length;
    bytes.copy(this.#piece, from, start, end);
    return this.#piece.subarray(from, this.#used);
  }

  #grow(needed: number): void {
    const size = Math.min(Math.max(SMALLEST, this.#piece.length * 2), LARGEST);
    this.#piece = Buffer.allocUnsafeSlow(Math.max(size, needed));
    this.#used = 0;
  }
}

export function copyAlone(bytes: Buffer, start: number, end: number): Buffer {
  const copy = Buffer.allocUnsafeSlow(end - start);
  bytes.copy(copy, 0, start, end);
  return copy;
}
