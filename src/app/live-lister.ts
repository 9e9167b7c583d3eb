// The Lister of policy code, backed by the watch caches. Several plugins ask with every request: a cache that is ready answers at once.
import { andThen } from '#base/and-then.ts';
import type { Lister } from '#api/lister.ts';
import type { GroupResource } from '#api/names.ts';
import type { KubernetesObject } from '#api/object.ts';
import type { CacheSet } from '#cache/cache-set.ts';
import type { WatchCache } from '#cache/watch-cache.ts';
import type { ResourceCatalog } from '#resource/catalog.ts';
import type { ResourceDefinition } from '#resource/definition.ts';

export function liveLister(catalog: ResourceCatalog, caches: CacheSet): Lister {
  const readyCache = cacheFinder(catalog, caches);
  return {
    get<T extends KubernetesObject>(resource: GroupResource, namespace: string, name: string) {
      return andThen(readyCache(resource), (cache) => cache.get(namespace, name)?.object as T | undefined);
    },
    list<T extends KubernetesObject>(resource: GroupResource, namespace = '') {
      return andThen(readyCache(resource), (cache) => cache.inNamespace(namespace).map((item) => item.object as T));
    },
  };
}

/** Remembers which definition a resource is stored as until the catalog changes. */
export function cacheFinder(catalog: ResourceCatalog, caches: CacheSet): (resource: GroupResource) => WatchCache | Promise<WatchCache> {
  const known = new Map<string, ResourceDefinition>();
  let revision = catalog.revision;
  return ({ group, resource }) => {
    if (revision !== catalog.revision) known.clear();
    revision = catalog.revision;
    const name = `${resource}.${group}`;
    const definition = known.get(name) ?? storedAs(catalog, group, resource);
    known.set(name, definition);
    const cache = caches.get(definition);
    return cache.isReady ? cache : caches.ready(definition);
  };
}

function storedAs(catalog: ResourceCatalog, group: string, plural: string): ResourceDefinition {
  const served = catalog.versionsOf(group, plural)[0];
  if (served === undefined) throw new Error(`no resource ${plural} in group "${group}"`);
  return catalog.hubOf(served);
}
