// The Lister of policy code, backed by the watch caches. Several plugins ask with every request, mostly for what has not changed since the
// last one: answers are remembered until something of the resource changes (test/bench/admission.ts pays for it).
import { andThen } from '#base/and-then.ts';
import type { Lister } from '#api/lister.ts';
import type { GroupResource } from '#api/names.ts';
import type { KubernetesObject } from '#api/object.ts';
import type { CacheSet } from '#cache/cache-set.ts';
import type { WatchCache } from '#cache/watch-cache.ts';
import type { ResourceCatalog } from '#resource/catalog.ts';
import type { ResourceDefinition } from '#resource/definition.ts';

/** Lists longer than this are not remembered, nor more answers than that. */
const longest = 16;
const mostRemembered = 4096;

export function liveLister(catalog: ResourceCatalog, caches: CacheSet): Lister {
  const sourceOf = sourceFinder(catalog, caches);
  return {
    get<T extends KubernetesObject>(resource: GroupResource, namespace: string, name: string) {
      const source = sourceOf(resource);
      if (source instanceof Promise) return source.then((ready) => ready.get(namespace, name) as T | undefined);
      return source.get(namespace, name) as T | undefined;
    },
    list<T extends KubernetesObject>(resource: GroupResource, namespace = '') {
      const source = sourceOf(resource);
      if (source instanceof Promise) return source.then((ready) => ready.list(namespace) as readonly T[]);
      return source.list(namespace) as readonly T[];
    },
    changedAt: (resource) => andThen(sourceOf(resource), ({ cache }) => cache.changedAt),
  };
}

/** The ready cache of a resource, and a promise of it while it is being filled. */
export function cacheFinder(catalog: ResourceCatalog, caches: CacheSet): (resource: GroupResource) => WatchCache | Promise<WatchCache> {
  const sourceOf = sourceFinder(catalog, caches);
  return (resource) => andThen(sourceOf(resource), ({ cache }) => cache);
}

function sourceFinder(catalog: ResourceCatalog, caches: CacheSet): (resource: GroupResource) => Source | Promise<Source> {
  const byName = new Map<string, Source>();
  // Plugins ask with the same object each time.
  let known = new WeakMap<GroupResource, Source>();
  let revision = catalog.revision;
  const find = (resource: GroupResource) => {
    const name = `${resource.resource}.${resource.group}`;
    const definition = storedAs(catalog, resource);
    const source = byName.get(name) ?? new Source(definition, caches.get(definition));
    byName.set(name, source);
    known.set(resource, source);
    return source;
  };
  return (resource) => {
    if (revision !== catalog.revision) {
      byName.clear();
      known = new WeakMap();
      revision = catalog.revision;
    }
    const source = known.get(resource) ?? find(resource);
    return source.cache.isReady ? source : caches.ready(source.definition).then(() => source);
  };
}

class Source {
  readonly definition: ResourceDefinition;
  readonly cache: WatchCache;
  #asOf = 0;
  readonly #lists = new Map<string, readonly KubernetesObject[]>();
  /** By namespace, then by name. */
  readonly #objects = new Map<string, Map<string, KubernetesObject>>();
  #remembered = 0;

  constructor(definition: ResourceDefinition, cache: WatchCache) {
    this.definition = definition;
    this.cache = cache;
  }

  get(namespace: string, name: string): KubernetesObject | undefined {
    this.#forgetOld();
    let known = this.#objects.get(namespace);
    const remembered = known?.get(name);
    if (remembered) return remembered;
    const found = this.cache.get(namespace, name)?.object;
    if (found === undefined) return undefined;
    if (known === undefined) this.#objects.set(namespace, (known = new Map()));
    known.set(name, found);
    this.#remembered++;
    return found;
  }

  list(namespace: string): readonly KubernetesObject[] {
    this.#forgetOld();
    const known = this.#lists.get(namespace);
    if (known) return known;
    const found = this.cache.inNamespace(namespace).map((item) => item.object);
    if (found.length <= longest) this.#lists.set(namespace, found);
    this.#remembered++;
    return found;
  }

  #forgetOld(): void {
    if (this.#asOf === this.cache.changedAt && this.#remembered < mostRemembered) return;
    this.#asOf = this.cache.changedAt;
    this.#remembered = 0;
    this.#lists.clear();
    this.#objects.clear();
  }
}

function storedAs(catalog: ResourceCatalog, { group, resource }: GroupResource): ResourceDefinition {
  const served = catalog.versionsOf(group, resource)[0];
  if (served === undefined) throw new Error(`no resource ${resource} in group "${group}"`);
  return catalog.hubOf(served);
}
