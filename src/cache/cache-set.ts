// The caches of all resources: each starts when it is first asked for; they share one watch of each store and one memory.
import type { KubernetesObject } from '#api/object.ts';
import type { FollowedSource } from '#api/source.ts';
import type { StoredForm } from '#api/stored-form.ts';
import { type Clock, systemClock } from '#base/clock.ts';
import { systemTimers, type Timers } from '#base/timers.ts';
import { newItemMemory } from '#cache/cache-item.ts';
import { type ObjectReader, UncachedReader } from '#cache/object-reader.ts';
import { StoredSource } from '#cache/stored-source.ts';
import { StoreFeed } from '#cache/store-feed.ts';
import { WatchCache } from '#cache/watch-cache.ts';
import type { Retention } from '#store/retention.ts';
import type { StoreReader } from '#store/store.ts';

/** What a cache must know of a resource in its stored version; a ResourceDefinition is one. */
export interface CachedResource {
  readonly group: string;
  readonly plural: string;
  readonly namespaced: boolean;
  readonly storage: { readonly prefix: string } | undefined;
  readonly form: StoredForm;
  readonly strategy: { readonly selectableFields?: Readonly<Record<string, (object: KubernetesObject) => string>> };
}

export interface CacheSetOptions {
  readonly store: StoreReader;
  /** Resources whose objects lie in another store. */
  readonly placeOf?: (resource: CachedResource) => CachedPlace;
  readonly root?: string;
  readonly clock?: Clock;
  readonly timers?: Timers;
  readonly historyLimit?: number;
  readonly historyBytes?: number;
}

export interface CachedPlace {
  readonly store: StoreReader;
  readonly retention?: Retention;
}

interface Member {
  readonly resource: CachedResource;
  /** Absent until it is asked for. */
  cache?: WatchCache;
  /** Of a resource that a loop follows without a cache. */
  uncached?: ObjectReader;
}

const DRAIN_MS = 1_000;

export class CacheSet {
  readonly #options: CacheSetOptions & { readonly root: string };
  readonly #feeds = new Map<StoreReader, StoreFeed>();
  readonly #memory = newItemMemory();
  /** By prefix of the keys, without the root. */
  readonly #members = new Map<string, Member>();
  readonly #retiring = new Set<WatchCache>();

  constructor(options: CacheSetOptions) {
    this.#options = { root: '/registry/', clock: systemClock, timers: systemTimers, ...options };
  }

  /** The cache of a resource, started; it may not be ready yet. Requests that began before `renew` get the new one too. */
  get(resource: CachedResource): WatchCache {
    const member = this.#memberOf(resource);
    return (member.cache ??= this.#start(this.#prefixOf(resource), member.resource));
  }

  /** Undefined while nobody has asked for it. */
  started(resource: CachedResource): WatchCache | undefined {
    return this.#members.get(this.#prefixOf(resource))?.cache;
  }

  /** For those who are about one object: no cache is started for them where a loop of the server does without one. */
  reader(resource: CachedResource): ObjectReader {
    const { cache, uncached } = this.#memberOf(resource);
    return cache ?? uncached ?? this.get(resource);
  }

  /** The kind has changed (a custom resource): what was made of its objects may be wrong. Its watches end soon, everything is read again. */
  renew(resource: CachedResource): void {
    const prefix = this.#prefixOf(resource);
    const before = this.#members.get(prefix);
    this.#members.set(prefix, { resource });
    this.#retire(before?.cache);
  }

  async ready(resource: CachedResource): Promise<WatchCache> {
    const cache = this.get(resource);
    await cache.ready;
    return cache;
  }

  /** A source that keeps no cache of its objects; undefined where they cannot be read from the store at once. */
  storedSource(resource: CachedResource): FollowedSource | undefined {
    const { root, timers = systemTimers } = this.#options;
    const { store } = this.#placeOf(resource);
    const { group, plural, form, namespaced } = resource;
    const { atOnce } = store;
    if (atOnce === undefined || form.fromStore !== undefined || namespaced) return undefined;
    const prefix = `${root}${this.#prefixOf(resource)}/`;
    this.#memberOf(resource).uncached = new UncachedReader(prefix, form, atOnce);
    return new StoredSource({ resource: { group, resource: plural }, prefix, form, store, atOnce, feed: this.#feedOf(store), timers });
  }

  /** For a resource that is not served any more: its watches end soon. */
  drop(resource: CachedResource): void {
    const prefix = this.#prefixOf(resource);
    const member = this.#members.get(prefix);
    this.#members.delete(prefix);
    this.#retire(member?.cache);
  }

  /** Requests that are under way may finish, and watchers hear of the last changes, as upstream's crdHandler.tearDown allows. */
  #retire(cache: WatchCache | undefined): void {
    if (cache === undefined) return;
    this.#retiring.add(cache);
    (this.#options.timers ?? systemTimers).after(DRAIN_MS, () => {
      this.#retiring.delete(cache);
      void cache.stop();
    });
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#feeds.values()].map((feed) => feed.stop()));
    await Promise.all([...this.#retiring, ...[...this.#members.values()].map(({ cache }) => cache)].map((cache) => cache?.stop()));
  }

  *[Symbol.iterator](): Generator<readonly [CachedResource, WatchCache]> {
    for (const { resource, cache } of this.#members.values()) if (cache) yield [resource, cache];
  }

  #memberOf(resource: CachedResource): Member {
    const prefix = this.#prefixOf(resource);
    const known = this.#members.get(prefix);
    if (known !== undefined) return known;
    const member: Member = { resource };
    this.#members.set(prefix, member);
    return member;
  }

  #placeOf(resource: CachedResource): CachedPlace {
    const { placeOf, store } = this.#options;
    return placeOf?.(resource) ?? { store };
  }

  #feedOf(store: StoreReader): StoreFeed {
    const { root, timers = systemTimers } = this.#options;
    const feed = this.#feeds.get(store) ?? new StoreFeed({ store, root, timers });
    this.#feeds.set(store, feed);
    return feed;
  }

  #prefixOf({ group, plural, storage }: CachedResource): string {
    if (storage === undefined) throw new Error(`${plural} of group "${group}" are not stored`);
    return storage.prefix;
  }

  #start(prefix: string, resource: CachedResource): WatchCache {
    const place = this.#placeOf(resource);
    const cache = new WatchCache({
      ...this.#options,
      ...place,
      form: resource.form,
      prefix: `${this.#options.root}${prefix}/`,
      namespaced: resource.namespaced,
      fieldsOf: (object) => fieldsOf(resource, object),
      indexedFields: worthAnIndex.filter((field) => Object.hasOwn(resource.strategy.selectableFields ?? {}, field)),
      feed: this.#feedOf(place.store),
      memory: this.#memory,
    });
    cache.start();
    return cache;
  }
}

/** Every node asks for its own. */
const worthAnIndex: readonly string[] = ['spec.nodeName'];

function fieldsOf({ strategy }: CachedResource, object: KubernetesObject): Record<string, string> {
  const { name = '', namespace = '' } = object.metadata;
  const fields: Record<string, string> = { 'metadata.name': name, 'metadata.namespace': namespace };
  for (const [field, read] of Object.entries(strategy.selectableFields ?? {})) fields[field] = read(object);
  return fields;
}
