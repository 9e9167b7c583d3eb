// The scale subresource shows one field of its parent; its managedFields are those of the parent seen through that field.
import type { ManagedFieldsEntry } from '#api/object.ts';
import { difference, has, setOfPaths } from '#patch/apply/field-set.ts';
import { decodeManagedFields, encodeManagedFields } from '#patch/apply/managed-fields.ts';
import type { Owner, OwnerId } from '#patch/apply/owners.ts';
import { fieldElement } from '#patch/apply/path-element.ts';

/** Where the replicas stand, by apiVersion of the parent; undefined for a version of the kind without scale. */
export type ReplicasPaths = Readonly<Record<string, readonly string[] | undefined>>;

const scaleVersion = 'autoscaling/v1';
const scaleReplicas = ['spec', 'replicas'];

/** The parent's entries that own its replicas, as entries of a Scale. */
export function managedFieldsOfScale(parent: readonly ManagedFieldsEntry[] | undefined, paths: ReplicasPaths): ManagedFieldsEntry[] | undefined {
  const owners = new Map<OwnerId, Owner>();
  for (const [id, owner] of decodeManagedFields(parent)) {
    if (ownsPath(owner, paths[owner.apiVersion])) owners.set(id, { ...owner, apiVersion: scaleVersion, fields: setOfPaths([scaleReplicas]) });
  }
  return encodeManagedFields(owners);
}

/** The parent's entries after a write to its Scale. `apiVersion` is that of the parent in the request. */
export function managedFieldsOfParent(
  parent: readonly ManagedFieldsEntry[] | undefined,
  scale: readonly ManagedFieldsEntry[] | undefined,
  apiVersion: string,
  paths: ReplicasPaths,
): ManagedFieldsEntry[] | undefined {
  const parentOwners = decodeManagedFields(parent);
  const scaleOwners = new Map(decodeManagedFields(scale));
  const owners = new Map<OwnerId, Owner>();
  for (const [id, owner] of parentOwners) {
    if (!Object.hasOwn(paths, owner.apiVersion)) continue;
    const path = paths[owner.apiVersion];
    if (path === undefined || !ownsPath(owner, path) || scaleOwners.delete(id)) {
      owners.set(id, owner);
      continue;
    }
    const fields = difference(owner.fields, setOfPaths([path]));
    if (fields.size > 0) owners.set(id, { ...owner, fields });
  }
  const replicas = setOfPaths([paths[apiVersion] ?? scaleReplicas]);
  for (const [id, owner] of scaleOwners) {
    // Upstream forgets the time of whoever comes in through the scale.
    if (ownsPath(owner, scaleReplicas)) owners.set(id, { ...owner, apiVersion, time: parentOwners.get(id)?.time, fields: replicas });
  }
  return encodeManagedFields(owners);
}

function ownsPath({ fields }: Owner, path: readonly string[] | undefined): boolean {
  return path !== undefined && has(fields, path.map(fieldElement));
}
