// Keeps something in step with all stored objects of a resource, from the watch cache: no request, no delay.
import type { KubernetesObject } from '#api/object.ts';
import type { CacheItem } from '#cache/watch-cache.ts';
import type { ResourceDefinition } from '#resource/definition.ts';
import type { World } from '#verbs/call.ts';

export interface Follower {
  readonly put: (object: KubernetesObject) => void;
  readonly drop: (object: KubernetesObject) => void;
}

export type ChangeType = 'ADDED' | 'MODIFIED' | 'DELETED';

export interface ChangeListener {
  /** All there is, at the start and whenever changes may have been missed. */
  readonly begin: (items: readonly CacheItem[]) => void;
  readonly change: (type: ChangeType, item: CacheItem) => void;
}

/** Items as they are in the cache, nothing parsed, until `signal` aborts. */
export async function watchItems(
  { caches }: Pick<World, 'caches'>,
  definition: ResourceDefinition,
  { begin, change }: ChangeListener,
  signal: AbortSignal,
): Promise<void> {
  const cache = await caches.ready(definition);
  while (!signal.aborted) {
    const watcher = cache.watch({ namespace: '', after: 'now', bookmarks: false, signal });
    if (watcher === 'too-old') continue;
    begin(cache.inNamespace(''));
    for await (const events of watcher) for (const { type, item } of events) if (item && type !== 'BOOKMARK') change(type, item);
  }
}

/** Resolves when all that is stored has been put; follows changes until `signal` aborts. */
export async function followCache(
  { caches }: Pick<World, 'caches'>,
  definition: ResourceDefinition,
  { put, drop }: Follower,
  signal: AbortSignal,
): Promise<void> {
  const cache = await caches.ready(definition);
  await new Promise<void>((listed) => void pump(listed));

  async function pump(listed: () => void): Promise<void> {
    while (!signal.aborted) {
      const watcher = cache.watch({ namespace: '', after: 'initial', bookmarks: true, markInitialEnd: true, signal });
      if (watcher === 'too-old') continue;
      for await (const events of watcher) {
        for (const event of events) {
          if (event.item === undefined) listed();
          else if (event.type === 'DELETED') drop(event.item.object);
          else put(event.item.object);
        }
      }
    }
  }
}
