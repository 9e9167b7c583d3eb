// Claims of pods: bound ones tie the pod to nodes, those that wait for their first consumer are bound for the node that is chosen.
import type { KubernetesObject } from '#api/object.ts';
import { compareQuantities, parseQuantity } from '#base/quantity.ts';
import { classOf } from '#controllers/volumes/storage-objects.ts';
import type { PodFacts } from '#scheduler/cluster/pod-facts.ts';
import { judging, type NodeFilter, type Plugin, type Rejection, rejecter } from '#scheduler/framework.ts';
import { nodeHint, type ObjectEvent, objectHint } from '#scheduler/queue/hints.ts';
import { type PodClaims, type PodVolumes, volumesOn } from '#scheduler/volumes/pod-volumes.ts';
import { isFullyBound, reserveVolumes, type VolumeParts } from '#scheduler/volumes/reserve-volumes.ts';
import { claimNameOf, type StoredClaim, strangerReason, type VolumeWorld } from '#scheduler/volumes/volume-world.ts';
import type { CSIDriver } from '#kinds/storage/v1/csi-driver.ts';
import type { CSIStorageCapacity } from '#kinds/storage/v1/csi-storage-capacity.ts';
import type { StorageClass } from '#kinds/storage/v1/storage-class.ts';

const name = 'VolumeBinding';
const reject = rejecter(name);

export function volumeBinding(parts: VolumeParts): Plugin {
  const { world } = parts;
  return {
    name,
    filter: (pod) => {
      const claims = claimsOf(world, pod);
      if (claims === undefined || 'reasons' in claims) return claims;
      return claimFilter(parts, claims);
    },
    hints: [
      objectHint('StorageClass', ['Add', 'Update'], isNewTopology),
      objectHint('PersistentVolumeClaim', ['Add', 'Update'], usesClaim),
      objectHint('PersistentVolume', ['Add', 'Update']),
      nodeHint(['Add', 'UpdateLabel']),
      objectHint('CSINode', ['Add']),
      objectHint('CSIDriver', ['Update'], isCapacityIgnored),
      objectHint('CSIStorageCapacity', ['Add', 'Update'], isMoreCapacity),
    ],
  };
}

function claimFilter(parts: VolumeParts, claims: PodClaims): NodeFilter {
  const byNode = new Map<string, PodVolumes>();
  return {
    check: (node) => {
      const found = judging(name, () => volumesOn(parts.world, claims, node));
      if (isProblem(found)) return reject.final(...found);
      byNode.set(node.name, found);
      return undefined;
    },
    reserve: (node) => {
      const volumes = byNode.get(node.name);
      return volumes && reserveVolumes(parts, volumes, node);
    },
  };
}

function isProblem(found: PodVolumes | readonly string[]): found is readonly string[] {
  return Array.isArray(found);
}

/** Undefined: the pod has no claims. */
function claimsOf(world: VolumeWorld, { pod, namespace }: PodFacts): PodClaims | Rejection | undefined {
  const bound: StoredClaim[] = [];
  const delayed: StoredClaim[] = [];
  const immediate: StoredClaim[] = [];
  for (const volume of pod.spec.volumes ?? []) {
    const claimName = claimNameOf(pod, volume);
    if (claimName === undefined) continue;
    const claim = world.claims.get(namespace, claimName);
    const problem = claimProblem(claim, claimName, volume.ephemeral !== undefined);
    if (claim === undefined || problem !== undefined) return reject.final(problem ?? '');
    const stranger = volume.ephemeral === undefined ? undefined : strangerReason(pod, claim);
    if (stranger !== undefined) return reject.final(stranger);
    if (isFullyBound(claim)) bound.push(claim);
    else if (isDelayed(world, claim) && !claim.spec?.volumeName) delayed.push(claim);
    else immediate.push(claim);
  }
  if (immediate.length > 0) return reject.final('pod has unbound immediate PersistentVolumeClaims');
  return bound.length === 0 && delayed.length === 0 ? undefined : { bound, delayed };
}

function claimProblem(claim: StoredClaim | undefined, claimName: string, isEphemeral: boolean): string | undefined {
  if (claim === undefined) {
    return isEphemeral
      ? `waiting for ephemeral volume controller to create the persistentvolumeclaim "${claimName}"`
      : `persistentvolumeclaim "${claimName}" not found`;
  }
  if (claim.status?.phase === 'Lost') return `persistentvolumeclaim "${claimName}" bound to non-existent persistentvolume "${claim.spec?.volumeName ?? ''}"`;
  return claim.metadata.deletionTimestamp === undefined ? undefined : `persistentvolumeclaim "${claimName}" is being deleted`;
}

function isDelayed(world: VolumeWorld, claim: StoredClaim): boolean {
  const className = classOf(claim);
  return className !== '' && world.storageClass(className)?.volumeBindingMode === 'WaitForFirstConsumer';
}

export function usesClaim({ pod, namespace }: PodFacts, { after }: ObjectEvent): boolean {
  if (after?.metadata.namespace !== namespace) return false;
  return (pod.spec.volumes ?? []).some((volume) => claimNameOf(pod, volume) === after?.metadata.name);
}

function isNewTopology(_: PodFacts, { before, after }: ObjectEvent): boolean {
  const topologies = (object: KubernetesObject | undefined) => JSON.stringify((object as unknown as StorageClass | undefined)?.allowedTopologies);
  return before === undefined || topologies(before) !== topologies(after);
}

function isCapacityIgnored({ pod }: PodFacts, { before, after }: ObjectEvent): boolean {
  const counts = (object: KubernetesObject | undefined) => (object as unknown as CSIDriver | undefined)?.spec?.storageCapacity === true;
  return counts(before) && !counts(after) && (pod.spec.volumes ?? []).some(({ csi }) => csi?.driver === after?.metadata.name);
}

function isMoreCapacity(_: PodFacts, { before, after }: ObjectEvent): boolean {
  const limit = (object: KubernetesObject | undefined) => {
    const capacity = object as unknown as CSIStorageCapacity | undefined;
    return capacity?.maximumVolumeSize ?? capacity?.capacity;
  };
  const [was, is] = [limit(before), limit(after)];
  if (before === undefined) return true;
  return is !== undefined && (was === undefined || compareQuantities(parseQuantity(is), parseQuantity(was)) > 0);
}
