// All objects of one resource as the server knows them: the latest state, the last changes, the state at revisions in
// between, and the watchers of all that.
import type { Asker } from '#api/asker.ts';
import type { KubernetesObject } from '#api/object.ts';
import type { StoredForm } from '#api/stored-form.ts';
import { UnreadableError, unreadableResource } from '#api/unreadable-error.ts';
import { andThen } from '#base/and-then.ts';
import { type Clock, systemClock } from '#base/clock.ts';
import type { MaybePromise } from '#base/maybe-promise.ts';
import { pause, systemTimers, type Timers } from '#base/timers.ts';
import type { CacheEvent } from '#cache/cache-event.ts';
import { type CacheItem, type ItemKind, type ItemMemory, newItemMemory, shapesFor, transientItem } from '#cache/cache-item.ts';
import { CacheState } from '#cache/cache-state.ts';
import { pathOf } from '#base/json-scan.ts';
import { ChurningSet } from '#base/memory/churning.ts';
import { listFromStore } from '#cache/list-from-store.ts';
import { candidates, type ListQuery, type ListResult, type ListSource, listItems, type RangeQuery } from '#cache/list-items.ts';
import { loadState } from '#cache/load-state.ts';
import { matcherOf, type Selection } from '#cache/selection.ts';
import { servedChanges, servedEntry } from '#cache/served-entries.ts';
import { type FeedListener, StoreFeed } from '#cache/store-feed.ts';
import { type CacheWatcher, type WatchedCache, Watcher } from '#cache/watcher.ts';
import { WatcherGroups } from '#cache/watcher-groups.ts';
import { Retention } from '#store/retention.ts';
import { type Change, CompactedError, type StoreReader } from '#store/store.ts';

export type { CacheEvent, CacheItem, CacheWatcher, ListQuery, ListResult, Selection };

export interface WatchCacheOptions {
  readonly store: StoreReader;
  /** `/registry/pods/`. */
  readonly prefix: string;
  readonly namespaced: boolean;
  readonly form: StoredForm;
  /** The texts of the selectable fields. */
  readonly fieldsOf: (object: KubernetesObject) => Readonly<Record<string, string>>;
  /** Selectable fields worth an index. The text of each is the string at that very path ('' when it is absent). */
  readonly indexedFields?: readonly string[];
  readonly clock?: Clock;
  readonly timers?: Timers;
  /** How many changes are remembered at most. */
  readonly historyLimit?: number;
  /** How many bytes of superseded objects are remembered at most. */
  readonly historyBytes?: number;
  /** How many events wait for a watcher before it has to read them from history. */
  readonly watcherBuffer?: number;
  readonly bookmarkEveryMs?: number;
  /** Shared with other caches; default: one of its own. */
  readonly feed?: StoreFeed;
  readonly memory?: ItemMemory;
  /** How many objects are kept as they are before shapes are learned. */
  readonly learnsAfter?: number;
  /** Which of the past may be shown; default: all there is. */
  readonly retention?: Retention;
}

export interface WatchQuery extends Selection {
  /** 'now': only changes; 'initial': the state as ADDED events first. A revision that has not come yet is waited for. */
  readonly after: number | 'now' | 'initial';
  readonly bookmarks: boolean;
  /** A bookmark with `initialEnd` follows the initial events. */
  readonly markInitialEnd?: boolean | undefined;
  /** When the watch is going to end: a bookmark comes shortly before. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

const FRESHNESS_WAIT_MS = 3_000;
const LAST_BOOKMARK_MS = 2_000;
const RETRY_MS = 1_000;

/** Whoever waits for the cache. The signal is asked for only when there is something to wait for: making one costs more than a read. */
type Waiting = Pick<Asker, 'signal'>;

export class WatchCache {
  readonly #options: Required<Omit<WatchCacheOptions, 'memory' | 'feed' | 'learnsAfter'>>;
  readonly #kind: ItemKind;
  readonly #feed: StoreFeed;
  readonly #ownFeed: boolean;
  readonly #stopped = new AbortController();
  readonly #watchers = new Set<Watcher>();
  readonly #live: WatcherGroups<Watcher>;
  /** Live watchers that have something new since the last flush. */
  readonly #told = new ChurningSet<Watcher>();
  #state: CacheState;
  #ready = deferred();
  #loading: Promise<void> | undefined;
  #phase: 'loading' | 'converting' | 'live' = 'loading';
  /** Changes that arrive while the state is being read or earlier ones are being converted. */
  #held: Change[] = [];
  /** Grows when changes were lost. */
  #generation = 0;
  #unsubscribe: (() => void) | undefined;
  #cancelBookmarks: (() => void) | undefined;

