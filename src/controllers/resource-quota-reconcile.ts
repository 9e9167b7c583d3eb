// What the status of a quota should say.
import type { KubernetesObject } from '#api/object.ts';
import { sameQuantity } from '#api/quantity.ts';
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

/** Can this change of an object lower what is used? A new object was counted when it was admitted. */
export function mayLower(resource: string, object: KubernetesObject): boolean {
  if (resource !== 'pods') return true;
  const phase = (object['status'] as { phase?: string } | undefined)?.phase;
  return phase === 'Succeeded' || phase === 'Failed';
}
