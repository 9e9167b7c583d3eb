interface Waiter {
  /** How many bytes must have been taken. */
  readonly taken: number;
  readonly resolve: () => void;
}

/** A writer that has put in more than this waits until half of it is gone. */
const highWater = 64 * 1024;

/** The bytes of one answer that wait for their turn on the connection. Pieces are kept as they are: many streams may share one. */
export class PendingData {
  #pieces: Uint8Array[] = [];
  /** How much of the first piece is gone. */
  #at = 0;
  #put = 0;
  #taken = 0;
  #waiters: Waiter[] = [];

  get length(): number {
    return this.#put - this.#taken;
  }

  put(piece: Uint8Array): void {
    if (piece.length === 0) return;
    this.#pieces.push(piece);
    this.#put += piece.length;
  }

  /** Undefined: more may be put at once. */
  room(): Promise<void> | undefined {
    return this.length < highWater ? undefined : this.#whenTaken(this.#put - highWater / 2);
  }

  /** When nothing refers any more to what has been put so far. */
  emptied(): Promise<void> {
    return this.length === 0 ? Promise.resolve() : this.#whenTaken(this.#put);
  }

  /** Moves that many bytes. */
  take(out: Buffer, start: number, count: number): void {
    for (let at = start, left = count; left > 0; ) {
      const piece = this.#pieces[0] as Uint8Array;
      const length = Math.min(left, piece.length - this.#at);
      out.set(length === piece.length ? piece : piece.subarray(this.#at, this.#at + length), at);
      at += length;
      left -= length;
      this.#at += length;
      if (this.#at < piece.length) break;
      this.#pieces.shift();
      this.#at = 0;
    }
    this.#taken += count;
    if (this.#waiters.length > 0) this.#wake();
  }

  /** The client will not read it: writers that wait are let go. */
  drop(): void {
    this.#pieces = [];
    this.#at = 0;
    this.#taken = this.#put;
    this.#wake();
  }

  #whenTaken(taken: number): Promise<void> {
    return new Promise((resolve) => this.#waiters.push({ taken, resolve }));
  }

  #wake(): void {
    const through = this.#waiters.filter(({ taken }) => taken <= this.#taken);
    if (through.length === 0) return;
    this.#waiters = this.#waiters.filter(({ taken }) => taken > this.#taken);
    for (const { resolve } of through) resolve();
  }
}
