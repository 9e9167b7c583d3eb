import { ChurningMap } from '#base/memory/churning.ts';

/** How a stream came to its end: what is still on its way to one that we have reset is no mistake of the peer. */
export type End = 'reset by us' | 'reset by the peer' | 'both sides';

/** As many as may have been open at once, and again as many. */
const remembered = 256;

/** The last streams of a connection that have ended. */
export class ClosedStreams {
  readonly #ends = new ChurningMap<number, End>();

  add(id: number, end: End): void {
    this.#ends.set(id, end);
    if (this.#ends.size <= remembered) return;
    for (const oldest of this.#ends.keys()) {
      this.#ends.delete(oldest);
      return;
    }
  }

  endOf(id: number): End | undefined {
    return this.#ends.get(id);
  }
}
