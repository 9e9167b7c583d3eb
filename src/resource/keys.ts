// Where objects live in the store: the key layout of the original, so that both can read one etcd.
import type { ResourceDefinition } from '#resource/definition.ts';

/** What all keys begin with; a store may keep them under another prefix. */
export const storeRoot = '/registry/';

/** The key of one object: `/registry/pods/default/web`, `/registry/minions/node-1`. */
export function keyOf(definition: ResourceDefinition, namespace: string, name: string): string {
  return prefixOf(definition, namespace) + name;
}

/** The key as refusals of a precondition show it: a dry run never reaches the part that knows the root. */
export function shownKeyOf(
  definition: ResourceDefinition,
  { namespace, name }: { readonly namespace: string; readonly name: string },
  dryRun: boolean,
): string {
  const key = keyOf(definition, namespace, name);
  return dryRun ? key.slice(storeRoot.length - 1) : key;
}

/** What the keys of a resource begin with, of one namespace or of all; ends with a slash. */
export function prefixOf(definition: ResourceDefinition, namespace = ''): string {
  if (definition.storage === undefined) throw new Error(`${definition.plural} of ${definition.group}/${definition.version} are not stored`);
  const prefix = `${storeRoot}${definition.storage.prefix}/`;
  return definition.namespaced && namespace !== '' ? `${prefix}${namespace}/` : prefix;
}
