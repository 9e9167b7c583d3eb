// Which store the objects of a resource lie in: one for all of them, but for those that have a store of their own (--etcd-servers-overrides).
// Revisions of different stores have nothing to do with each other.
import { Retention } from '#store/retention.ts';
import type { Store } from '#store/store.ts';

export interface Place {
  readonly store: Store;
  readonly retention: Retention;
}

export interface PlacedResource {
  readonly group: string;
  readonly plural: string;
}

/** A resource, or all of a group (`*`), whose objects lie in another store. */
export interface Placement {
  readonly group: string;
  readonly resource: string;
  readonly store: Store;
}

export class Places {
  readonly main: Place;
  /** In the order in which they were named; a store that several resources share is one place. */
  readonly others: readonly Place[];
  readonly #byName = new Map<string, Place>();

  constructor(store: Store, placements: readonly Placement[] = []) {
    this.main = { store, retention: new Retention() };
    const byStore = new Map<Store, Place>();
    for (const { group, resource, store: other } of placements) {
      const place = byStore.get(other) ?? { store: other, retention: new Retention() };
      byStore.set(other, place);
      this.#byName.set(`${group}/${resource}`, place);
    }
    this.others = [...byStore.values()];
  }

  get all(): readonly Place[] {
    return [this.main, ...this.others];
  }

  /** What names the resource counts before what names its group. */
  of({ group, plural }: PlacedResource): Place {
    if (this.others.length === 0) return this.main;
    return this.#byName.get(`${group}/${plural}`) ?? this.#byName.get(`${group}/*`) ?? this.main;
  }

  async close(): Promise<void> {
    await Promise.all(this.all.map(({ store }) => store.close()));
  }
}
