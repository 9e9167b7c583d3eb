// Lets LMDB take over what the journal has when nothing was written for a while. Otherwise that waits for a half of the journal to be full, and the writes of the
// last burst would stay in memory for as long as nobody writes (docs/decisions/0010-memory-when-idle.md).
import type { Unapplied } from '#store/embedded/unapplied.ts';
import type { Timers } from '#base/timers.ts';
import type { Revision } from '#store/store.ts';

/** A server is collected after six idle seconds (base/memory/idle-collection.ts): by then nothing holds these writes any more. */
const quietMs = 2_000;
/** Heartbeats of an idle cluster, some kB a minute, are not worth a transaction each. */
const worthBytes = 128 << 10;
const retryMs = 5_000;

export interface TakeoverTarget {
  readonly unapplied: Unapplied;
  /** Brings what only the journal has to LMDB. */
  apply(): Promise<void>;
}

export class QuietTakeover {
  readonly #timers: Timers;
  readonly #target: TakeoverTarget;
  #cancel: (() => void) | undefined;
  #isStopped = false;

  constructor(timers: Timers, target: TakeoverTarget) {
    this.#timers = timers;
    this.#target = target;
  }

  /** Something was written. */
  written(): void {
    this.#wait(quietMs);
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel?.();
  }

  /** One wait at a time: a write may come while LMDB takes over, and begin one. */
  #wait(milliseconds: number): void {
    if (this.#isStopped || this.#cancel !== undefined) return;
    const last = this.#target.unapplied.lastRevision;
    this.#cancel = this.#timers.after(milliseconds, () => this.#look(last));
  }

  /** `last`: the last write when the wait began. */
  #look(last: Revision): void {
    this.#cancel = undefined;
    const { unapplied } = this.#target;
    if (unapplied.lastRevision !== last) return this.#wait(quietMs);
    if (unapplied.byteLength < worthBytes) return;
    // The store says what the disk refuses; it may take it later.
    this.#target.apply().catch(() => this.#wait(retryMs));
  }
}
