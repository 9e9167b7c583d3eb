// The last changes of a resource, oldest first: what a watch that begins in the past is told, and how to get from the
// present state back to an earlier one.
import type { StoredItem } from '#cache/cache-item.ts';

export interface ItemChange {
  readonly revision: number;
  readonly key: string;
  /** Undefined: the object was created. */
  readonly previous: StoredItem | undefined;
  /** Undefined: the object was deleted. */
  readonly item: StoredItem | undefined;
}

export interface HistoryLimits {
  readonly changes: number;
  /** Of objects that exist only in history, and of keeping books. */
  readonly bytes: number;
}

export class History {
  readonly #limits: HistoryLimits;
  /** Called for each change that falls out. */
  readonly #forget: (change: ItemChange) => void;
  #changes: ItemChange[] = [];
  /** Index of the oldest change in `#changes`; what stands before it is gone. */
  #first = 0;
  #bytes = 0;
  #floor: number;

  /** Knows every change after `floor`. */
  constructor(floor: number, limits: HistoryLimits, forget: (change: ItemChange) => void) {
    this.#floor = floor;
    this.#limits = limits;
    this.#forget = forget;
  }

  /** Changes after this revision are known, earlier ones are not. */
  get floor(): number {
    return this.#floor;
  }

  /** Of the last change, or the floor when there is none. */
  get last(): number {
    return this.#changes.at(-1)?.revision ?? this.#floor;
  }

  get size(): number {
    return this.#changes.length - this.#first;
  }

  add(change: ItemChange): void {
    this.#changes.push(change);
    this.#bytes += costOf(change);
    while (this.size > this.#limits.changes || (this.#bytes > this.#limits.bytes && this.size > 1)) this.#dropOldest();
    if (this.#first > 1_000 && this.#first * 2 > this.#changes.length) {
      this.#changes = this.#changes.slice(this.#first);
      this.#first = 0;
    }
  }

  /** Up to `count` changes after `revision`; undefined when some of them are forgotten. */
  after(revision: number, count = Number.POSITIVE_INFINITY): readonly ItemChange[] | undefined {
    if (revision < this.#floor) return undefined;
    const start = this.#firstAfter(revision);
    return this.#changes.slice(start, start + count);
  }

  clear(): void {
    while (this.size > 0) this.#dropOldest();
  }

  #dropOldest(): void {
    const oldest = this.#changes[this.#first] as ItemChange;
    this.#changes[this.#first++] = gone;
    this.#floor = oldest.revision;
    this.#bytes -= costOf(oldest);
    this.#forget(oldest);
  }

  #firstAfter(revision: number): number {
    let low = this.#first;
    let high = this.#changes.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#changes[middle] as ItemChange).revision <= revision) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

const gone: ItemChange = { revision: 0, key: '', previous: undefined, item: undefined };

const CHANGE_COST = 300;

function costOf({ previous }: ItemChange): number {
  return CHANGE_COST + (previous?.keptLength ?? 0);
}
