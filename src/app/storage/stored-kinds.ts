// Whose object lies under a key of a store: of a built-in resource, of a custom one whose definition lies there too, or of none that is known.
import { PartialObjectMetadata } from '#kinds/meta/v1/partial-object-metadata.ts';
import { defineResource, type ResourceDefinition } from '#resource/definition.ts';
import { prefixOf, storeRoot } from '#resource/keys.ts';
import { rangeOf, type Store } from '#store/store.ts';

export interface StoredKinds {
  of(key: string): ResourceDefinition | undefined;
}

/** What servers keep for themselves beside the objects; each of them makes it again. */
const books = ['binnacle', 'masterleases', 'peerserverleases', 'ranges'].map((name) => `${storeRoot}${name}/`);

export function isBook(key: string): boolean {
  return books.some((prefix) => key.startsWith(prefix));
}

export function storedKinds(resources: readonly ResourceDefinition[]): StoredKinds {
  const byPrefix = new Map(resources.filter(isStoredVersion).map((resource) => [prefixOf(resource), resource]));
  return {
    of(key) {
      // `services/specs/` is longer than `pods/`: the longest that is known counts.
      for (let end = key.lastIndexOf('/'); end >= storeRoot.length; end = key.lastIndexOf('/', end - 1)) {
        const resource = byPrefix.get(key.slice(0, end + 1));
        if (resource !== undefined) return resource;
      }
      return undefined;
    },
  };
}

function isStoredVersion({ group, version, storage }: ResourceDefinition): boolean {
  return storage !== undefined && (storage.group ?? group) === group && storage.version === version;
}

interface Definition {
  readonly spec: {
    readonly group: string;
    readonly scope: string;
    readonly names: { readonly plural: string; readonly kind: string };
    readonly versions: readonly { readonly name: string; readonly storage: boolean }[];
  };
}

/**
 * The kinds of definitions that lie in a store. Their objects are JSON, in whichever version: nothing here converts between versions, a webhook
 * may have to. A definition that cannot be read makes no kind.
 */
export async function customKinds(store: Store, builtIn: StoredKinds): Promise<readonly ResourceDefinition[]> {
  const { entries } = await store.list(rangeOf(`${storeRoot}apiextensions.k8s.io/customresourcedefinitions/`));
  const kinds: ResourceDefinition[] = [];
  for (const entry of entries) {
    try {
      const [json = entry.value] = (await builtIn.of(entry.key)?.form.fromStore?.([entry])) ?? [];
      kinds.push(customKind(JSON.parse(Buffer.from(json).toString()) as Definition));
    } catch {
      // The check of all objects tells of it.
    }
  }
  return kinds;
}

function customKind({ spec }: Definition): ResourceDefinition {
  const { plural, kind } = spec.names;
  const version = spec.versions.find(({ storage }) => storage)?.name ?? '';
  const storage = { version, prefix: `${spec.group}/${plural}`, hash: '' };
  const names = { group: spec.group, version, kind, listKind: `${kind}List`, plural, singular: plural };
  return defineResource({ ...names, namespaced: spec.scope === 'Namespaced', schema: PartialObjectMetadata, verbs: [], storage });
}
