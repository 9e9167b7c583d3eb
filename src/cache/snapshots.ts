// The state of a resource at an earlier revision, for paged lists: from the nearest later state known, changes are undone.
import type { StoredItem } from '#cache/cache-item.ts';
import type { History, ItemChange } from '#cache/history.ts';
import { OrderedItems, type OrderedView } from '#cache/ordered-items.ts';

type View = OrderedView<StoredItem>;

const REMEMBERED = 16;
/** About 10 ms of undoing; what lies further back is read from the store. */
const UNDO_LIMIT = 10_000;

export class Snapshots {
  readonly #items: OrderedItems<StoredItem>;
  readonly #history: History;
  /** By revision, last used last: the pages of one list ask for the same state again and again. */
  readonly #recent = new Map<number, View>();

  constructor(items: OrderedItems<StoredItem>, history: History) {
    this.#items = items;
    this.#history = history;
  }

  /** Undefined when history does not reach back to `revision`, or when the way back is too long. */
  at(revision: number): View | undefined {
    if (revision >= this.#history.last) return this.#items.snapshot();
    if (revision < this.#history.floor) return undefined;
    const view = this.#recent.get(revision) ?? this.#undoTo(revision);
    if (view) this.#remember(revision, view);
    return view;
  }

  /** Snapshots that history has left behind go with it: they would keep old objects in memory. */
  prune(): void {
    for (const revision of this.#recent.keys()) if (revision < this.#history.floor) this.#recent.delete(revision);
  }

  #remember(revision: number, view: View): void {
    this.#recent.delete(revision);
    this.#recent.set(revision, view);
    if (this.#recent.size > REMEMBERED) this.#recent.delete(this.#recent.keys().next().value as number);
  }

  #undoTo(revision: number): View | undefined {
    const later = Math.min(...[...this.#recent.keys()].filter((known) => known > revision));
    const changes = (this.#history.after(revision) ?? []).filter((change) => change.revision <= later);
    if (changes.length > UNDO_LIMIT) return undefined;
    return undone(this.#recent.get(later) ?? this.#items.snapshot(), changes);
  }
}

function undone(view: View, changes: readonly ItemChange[]): View {
  const items = new OrderedItems(view);
  for (const { key, previous } of changes.toReversed()) {
    if (previous) items.set(previous);
    else items.delete(key);
  }
  return items.snapshot();
}
