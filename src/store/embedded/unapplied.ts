// Writes that are durable in the journal and not yet in LMDB, as readers need them: on top of a snapshot.
import { compareKeys, inRange } from '#store/key-order.ts';
import type { Change, Entry, KeyRange, Revision } from '#store/store.ts';

export interface RecentState {
  readonly key: string;
  /** Undefined: it was deleted. */
  readonly entry: Entry | undefined;
}

export class Unapplied {
  #changes: Change[] = [];
  #latest = new Map<string, Change>();

  /** They follow all that were added before. */
  add(changes: readonly Change[]): void {
    for (const change of changes) {
      this.#changes.push(change);
      this.#latest.set(change.key, change);
    }
  }

  /** LMDB has the changes up to this revision. */
  forgetUpTo(revision: Revision): void {
    this.#changes = this.#changes.filter((change) => change.revision > revision);
    // Another map: one that is emptied stays tied to what it held (base/memory/churning.ts).
    this.#latest = new Map(this.#changes.map((change) => [change.key, change]));
  }

  get lastRevision(): Revision {
    return this.#changes.at(-1)?.revision ?? 0;
  }

  /** Of the values they hold in memory: what was written, and what that replaced. */
  get byteLength(): number {
    return this.#changes.reduce((sum, { value, previous }) => sum + (value?.length ?? 0) + (previous?.value.length ?? 0), 0);
  }

  /** Undefined for keys that were not written. */
  latest(key: string): Change | undefined {
    return this.#latest.get(key);
  }

  /** The last change of a key up to a revision. */
  lastUpTo(key: string, at: Revision): Change | undefined {
    const latest = this.#latest.get(key);
    if (latest === undefined || latest.revision <= at) return latest;
    return this.#changes.findLast((change) => change.key === key && change.revision <= at);
  }

  after(revision: Revision): readonly Change[] {
    return this.#changes.length === 0 ? this.#changes : this.#changes.filter((change) => change.revision > revision);
  }

  /** What became of the keys of a range, in the order of keys. */
  statesAt(range: KeyRange, at: Revision): readonly RecentState[] {
    if (this.#changes.length === 0) return [];
    const states = new Map<string, RecentState>();
    for (const change of this.#changes)
      if (change.revision <= at && inRange(range, change.key)) states.set(change.key, { key: change.key, entry: entryOf(change) });
    return [...states.values()].sort((a, b) => compareKeys(a.key, b.key));
  }
}

export function entryOf({ key, value, revision }: Change): Entry | undefined {
  return value && { key, value, revision };
}
