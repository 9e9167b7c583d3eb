// State, indexes and history of a resource, kept in step: every change goes through `apply`.
import { type ItemKind, cachedItem, type StoredItem } from '#cache/cache-item.ts';
import { FieldIndexes } from '#cache/field-index.ts';
import { History, type HistoryLimits, type ItemChange } from '#cache/history.ts';
import { OrderedItems } from '#cache/ordered-items.ts';
import { Snapshots } from '#cache/snapshots.ts';
import type { Change, Entry } from '#store/store.ts';

export class CacheState {
  readonly items = new OrderedItems<StoredItem>();
  readonly indexes: FieldIndexes;
  readonly history: History;
  readonly snapshots: Snapshots;
  readonly #kind: ItemKind;

  /** `base`: the state, once all entries are inserted, is that of this revision. */
  constructor(kind: ItemKind, limits: HistoryLimits, base: number) {
    this.#kind = kind;
    this.indexes = new FieldIndexes(kind.indexPaths.length);
    this.history = new History(base, limits, ({ previous }) => previous?.release());
    this.snapshots = new Snapshots(this.items, this.history);
  }

  insert(entry: Entry): void {
    const item = cachedItem(this.#kind, entry);
    this.items.set(item);
    this.indexes.add(item);
  }

  /** Undefined when there is nothing new in it. */
  apply({ key, value, revision }: Change): ItemChange | undefined {
    if (revision <= this.history.floor) return undefined;
    const item = value && cachedItem(this.#kind, { key, value, revision });
    const previous = item ? this.items.set(item) : this.items.delete(key);
    if (!item && !previous) return undefined;
    if (previous) this.indexes.remove(previous);
    if (item) this.indexes.add(item);
    const change = { revision, key, previous, item };
    this.history.add(change);
    this.snapshots.prune();
    return change;
  }

  release(): void {
    this.history.clear();
    for (const item of this.items.view.from(0)) item.release();
  }
}
