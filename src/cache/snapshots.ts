// The state of a resource at an earlier revision, for paged lists: from the nearest later checkpoint, changes are undone.
import type { StoredItem } from '#cache/cache-item.ts';
import type { History } from '#cache/history.ts';
import { OrderedItems, type OrderedView } from '#cache/ordered-items.ts';

interface Checkpoint {
  readonly revision: number;
  readonly view: OrderedView<StoredItem>;
}

const CHECKPOINT_EVERY = 256;
const REMEMBERED = 16;

export class Snapshots {
  readonly #items: OrderedItems<StoredItem>;
  readonly #history: History;
  /** Oldest first. */
  #checkpoints: Checkpoint[] = [];
  #sinceCheckpoint = 0;
  /** What was asked for lately: the pages of one list ask for the same revision again and again. */
  readonly #recent = new Map<number, OrderedView<StoredItem>>();

  constructor(items: OrderedItems<StoredItem>, history: History) {
    this.#items = items;
    this.#history = history;
  }

  /** To be called after each change. */
  changed(): void {
    this.#dropForgotten();
    if (++this.#sinceCheckpoint < CHECKPOINT_EVERY) return;
    this.#sinceCheckpoint = 0;
    this.#checkpoints.push({ revision: this.#history.last, view: this.#items.snapshot() });
  }

  /** Undefined when history does not reach back to `revision`. */
  at(revision: number): OrderedView<StoredItem> | undefined {
    if (revision >= this.#history.last) return this.#items.snapshot();
    if (revision < this.#history.floor) return undefined;
    const view = this.#recent.get(revision) ?? this.#undoTo(revision);
    this.#recent.delete(revision);
    this.#recent.set(revision, view);
    if (this.#recent.size > REMEMBERED) this.#recent.delete(this.#recent.keys().next().value as number);
    return view;
  }

  #undoTo(revision: number): OrderedView<StoredItem> {
    const later = this.#checkpoints.find((checkpoint) => checkpoint.revision >= revision);
    const changes = this.#history.after(revision) ?? [];
    const undone = later ? changes.filter((change) => change.revision <= later.revision) : changes;
    const items = new OrderedItems(later?.view ?? this.#items.snapshot());
    for (const { key, previous } of undone.toReversed()) {
      if (previous) items.set(previous);
      else items.delete(key);
    }
    return items.snapshot();
  }

  #dropForgotten(): void {
    const { floor } = this.#history;
    while (this.#checkpoints[0] && this.#checkpoints[0].revision < floor) this.#checkpoints.shift();
    for (const revision of this.#recent.keys()) if (revision < floor) this.#recent.delete(revision);
  }
}
