// Items by the text of one field: `spec.nodeName` of pods, so that a kubelet's list does not look at every pod.
import type { StoredItem } from '#cache/cache-item.ts';

interface Bucket {
  readonly value: string;
  readonly items: Set<StoredItem>;
}

export class FieldIndexes {
  readonly #indexes: readonly Map<string, Bucket>[];

  constructor(count: number) {
    this.#indexes = Array.from({ length: count }, () => new Map());
  }

  add(item: StoredItem): void {
    if (this.#indexes.length === 0) return;
    for (const [i, index] of this.#indexes.entries()) bucketOf(index, item.indexed[i] ?? '').items.add(item);
  }

  remove(item: StoredItem): void {
    for (const [i, index] of this.#indexes.entries()) {
      const bucket = index.get(item.indexed[i] ?? '');
      bucket?.items.delete(item);
      if (bucket?.items.size === 0) index.delete(bucket.value);
    }
  }

  /** In no particular order. */
  items(index: number, value: string): Iterable<StoredItem> {
    return this.#indexes[index]?.get(value)?.items ?? [];
  }
}

function bucketOf(index: Map<string, Bucket>, value: string): Bucket {
  let bucket = index.get(value);
  if (bucket === undefined) {
    bucket = { value, items: new Set() };
    index.set(value, bucket);
  }
  return bucket;
}
