// Which definitions are served: enters the resources of established definitions into the catalog, and takes them out again.
import type { CacheSet } from '#cache/cache-set.ts';
import { customResources } from '#crd/custom-resource.ts';
import type { CustomResourceDefinition } from '#kinds/apiextensions/v1/custom-resource-definition.ts';
import type { ResourceCatalog } from '#resource/catalog.ts';
import type { ResourceDefinition } from '#resource/definition.ts';
import { equal } from '#schema/equal.ts';

interface Registered {
  readonly uid: string;
  readonly definition: CustomResourceDefinition;
  readonly resources: readonly ResourceDefinition[];
}

export class DefinitionRegistry {
  readonly #catalog: ResourceCatalog;
  readonly #caches: CacheSet;
  readonly #registered = new Map<string, Registered>();

  constructor(catalog: ResourceCatalog, caches: CacheSet) {
    this.#catalog = catalog;
    this.#caches = caches;
  }

  /** The definition is established: its versions are served from now on. Watches of a kind that has changed end. */
  async put(definition: CustomResourceDefinition): Promise<void> {
    const { name = '', uid = '' } = definition.metadata;
    const before = this.#registered.get(name);
    if (before !== undefined && before.uid === uid && isSameKind(before.definition, definition)) return;
    const resources = customResources(definition);
    this.#registered.set(name, { uid, definition, resources });
    if (before !== undefined) this.#catalog.remove(...before.resources);
    this.#catalog.add(...resources);
    const hub = storedVersion(resources);
    if (before !== undefined && hub !== undefined) await this.#caches.renew(hub);
  }

  async drop(name: string): Promise<void> {
    const before = this.#registered.get(name);
    if (before === undefined) return;
    this.#registered.delete(name);
    this.#catalog.remove(...before.resources);
    const hub = storedVersion(before.resources);
    if (hub !== undefined) await this.#caches.drop(hub);
  }
}

function storedVersion(resources: readonly ResourceDefinition[]): ResourceDefinition | undefined {
  return resources.find(({ version, storage }) => version === storage?.version);
}

/** Status beyond the accepted names says nothing about how objects are served. */
function isSameKind(a: CustomResourceDefinition, b: CustomResourceDefinition): boolean {
  return equal(a.spec, b.spec) && equal(a.status.acceptedNames, b.status.acceptedNames);
}
