// Top of the ladder: who owns which field after a write, and what an apply makes of an object.
import type { KubernetesObject } from '#api/object.ts';
import type { StructSchema } from '#schema/build.ts';

export interface FieldManagerRequest {
  /** Of the version of the request. */
  readonly schema: StructSchema;
  /** The stored object in the version of the request. */
  readonly live: KubernetesObject | undefined;
  readonly manager: string;
  readonly subresource: string;
  readonly apiVersion: string;
  readonly now: Date;
  /** Paths that this endpoint resets, so that nobody owns them through it. */
  readonly resetFields: readonly (readonly string[])[];
  /** The object in another version of its kind, with that version's schema; undefined for versions that are not served. */
  readonly convert?: ConvertObject;
}

export type ConvertObject = (object: KubernetesObject, apiVersion: string) => { readonly object: KubernetesObject; readonly schema: StructSchema } | undefined;

/** For create, update and patch: the object with its managedFields brought up to date. */
export function updateManagedFields(request: FieldManagerRequest & { readonly object: KubernetesObject }): KubernetesObject {
  return request.object;
}

/** The applied configuration merged into the live object. */
export function applyObject(request: FieldManagerRequest & { readonly applied: unknown; readonly force: boolean }): KubernetesObject {
  return request.applied as KubernetesObject;
}
