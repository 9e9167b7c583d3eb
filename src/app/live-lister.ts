// The Lister of policy code, backed by the watch caches.
import type { Lister } from '#api/lister.ts';
import type { GroupResource } from '#api/names.ts';
import type { KubernetesObject } from '#api/object.ts';
import type { CacheSet } from '#cache/cache-set.ts';
import type { ResourceCatalog } from '#resource/catalog.ts';
import type { ResourceDefinition } from '#resource/definition.ts';

export function liveLister(catalog: ResourceCatalog, caches: CacheSet): Lister {
  const cacheOf = ({ group, resource }: GroupResource) => caches.ready(storedAs(catalog, group, resource));
  return {
    async get<T extends KubernetesObject>(resource: GroupResource, namespace: string, name: string) {
      const cache = await cacheOf(resource);
      return cache.get(namespace, name)?.object as T | undefined;
    },
    async list<T extends KubernetesObject>(resource: GroupResource, namespace = '') {
      const cache = await cacheOf(resource);
      return cache.list({ namespace }).items.map((item) => item.object as T);
    },
  };
}

function storedAs(catalog: ResourceCatalog, group: string, plural: string): ResourceDefinition {
  const served = catalog.versionsOf(group, plural)[0];
  if (served === undefined) throw new Error(`no resource ${plural} in group "${group}"`);
  return catalog.hubOf(served);
}
