// What a watcher is told. All watchers that are told the same share one event, and with it the encoded forms.
import type { KubernetesObject } from '#api/object.ts';
import type { MaybePromise } from '#base/maybe-promise.ts';
import type { CacheItem } from '#cache/cache-item.ts';
import type { ItemChange } from '#cache/history.ts';
import type { Matcher } from '#cache/selection.ts';

export type CacheEventType = 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK';

export interface CacheEvent {
  readonly type: CacheEventType;
  /** Undefined only for bookmarks. DELETED: the last state that matched, with the resourceVersion of the change that ended it. */
  readonly item: CacheItem | undefined;
  readonly revision: number;
  /** The bookmark that ends the initial events. */
  readonly initialEnd: boolean;
  /** Encoded frames by media type: the first who needs one makes it, all others use it. */
  readonly shared: Map<string, Buffer>;
  /** The object in other versions, where making them has to be waited for; by apiVersion. */
  readonly converted: Map<string, MaybePromise<KubernetesObject>>;
}

class SharedEvent implements CacheEvent {
  readonly type: CacheEventType;
  readonly item: CacheItem | undefined;
  readonly revision: number;
  readonly initialEnd: boolean;
  #shared: Map<string, Buffer> | undefined;
  #converted: Map<string, MaybePromise<KubernetesObject>> | undefined;

  constructor(type: CacheEventType, item: CacheItem | undefined, revision: number, initialEnd = false) {
    this.type = type;
    this.item = item;
    this.revision = revision;
    this.initialEnd = initialEnd;
  }

  get shared(): Map<string, Buffer> {
    this.#shared ??= new Map();
    return this.#shared;
  }

  get converted(): Map<string, MaybePromise<KubernetesObject>> {
    this.#converted ??= new Map();
    return this.#converted;
  }
}

export function addedEvent(item: CacheItem): CacheEvent {
  return new SharedEvent('ADDED', item, item.revision);
}

export function bookmarkEvent(revision: number, initialEnd = false): CacheEvent {
  return new SharedEvent('BOOKMARK', undefined, revision, initialEnd);
}

/** The events that one change may cause, each made at most once. */
export class ChangeEvents {
  readonly #change: ItemChange;
  #added: CacheEvent | undefined;
  #modified: CacheEvent | undefined;
  #deleted: CacheEvent | undefined;

  constructor(change: ItemChange) {
    this.#change = change;
  }

  /** What the change means to a watcher with this selection; undefined: nothing. */
  for(matcher: Matcher): CacheEvent | undefined {
    const { previous, item } = this.#change;
    const before = previous !== undefined && matcher.matches(previous);
    const now = item !== undefined && matcher.matches(item);
    const { revision } = this.#change;
    if (now && before) return (this.#modified ??= new SharedEvent('MODIFIED', item, revision));
    if (now) return (this.#added ??= new SharedEvent('ADDED', item, revision));
    return before ? (this.#deleted ??= new SharedEvent('DELETED', previous.at(revision), revision)) : undefined;
  }
}
