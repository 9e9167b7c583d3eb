// Which claims for devices a pod names: by their name, or by a template from which one is made for the pod and told in its status.
import type { KubernetesObject } from '#api/object.ts';
import type { Pod } from '#kinds/core/v1/pod/pod.ts';
import type { ResourceClaim } from '#kinds/resource/v1/resource-claim.ts';

export type StoredPod = Pod & KubernetesObject;
export type StoredResourceClaim = ResourceClaim & KubernetesObject;
export type PodClaim = NonNullable<NonNullable<Pod['spec']>['resourceClaims']>[number];

/** `none`: the pod can do without; `unmade`: the pod's status does not tell a name yet. `isOwn`: made for the pod, which must own it. */
export type ClaimName = { readonly is: 'named'; readonly name: string; readonly isOwn: boolean } | { readonly is: 'none' | 'unmade' };

export function claimNameOf({ status }: StoredPod, { name, resourceClaimName }: PodClaim): ClaimName {
  if (resourceClaimName !== undefined) return { is: 'named', name: resourceClaimName, isOwn: false };
  const told = status?.resourceClaimStatuses?.find((one) => one.name === name);
  if (told === undefined) return { is: 'unmade' };
  return told.resourceClaimName === undefined ? { is: 'none' } : { is: 'named', name: told.resourceClaimName, isOwn: true };
}

/** All claims that a pod is known to use. */
export function namedClaimsOf(pod: StoredPod): readonly string[] {
  const named = (pod.spec?.resourceClaims ?? []).flatMap((podClaim) => {
    const found = claimNameOf(pod, podClaim);
    return found.is === 'named' ? [found.name] : [];
  });
  const extended = pod.status?.extendedResourceClaimStatus?.resourceClaimName;
  return extended ? [...named, extended] : named;
}

export function isOwnedBy({ metadata }: StoredResourceClaim, pod: StoredPod): boolean {
  return metadata.ownerReferences?.some(({ controller, uid }) => controller === true && uid === pod.metadata.uid) === true;
}

export function isReservedFor({ status }: StoredResourceClaim, pod: StoredPod): boolean {
  return status?.reservedFor?.some(({ uid }) => uid === pod.metadata.uid) === true;
}

/** It will not run any more: what it reserved is free. */
export function isDone({ metadata, spec, status }: StoredPod): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed' || (metadata.deletionTimestamp !== undefined && !spec?.nodeName);
}
