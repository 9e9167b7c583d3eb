// Between the versions of a resource. There is one hub, the stored version; every other version knows the way to it and back.
import { apiVersionOf } from '#api/names.ts';
import type { KubernetesObject } from '#api/object.ts';
import type { ResourceCatalog } from '#resource/catalog.ts';
import type { ResourceDefinition } from '#resource/definition.ts';
import { canonical } from '#schema/json/canonical.ts';

/** The object in the stored version. May share parts with the argument, which stays as it was. */
export function toHub(catalog: ResourceCatalog, definition: ResourceDefinition, object: KubernetesObject): KubernetesObject {
  const hub = catalog.hubOf(definition);
  if (hub === definition) return object;
  return definition.conversion === undefined ? stamped(hub, object) : converted(hub, definition.conversion.toHub(object as never));
}

/** A stored object in the version of `definition`. May share parts with the argument, which stays as it was. */
export function fromHub(catalog: ResourceCatalog, definition: ResourceDefinition, hubObject: KubernetesObject): KubernetesObject {
  if (catalog.hubOf(definition) === definition) return hubObject;
  return definition.conversion === undefined ? stamped(definition, hubObject) : converted(definition, definition.conversion.fromHub(hubObject as never));
}

/** Conversions say where each value goes; what the other version always has is filled in here. */
function converted(definition: ResourceDefinition, object: unknown): KubernetesObject {
  return stamped(definition, canonical(definition.schema, object));
}

/** Most versions have the same fields: then this is all there is to do. */
function stamped(definition: ResourceDefinition, object: unknown): KubernetesObject {
  return { ...(object as KubernetesObject), kind: definition.kind, apiVersion: apiVersionOf(definition) };
}
