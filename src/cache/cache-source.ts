// The Source of in-process loops: reads what the watch cache has, copies nothing. A cache that ends (its kind changed, was dropped or made
// again) is replaced by the one that the set has now; while the resource is not served there is nothing, and the source waits.
import type { GroupResource } from '#api/names.ts';
import type { KubernetesObject } from '#api/object.ts';
import type { Follower, Source, SourceItem, Sources } from '#api/source.ts';
import type { Log } from '#base/log.ts';
import { pause, type Timers } from '#base/timers.ts';
import type { CachedResource, CacheSet } from '#cache/cache-set.ts';
import type { WatchCache } from '#cache/watch-cache.ts';

export interface CacheSourceOptions {
  readonly caches: CacheSet;
  /** The stored version of a resource; undefined while it is not served. */
  readonly find: (resource: GroupResource) => CachedResource | undefined;
  /** Calls the listener whenever `find` may say something else. Returns how to stop that. */
  readonly onChange: (listener: () => void) => () => void;
  readonly timers: Timers;
  readonly log: Log;
}

/** A cache that cannot be read, or has ended its watch, is asked again after this time. */
const retryMs = 100;

export function cacheSources(options: CacheSourceOptions): Sources {
  const byName = new Map<string, Source>();
  return {
    of<T extends KubernetesObject>(resource: GroupResource) {
      const name = `${resource.resource}.${resource.group}`;
      const source = byName.get(name) ?? new CacheSource(resource, options);
      byName.set(name, source);
      return source as Source as Source<T>;
    },
  };
}

class CacheSource implements Source {
  readonly resource: GroupResource;
  readonly #options: CacheSourceOptions;

  constructor(resource: GroupResource, options: CacheSourceOptions) {
    this.resource = resource;
    this.#options = options;
  }

  get(namespace: string, name: string): SourceItem | undefined {
    return this.#cache()?.get(namespace, name);
  }

  list(namespace = ''): readonly SourceItem[] {
    return this.#cache()?.inNamespace(namespace) ?? [];
  }

  async follow(follower: Follower, signal: AbortSignal): Promise<void> {
    await new Promise<void>((begun) => {
      const begin = (all: readonly SourceItem[]) => {
        follower.begin(all);
        begun();
      };
      if (signal.aborted) begun();
      signal.addEventListener('abort', () => begun(), { once: true });
      void this.#pump({ ...follower, begin }, signal);
    });
  }

  #cache(): WatchCache | undefined {
    const resource = this.#options.find(this.resource);
    return resource && this.#options.caches.get(resource);
  }

  async #pump(follower: Follower, signal: AbortSignal): Promise<void> {
    let ended: WatchCache | undefined;
    while (!signal.aborted) {
      const cache = this.#cache();
      if (cache === undefined) {
        // A kind may never be served again: the cache of the last one, and with it its schema, must not wait for that.
        ended = undefined;
        await this.#waitUntilServed(follower, signal);
      } else if (cache === ended || !(await isReady(cache))) {
        // A cache whose watch ends again and again is not asked in a tight loop.
        await pause(this.#options.timers, retryMs, signal);
        ended = undefined;
      } else {
        await this.#tell(cache, follower, signal);
        ended = cache;
      }
    }
  }

  async #tell(cache: WatchCache, { begin, change }: Follower, signal: AbortSignal): Promise<void> {
    const watcher = cache.watch({ namespace: '', after: 'now', bookmarks: false, signal });
    if (watcher === 'too-old') return;
    try {
      begin(cache.inNamespace(''));
      for await (const events of watcher) for (const { type, item } of events) if (item && type !== 'BOOKMARK') change(type, item);
    } catch (error) {
      if (!signal.aborted) this.#options.log.error('objects could not be followed', error, { resource: this.resource.resource });
    }
  }

  async #waitUntilServed({ begin }: Follower, signal: AbortSignal): Promise<void> {
    begin([]);
    await new Promise<void>((served) => {
      const look = () => {
        if (!signal.aborted && this.#options.find(this.resource) === undefined) return;
        stop();
        signal.removeEventListener('abort', look);
        served();
      };
      const stop = this.#options.onChange(look);
      signal.addEventListener('abort', look, { once: true });
      look();
    });
  }
}

/** False when the cache was stopped, or cannot read what is stored. */
async function isReady(cache: WatchCache): Promise<boolean> {
  try {
    await cache.ready;
    return true;
  } catch {
    return false;
  }
}
