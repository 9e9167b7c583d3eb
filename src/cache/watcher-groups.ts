// Who must hear of a change: watchers that select the same form a group, which decides once for all of them, and groups
// are found by what a match must have (key, name, indexed field, label, namespace), so that a change touches few of them.
import { type CacheEvent, ChangeEvents } from '#cache/cache-event.ts';
import type { StoredItem } from '#cache/cache-item.ts';
import type { ItemChange } from '#cache/history.ts';
import type { Matcher } from '#cache/selection.ts';

export interface Listener {
  readonly matcher: Matcher;
  offer(event: CacheEvent): void;
}

interface Group<L> {
  readonly matcher: Matcher;
  readonly listeners: Set<L>;
}

type Groups<L> = Map<string, Group<L>>;

export class WatcherGroups<L extends Listener> {
  /** Bucket → text of the selection → group. */
  readonly #buckets = new Map<string, Groups<L>>();
  readonly #indexes: readonly number[];
  #size = 0;
  /** How many of them are found by a label: without any, labels of changes need not be read. */
  #byLabel = 0;

  constructor(indexes: number) {
    this.#indexes = Array.from({ length: indexes }, (_, i) => i);
  }

  get size(): number {
    return this.#size;
  }

  add(listener: L): void {
    const { matcher } = listener;
    const bucket = bucketOf(matcher);
    const groups = this.#buckets.get(bucket) ?? new Map<string, Group<L>>();
    const group = groups.get(matcher.text) ?? { matcher, listeners: new Set<L>() };
    if (group.listeners.has(listener)) return;
    group.listeners.add(listener);
    groups.set(matcher.text, group);
    this.#buckets.set(bucket, groups);
    this.#size++;
    if (isByLabel(matcher)) this.#byLabel++;
  }

  delete(listener: L): void {
    const bucket = bucketOf(listener.matcher);
    const groups = this.#buckets.get(bucket);
    const group = groups?.get(listener.matcher.text);
    if (!groups || !group?.listeners.delete(listener)) return;
    this.#size--;
    if (isByLabel(listener.matcher)) this.#byLabel--;
    if (group.listeners.size === 0) groups.delete(listener.matcher.text);
    if (groups.size === 0) this.#buckets.delete(bucket);
  }

  *[Symbol.iterator](): Generator<L> {
    for (const groups of this.#buckets.values()) for (const { listeners } of groups.values()) yield* listeners;
  }

  /** Tells everybody concerned, and says who was. */
  tell(change: ItemChange, told: Set<L>): void {
    if (this.#size === 0) return;
    const events = new ChangeEvents(change);
    for (const bucket of this.#bucketsOf(change)) {
      for (const { matcher, listeners } of this.#buckets.get(bucket)?.values() ?? []) {
        const event = events.for(matcher);
        if (event === undefined) continue;
        for (const listener of listeners) {
          listener.offer(event);
          told.add(listener);
        }
      }
    }
  }

  #bucketsOf({ key, previous, item }: ItemChange): Set<string> {
    const buckets = new Set([REST, `key ${key}`]);
    for (const state of [previous, item]) if (state) this.#addBuckets(state, buckets);
    return buckets;
  }

  #addBuckets(item: StoredItem, buckets: Set<string>): void {
    const { name, namespace } = item;
    buckets.add(`name ${name}`);
    buckets.add(`namespace ${namespace}`);
    for (const index of this.#indexes) buckets.add(`index ${index} ${item.indexed[index]}`);
    if (this.#byLabel === 0) return;
    for (const [key, value] of Object.entries(item.labels)) {
      buckets.add(`label  ${key}=${value}`);
      buckets.add(`label ${namespace} ${key}=${value}`);
    }
  }
}

const REST = 'rest';

/** The one place where a watcher with this selection waits. */
function bucketOf({ key, name, index, label, namespace }: Matcher): string {
  if (key !== undefined) return `key ${key}`;
  if (name !== undefined) return `name ${name}`;
  if (index !== undefined) return `index ${index.index} ${index.value}`;
  if (label !== undefined) return `label ${namespace} ${label}`;
  return namespace === '' ? REST : `namespace ${namespace}`;
}

function isByLabel(matcher: Matcher): boolean {
  return bucketOf(matcher).startsWith('label ');
}
