// Between the versions of a resource. There is one hub, the stored version; every other version knows the way to it and back. Only
// conversions by webhook have to be waited for; all others are done when the function returns.
import { apiVersionOf } from '#api/names.ts';
import type { KubernetesObject } from '#api/object.ts';
import { andThen } from '#base/and-then.ts';
import type { MaybePromise } from '#base/maybe-promise.ts';
import type { ResourceCatalog } from '#resource/catalog.ts';
import type { ResourceDefinition } from '#resource/definition.ts';
import { canonical } from '#schema/json/canonical.ts';

/** The object in the stored version. May share parts with the argument, which stays as it was. */
export function toHub(catalog: ResourceCatalog, definition: ResourceDefinition, object: KubernetesObject): MaybePromise<KubernetesObject> {
  const hub = catalog.hubOf(definition);
  if (hub === definition) return object;
  if (definition.conversion === undefined) return stamped(hub, object);
  return andThen(definition.conversion.toHub(object as never), (made) => converted(hub, made));
}

/** A stored object in the version of `definition`. May share parts with the argument, which stays as it was. */
export function fromHub(catalog: ResourceCatalog, definition: ResourceDefinition, hubObject: KubernetesObject): MaybePromise<KubernetesObject> {
  if (catalog.hubOf(definition) === definition) return hubObject;
  if (definition.conversion === undefined) return stamped(definition, hubObject);
  return andThen(definition.conversion.fromHub(hubObject as never), (made) => converted(definition, made));
}

/** The same for many objects, in one go where the conversion can do that. */
export function allFromHub(
  catalog: ResourceCatalog,
  definition: ResourceDefinition,
  hubObjects: readonly KubernetesObject[],
): MaybePromise<readonly KubernetesObject[]> {
  if (catalog.hubOf(definition) === definition || hubObjects.length === 0) return hubObjects;
  const together = definition.conversion?.allFromHub;
  if (together !== undefined) return andThen(together(hubObjects as readonly never[]), (made) => made.map((one) => converted(definition, one)));
  const made = hubObjects.map((object) => fromHub(catalog, definition, object));
  return made.some((one) => one instanceof Promise) ? Promise.all(made) : (made as readonly KubernetesObject[]);
}

/** Conversions say where each value goes; what the other version always has is filled in here. */
function converted(definition: ResourceDefinition, object: unknown): KubernetesObject {
  return stamped(definition, canonical(definition.schema, object));
}

/** Most versions have the same fields: then this is all there is to do. */
function stamped(definition: ResourceDefinition, object: unknown): KubernetesObject {
  const given = object as KubernetesObject;
  return { ...given, kind: definition.kindIsValidated ? (given.kind ?? '') : definition.kind, apiVersion: apiVersionOf(definition) };
}