  constructor(options: WatchCacheOptions) {
    const { indexedFields = [], prefix, namespaced, form, fieldsOf, memory, feed, learnsAfter } = options;
    this.#options = { ...defaults, retention: new Retention(), ...options, indexedFields };
    const indexPaths = indexedFields.map(pathOf);
    this.#kind = { prefix, namespaced, form, fieldsOf, indexPaths, memory: memory ?? newItemMemory(), shapes: shapesFor(indexPaths, learnsAfter) };
    this.#ownFeed = feed === undefined;
    this.#feed = feed ?? new StoreFeed({ store: options.store, root: rootOf(prefix), timers: this.#options.timers });
    this.#live = new WatcherGroups(indexedFields.length);
    this.#state = new CacheState(this.#kind, this.#limits, 0);
  }

  start(): void {
    if (this.#loading) return;
    this.#unsubscribe = this.#feed.subscribe(this.#options.prefix, this.#listener);
    this.#loading = this.#load();
  }

  /**
   * Resolves when the state has been read and all changes of the store are in it. Another promise once changes were lost or have to be
   * converted; rejects where the stored form cannot be read, which is then tried again.
   */
  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  /** The state has been read, and nothing was lost or is being converted since. */
  get isReady(): boolean {
    return this.#phase === 'live';
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    this.#unsubscribe?.();
    this.#cancelBookmarks?.();
    this.#endWatchers();
    this.#ready.reject(new Error(`the cache of ${this.#options.prefix} was stopped`));
    if (this.#ownFeed) await this.#feed.stop();
    await this.#loading;
    this.#state.release();
  }

  /** Everything up to here is in the cache. */
  get revision(): number {
    const { last } = this.#state.history;
    return this.#phase === 'live' ? Math.max(last, this.#feed.revision) : last;
  }

  /** The revision of the last change to this resource: while it stays, so does everything here. */
  get changedAt(): number {
    return this.#state.history.last;
  }

  /** Watches may begin after this revision or a later one. */
  get oldest(): number {
    return this.#state.history.floor;
  }

  get count(): number {
    return this.#state.items.view.size;
  }

  get watchers(): number {
    return this.#watchers.size;
  }

  /** False when the cache has not come that far after three seconds. */
  async waitFor(revision: number, asker?: Waiting): Promise<boolean> {
    if (revision > this.revision) await this.#feed.waitFor(revision, FRESHNESS_WAIT_MS, asker?.signal);
    if (this.#phase === 'converting') await Promise.race([this.ready, pause(this.#options.timers, FRESHNESS_WAIT_MS, asker?.signal ?? this.#stopped.signal)]);
    return revision <= this.revision;
  }

  /**
   * Whether the cache has seen everything that the store has now: what a read without a resourceVersion must know. At once where the store is
   * in this process and the cache is up to date; false when it has not come that far after three seconds.
   */
  isLatest(asker?: Waiting): MaybePromise<boolean> {
    return andThen(this.#options.store.revision(), (now) => now <= this.revision || this.waitFor(now, asker));
  }

  /** What the cache has, however old. */
  get(namespace: string, name: string): CacheItem | undefined {
    return this.#state.items.view.get(this.#keyOf(namespace, name));
  }

  /** At least as new as the store is now; from the store where the cache is not. */
  readLatest(namespace: string, name: string, asker?: Waiting): MaybePromise<CacheItem | undefined> {
    if (!this.isReady) return this.#readFromStore(namespace, name);
    return andThen(this.#options.store.revision(), (now) =>
      now <= this.revision ? this.get(namespace, name) : this.#readOnceReached(now, namespace, name, asker),
    );
  }

  async #readOnceReached(revision: number, namespace: string, name: string, asker: Waiting | undefined): Promise<CacheItem | undefined> {
    return (await this.waitFor(revision, asker)) ? this.get(namespace, name) : this.#readFromStore(namespace, name);
  }

  /** Everything in a namespace ('' for all there is), for policy code that asks with every request. */
  inNamespace(namespace: string): readonly CacheItem[] {
    const { prefix, namespaced } = this.#options;
    return this.#state.items.view.startingWith(namespaced && namespace !== '' ? `${prefix}${namespace}/` : prefix);
  }

  /** What the cache has, however old. Before it has read the state, from the store: one object need not wait for all of them. */
  read(namespace: string, name: string): MaybePromise<CacheItem | undefined> {
    return this.isReady ? this.get(namespace, name) : this.#readFromStore(namespace, name);
  }

  async #readFromStore(namespace: string, name: string): Promise<CacheItem | undefined> {
    const entry = await this.#options.store.get(this.#keyOf(namespace, name));
    if (entry === undefined) return undefined;
    return transientItem(this.#kind, await servedEntry(this.#kind.form, entry));
  }

  /** What the cache has, however old. A promise when so much has to be looked at that others must get their turn in between. */
  list(query: RangeQuery): ListResult;
  list(query: ListQuery): ListResult | Promise<ListResult>;
  list(query: ListQuery): ListResult | Promise<ListResult> {
    return listItems(this.#latest, matcherOf(query, this.#options), query, this.#options.clock);
  }

  /** The state at a revision that the cache has reached. */
  listAt(query: ListQuery, revision: number): ListResult | 'compacted' | Promise<ListResult | 'compacted'> {
    const { store, retention } = this.#options;
    if (revision < retention.compactedAt) return 'compacted';
    const matcher = matcherOf(query, this.#options);
    const view = revision <= this.revision ? this.#state.snapshots.at(revision) : undefined;
    if (view === undefined) return listFromStore({ store, retention, kind: this.#kind, matcher, query, revision });
    return listItems({ view, snapshot: () => view, indexes: undefined, revision }, matcher, query, this.#options.clock);
  }

  watch(query: WatchQuery): CacheWatcher | 'too-old' {
    const after = typeof query.after === 'number' ? query.after : this.revision;
    if (after < this.oldest) return 'too-old';
    const matcher = matcherOf(query, this.#options);
    const watcher = new Watcher(this.#watched, {
      matcher,
      after,
      initial: query.after === 'initial' ? candidates(this.#latest, matcher) : undefined,
      bookmarks: query.bookmarks,
      markInitialEnd: query.markInitialEnd ?? false,
      bufferLimit: this.#options.watcherBuffer,
      onEnd: this.#arrangeEnd(query, () => watcher),
    });
    this.#watchers.add(watcher);
    if (query.bookmarks) this.#arrangeBookmarks();
    if (query.signal?.aborted) watcher.close();
    return watcher;
  }

  /** Sends a bookmark to every watcher that takes them, now. */
  bookmark(): void {
    for (const watcher of this.#watchers) if (watcher.bookmarks) watcher.bookmark();
  }

  #keyOf(namespace: string, name: string): string {
    const { prefix, namespaced } = this.#options;
    return namespaced ? `${prefix}${namespace}/${name}` : prefix + name;
  }

  get #latest(): ListSource {
    const { items, indexes } = this.#state;
    return { view: items.view, snapshot: () => items.snapshot(), indexes, revision: this.revision };
  }

  get #limits(): { changes: number; bytes: number } {
    return { changes: this.#options.historyLimit, bytes: this.#options.historyBytes };
  }

  readonly #listener: FeedListener = {
    apply: (change) => {
      if (this.#phase !== 'live') this.#held.push(change);
      else if (this.#kind.form.fromStore === undefined) this.#apply(change);
      else this.#convert(change);
    },
    flush: () => this.#flush(),
    restart: () => this.#restart(),
  };

  readonly #watched: WatchedCache = {
    revision: () => this.revision,
    last: () => this.#state.history.last,
    changesAfter: (revision, count) => this.#state.history.after(revision, count),
    goLive: (watcher) => this.#live.add(watcher),
    fallBehind: (watcher) => this.#live.delete(watcher),
  };

  #apply(change: Change): void {
    const applied = this.#state.apply(change);
    if (applied) this.#live.tell(applied, this.#told);
  }

  #flush(): void {
    for (const watcher of this.#told) watcher.flush();
    this.#told.clear();
  }

  /** A change that has to wait holds back those that follow it. */
  #convert(change: Change): void {
    const served = servedChanges(this.#kind.form, [change]);
    if (!(served instanceof Promise)) {
      for (const one of served) this.#apply(one);
      return;
    }
    this.#phase = 'converting';
    this.#ready = deferred();
    this.#loading = this.#catchUp(served);
  }

  /** All that was held back meanwhile is converted together. */
  async #catchUp(first: Promise<readonly Change[]>): Promise<void> {
    const generation = this.#generation;
    try {
      for (let served = await first; generation === this.#generation; served = await servedChanges(this.#kind.form, this.#held.splice(0))) {
        for (const change of served) this.#apply(change);
        this.#flush();
        if (this.#held.length === 0) return this.#goLive();
      }
    } catch (error) {
      if (generation !== this.#generation || this.#stopped.signal.aborted) return;
      this.#ready.reject(refusalOf(error));
      this.#restart();
    }
  }

  #goLive(): void {
    this.#phase = 'live';
    this.#ready.resolve();
  }

  #restart(): void {
    const wasLoading = this.#phase === 'loading';
    this.#phase = 'loading';
    this.#generation++;
    this.#held = [];
    this.#endWatchers();
    if (wasLoading) return;
    this.#ready = deferred();
    this.#loading = this.#load();
  }

  async #load(): Promise<void> {
    const { signal } = this.#stopped;
    await this.#feed.start();
    while (!signal.aborted) {
      const generation = this.#generation;
      const state = await this.#read();
      if (state === undefined || generation !== this.#generation) continue;
      this.#enter(state);
      if (this.#kind.form.fromStore === undefined) return this.#goLive();
      this.#phase = 'converting';
      return this.#catchUp(Promise.resolve([]));
    }
  }

  /** Undefined when it did not work and has to be tried again. */
  async #read(): Promise<CacheState | undefined> {
    const { store, timers } = this.#options;
    try {
      return await loadState(store, this.#kind, this.#limits, this.#stopped.signal);
    } catch (error) {
      if (error instanceof CompactedError) return undefined;
      if (this.#kind.form.fromStore !== undefined || error instanceof UnreadableError) this.#refuse(refusalOf(error));
      await pause(timers, RETRY_MS, this.#stopped.signal);
      return undefined;
    }
  }

  /** Those who wait for the state are told why it cannot be read; those who come later wait for the next attempt. */
  #refuse(error: Error): void {
    this.#ready.reject(error);
    if (!this.#stopped.signal.aborted) this.#ready = deferred();
  }

  #enter(state: CacheState): void {
    // Watchers that began with the state before do not know what was lost.
    this.#endWatchers();
    this.#state.release();
    this.#state = state;
    if (this.#kind.form.fromStore === undefined) for (const change of this.#held.splice(0)) state.apply(change);
  }

  #endWatchers(): void {
    for (const watcher of this.#watchers) watcher.close();
  }

  #arrangeEnd({ signal, timeoutMs, bookmarks }: WatchQuery, watcher: () => Watcher): (watcher: Watcher) => void {
    const close = () => watcher().close();
    const lastBookmark = bookmarks && timeoutMs !== undefined && timeoutMs > LAST_BOOKMARK_MS ? timeoutMs - LAST_BOOKMARK_MS : undefined;
    const cancel = lastBookmark === undefined ? undefined : this.#options.timers.after(lastBookmark, () => watcher().bookmark());
    signal?.addEventListener('abort', close, { once: true });
    return (ended) => {
      cancel?.();
      signal?.removeEventListener('abort', close);
      this.#live.delete(ended);
      this.#watchers.delete(ended);
    };
  }

  #arrangeBookmarks(): void {
    this.#cancelBookmarks ??= this.#options.timers.after(this.#options.bookmarkEveryMs, () => {
      this.#cancelBookmarks = undefined;
      this.bookmark();
      if ([...this.#watchers].some(({ bookmarks }) => bookmarks)) this.#arrangeBookmarks();
    });
  }
}

const defaults = {
  clock: systemClock,
  timers: systemTimers,
  historyLimit: 100_000,
  historyBytes: 32 << 20,
  watcherBuffer: 1_000,
  bookmarkEveryMs: 60_000,
};

/** For those who need all objects of the resource. */
function refusalOf(error: unknown): Error {
  if (error instanceof UnreadableError) return unreadableResource(error);
  return error instanceof Error ? error : new Error(String(error));
}

/** `/registry/` of `/registry/pods/`. */
function rootOf(prefix: string): string {
  return prefix.slice(0, prefix.indexOf('/', 1) + 1);
}

interface Deferred {
  readonly promise: Promise<void>;
  resolve(): void;
  reject(error: Error): void;
}

function deferred(): Deferred {
  let settle: Omit<Deferred, 'promise'> | undefined;
  const promise = new Promise<void>((resolve, reject) => {
    settle = { resolve, reject };
  });
  // A rejection that no caller waits for is no fault.
  promise.catch(() => {});
  return { promise, ...(settle as Omit<Deferred, 'promise'>) };
}
