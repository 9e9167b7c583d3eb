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
  /** How many of them are found by what: a change is not looked at for what nobody waits for. */
  readonly #waiting: Record<Way, number> = { key: 0, name: 0, index: 0, label: 0, namespace: 0, rest: 0 };

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
    this.#waiting[wayOf(matcher)]++;
  }

  delete(listener: L): void {
    const bucket = bucketOf(listener.matcher);
    const groups = this.#buckets.get(bucket);
    const group = groups?.get(listener.matcher.text);
    if (!groups || !group?.listeners.delete(listener)) return;
    this.#size--;
    this.#waiting[wayOf(listener.matcher)]--;
    if (group.listeners.size === 0) groups.delete(listener.matcher.text);
    if (groups.size === 0) this.#buckets.delete(bucket);
  }

  *[Symbol.iterator](): Generator<L> {
    for (const groups of this.#buckets.values()) for (const { listeners } of groups.values()) yield* listeners;
  }

  /** Tells everybody concerned, and says who was. */
  tell(change: ItemChange, told: { add(listener: L): unknown }): void {
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
    const buckets = new Set<string>();
    if (this.#waiting.rest > 0) buckets.add(REST);
    if (this.#waiting.key > 0) buckets.add(`key ${key}`);
    if (previous) this.#addBuckets(previous, buckets);
    if (item) this.#addBuckets(item, buckets);
    return buckets;
  }

  #addBuckets(item: StoredItem, buckets: Set<string>): void {
    const waiting = this.#waiting;
    if (waiting.name > 0) buckets.add(`name ${item.name}`);
    if (waiting.namespace > 0) buckets.add(`namespace ${item.namespace}`);
    if (waiting.index > 0) for (const index of this.#indexes) buckets.add(`index ${index} ${item.indexed[index]}`);
    if (waiting.label === 0) return;
    const { namespace } = item;
    for (const [key, value] of Object.entries(item.labels)) {
      buckets.add(`label  ${key}=${value}`);
      buckets.add(`label ${namespace} ${key}=${value}`);
    }
  }
}

const REST = 'rest';

/** What a match must have, by which the watcher is found. */
type Way = 'key' | 'name' | 'index' | 'label' | 'namespace' | 'rest';

function wayOf({ key, name, index, label, namespace }: Matcher): Way {
  if (key !== undefined) return 'key';
  if (name !== undefined) return 'name';
  if (index !== undefined) return 'index';
  if (label !== undefined) return 'label';
  return namespace === '' ? 'rest' : 'namespace';
}

/** The one place where a watcher with this selection waits. */
function bucketOf(matcher: Matcher): string {
  const { key, name, index, label, namespace } = matcher;
  switch (wayOf(matcher)) {
    case 'key':
      return `key ${key}`;
    case 'name':
      return `name ${name}`;
    case 'index':
      return `index ${index?.index} ${index?.value}`;
    case 'label':
      return `label ${namespace} ${label}`;
    case 'namespace':
      return `namespace ${namespace}`;
    case 'rest':
      return REST;
  }
}
