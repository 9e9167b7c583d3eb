// Volumes that only one pod, or only pods of one node, may have.
import { type NodeFilter, type Plugin, type Rejection, rejecter } from '#scheduler/framework.ts';
import type { ClusterState } from '#scheduler/cluster/cluster-state.ts';
import type { PodFacts } from '#scheduler/cluster/pod-facts.ts';
import { usesClaim } from '#scheduler/plugins/volume-binding.ts';
import { nodeHint, objectHint, type PodEvent, podHint } from '#scheduler/queue/hints.ts';
import type { VolumeWorld } from '#scheduler/volumes/volume-world.ts';
import type { Volume } from '#kinds/core/v1/volume/volume.ts';

const name = 'VolumeRestrictions';
const reject = rejecter(name);
const diskTaken = reject.resolvable('node(s) had no available disk');
const claimTaken = reject.resolvable('node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod');

export function volumeRestrictions(world: VolumeWorld): Plugin {
  return {
    name,
    filter: (pod, cluster) => restrictionsOf(world, pod, cluster),
    hints: [podHint(['Delete'], isFreed), nodeHint(['Add']), objectHint('PersistentVolumeClaim', ['Add'], usesClaim)],
  };
}

function restrictionsOf(world: VolumeWorld, pod: PodFacts, cluster: ClusterState): NodeFilter | Rejection | undefined {
  const disks = (pod.pod.spec.volumes ?? []).filter(isDisk);
  const single = new Set<string>();
  for (const claimName of pod.claims) {
    const claim = world.claims.get(pod.namespace, claimName);
    if (claim === undefined) return reject.final(`persistentvolumeclaim "${claimName}" not found`);
    if (claim.spec?.accessModes?.includes('ReadWriteOncePod')) single.add(claimName);
  }
  const conflicts = [...single].filter((claimName) => cluster.isClaimUsed(`${pod.namespace}/${claimName}`)).length;
  return disks.length === 0 && conflicts === 0 ? undefined : restrictionFilter(disks, single, conflicts);
}

/** `conflicts`: how many pods use claims that are for one pod alone. */
function restrictionFilter(disks: readonly Volume[], single: ReadonlySet<string>, conflicts: number): NodeFilter {
  let left = conflicts;
  const usesOf = (pod: PodFacts) => pod.claims.filter((claimName) => single.has(claimName)).length;
  return {
    check: ({ pods }) => {
      if (disks.length > 0) for (const other of pods.values()) if (sharesDisk(disks, other)) return diskTaken;
      return left > 0 ? claimTaken : undefined;
    },
    copy: () => restrictionFilter(disks, single, left),
    addPod: (pod) => (left += usesOf(pod)),
    removePod: (pod) => (left -= usesOf(pod)),
  };
}

function isDisk({ gcePersistentDisk, awsElasticBlockStore, rbd, iscsi }: Volume): boolean {
  return gcePersistentDisk !== undefined || awsElasticBlockStore !== undefined || rbd !== undefined || iscsi !== undefined;
}

function sharesDisk(disks: readonly Volume[], { pod }: PodFacts): boolean {
  return (pod.spec.volumes ?? []).some((other) => disks.some((disk) => isSameDisk(disk, other)));
}

interface ReadOnly {
  readonly readOnly?: boolean | undefined;
}

/** Disks that both only read can be shared. */
function isSameDisk(a: Volume, b: Volume): boolean {
  const writes = (x: ReadOnly, y: ReadOnly) => !(x.readOnly === true && y.readOnly === true);
  const [gce, otherGce] = [a.gcePersistentDisk, b.gcePersistentDisk];
  if (gce && otherGce && gce.pdName === otherGce.pdName && writes(gce, otherGce)) return true;
  const [ebs, otherEbs] = [a.awsElasticBlockStore, b.awsElasticBlockStore];
  if (ebs && otherEbs && ebs.volumeID === otherEbs.volumeID) return true;
  const [iscsi, otherIscsi] = [a.iscsi, b.iscsi];
  if (iscsi && otherIscsi && iscsi.iqn === otherIscsi.iqn && writes(iscsi, otherIscsi)) return true;
  const [rbd, otherRbd] = [a.rbd, b.rbd];
  if (!rbd || !otherRbd || rbd.pool !== otherRbd.pool || rbd.image !== otherRbd.image || !writes(rbd, otherRbd)) return false;
  return (rbd.monitors ?? []).some((monitor) => otherRbd.monitors?.includes(monitor));
}

function isFreed(pod: PodFacts, { before }: PodEvent): boolean {
  if (before === undefined || before.namespace !== pod.namespace) return false;
  const disks = (pod.pod.spec.volumes ?? []).filter(isDisk);
  return (disks.length > 0 && sharesDisk(disks, before)) || before.claims.some((claimName) => pod.claims.includes(claimName));
}
