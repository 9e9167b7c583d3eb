// What the status of a quota should say.
import { formatGroupResource, type GroupResource } from '#api/names.ts';
import type { KubernetesObject } from '#api/object.ts';
import { pathOf } from '#base/json-scan.ts';
import { sameQuantity } from '#base/quantity.ts';
import type { ResourceQuota } from '#kinds/core/v1/resource-quota.ts';

export type StoredQuota = ResourceQuota & KubernetesObject;
export type ResourceList = Readonly<Record<string, string>>;

/** Undefined when it says that already. What could not be counted keeps its number. */
export function missingStatus({ spec, status }: StoredQuota, counted: ResourceList): { hard: ResourceList; used: ResourceList } | undefined {
  const hard = (spec.hard ?? {}) as ResourceList;
  const before = (status?.used ?? {}) as ResourceList;
  const known = { ...before, ...counted };
  const used = Object.fromEntries(Object.keys(hard).flatMap((name) => (known[name] === undefined ? [] : [[name, known[name]]])));
  return sameLists(hard, status?.hard as ResourceList | undefined) && sameLists(used, before) ? undefined : { hard, used };
}

/** The limits were changed, or never taken over: nobody is charged rightly until they are. */
export function isUnsettled({ spec, status }: StoredQuota): boolean {
  return !sameLists(spec.hard as ResourceList | undefined, status?.hard as ResourceList | undefined);
}

function sameLists(a: ResourceList = {}, b: ResourceList = {}): boolean {
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => b[name] !== undefined && sameQuantity(a[name] ?? '0', b[name]));
}

const phase = pathOf('status.phase');
const ended: readonly unknown[] = ['Succeeded', 'Failed'];
/** Of all others every object counts the same. */
const measured = new Set(['services', 'persistentvolumeclaims', 'resourceclaims.resource.k8s.io']);

/** An object of which parts can be read without parsing all of it. */
export interface Readable {
  valueAt(path: readonly Uint8Array[]): unknown;
}

/** Can this change of an object lower what is used? A guess, never wrongly no: after a wrong yes the controller counts in vain. */
export function mayLower(resource: GroupResource, object: Readable): boolean {
  if (resource.group === '' && resource.resource === 'pods') return ended.includes(object.valueAt(phase));
  return measured.has(formatGroupResource(resource));
}
