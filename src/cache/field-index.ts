// Items by the text of one field: `spec.nodeName` of pods, so that a kubelet's list does not look at every pod.
import type { StoredItem } from '#cache/cache-item.ts';

interface Bucket {
  /** The one copy of the text that all items of the bucket share. */
  readonly value: string;
  readonly items: Map<string, StoredItem>;
}

export class FieldIndexes {
  readonly #indexes: readonly Map<string, Bucket>[];

  constructor(count: number) {
    this.#indexes = Array.from({ length: count }, () => new Map());
  }

  add(item: StoredItem): void {
    if (this.#indexes.length === 0) return;
    const buckets = this.#indexes.map((index, i) => bucketOf(index, item.indexed[i] ?? ''));
    item.shareIndexed(buckets.map(({ value }) => value));
    for (const { items } of buckets) items.set(item.key, item);
  }

  remove(item: StoredItem): void {
    for (const [i, index] of this.#indexes.entries()) {
      const bucket = index.get(item.indexed[i] ?? '');
      bucket?.items.delete(item.key);
      if (bucket?.items.size === 0) index.delete(bucket.value);
    }
  }

  /** In no particular order. */
  items(index: number, value: string): Iterable<StoredItem> {
    return this.#indexes[index]?.get(value)?.items.values() ?? [];
  }
}

function bucketOf(index: Map<string, Bucket>, value: string): Bucket {
  let bucket = index.get(value);
  if (bucket === undefined) {
    bucket = { value, items: new Map() };
    index.set(value, bucket);
  }
  return bucket;
}
