// How much history there is: what has been given up, and what must not be given up yet because a reader of the past has pinned it.
import type { Revision } from '#store/store.ts';

export class Retention {
  readonly #pins = new Map<object, Revision>();
  #compactedAt: Revision = 0;

  /** History before this revision is given up: caches that still have it do not show it, as apiserver's watch cache. */
  get compactedAt(): Revision {
    return this.#compactedAt;
  }

  /** The state at `revision` and history after it stay until the function returned is called. */
  pin(revision: Revision): () => void {
    const pin = {};
    this.#pins.set(pin, revision);
    return () => void this.#pins.delete(pin);
  }

  /** Gives up history before `revision`, or before the oldest pin. Returns the revision up to which the store may compact. */
  giveUpBefore(revision: Revision): Revision {
    const limit = Math.min(revision, ...this.#pins.values());
    this.#compactedAt = Math.max(this.#compactedAt, limit);
    return limit;
  }
}
