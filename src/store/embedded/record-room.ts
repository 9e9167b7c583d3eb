// Where the records of one transaction are put together. LMDB reads them until the transaction is over and never again, so that the next
// one uses the same room: a buffer for each would keep the garbage collector busy.

const SMALLEST = 64 << 10;
/** What a single large group needed is given back. */
const KEPT = 1 << 20;

export class RecordRoom {
  #piece = Buffer.alloc(0);
  #used = 0;

  /** Holds anything, to be written over; good until `reuse`. */
  take(length: number): Buffer {
    if (this.#used + length > this.#piece.length) {
      this.#piece = Buffer.allocUnsafeSlow(Math.max(SMALLEST, length, Math.min(this.#piece.length * 2, KEPT)));
      this.#used = 0;
    }
    const start = this.#used;
    this.#used += length;
    return this.#piece.subarray(start, this.#used);
  }

  /** The transaction is over: LMDB has read what it wrote. */
  reuse(): void {
    this.#used = 0;
  }

  /** LMDB may still read it. */
  abandon(): void {
    this.#piece = Buffer.alloc(0);
    this.#used = 0;
  }
}
