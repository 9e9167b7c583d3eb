// How many volumes of a CSI driver a node can have attached.
import type { KubernetesObject } from '#api/object.ts';
import { classOf } from '#controllers/volumes/storage-objects.ts';
import { type NodeFilter, type Plugin, PluginError, rejecter } from '#scheduler/framework.ts';
import type { NodeInfo } from '#scheduler/cluster/node-info.ts';
import type { PodFacts } from '#scheduler/cluster/pod-facts.ts';
import { usesClaim } from '#scheduler/plugins/volume-binding.ts';
import { hadPlace, type ObjectEvent, objectHint, podHint } from '#scheduler/queue/hints.ts';
import { claimNameOf, type StoredClaim, strangerReason, type VolumeWorld } from '#scheduler/volumes/volume-world.ts';
import type { CSINode } from '#kinds/storage/v1/csi-node.ts';

const name = 'NodeVolumeLimits';
const reject = rejecter(name);
const full = reject.resolvable('node(s) exceed max volume count');

/** By what makes a volume one: the driver that attaches it. */
type Attached = Map<string, string>;

export function nodeVolumeLimits(world: VolumeWorld): Plugin {
  return {
    name,
    filter: (pod) => (hasClaims(pod) ? limitFilter(world, pod) : undefined),
    hints: [
      objectHint('CSINode', ['Add']),
      objectHint('CSINode', ['Update'], isMore),
      podHint(['Delete'], (_, { before }) => before !== undefined && hadPlace(before) && hasClaims(before)),
      objectHint('PersistentVolumeClaim', ['Add'], usesClaim),
      objectHint('VolumeAttachment', ['Delete'], ({ pod }) =>
        (pod.spec.volumes ?? []).some(({ persistentVolumeClaim }) => persistentVolumeClaim !== undefined),
      ),
    ],
  };
}

function hasClaims({ pod }: PodFacts): boolean {
  return (pod.spec.volumes ?? []).some((volume) => claimNameOf(pod, volume) !== undefined);
}

function limitFilter(world: VolumeWorld, pod: PodFacts): NodeFilter {
  return {
    check: (node) => {
      const limits = limitsOf(world.csiNode(node.name));
      const added: Attached = new Map();
      const problem = addVolumes(world, pod, added, true);
      if (problem !== undefined) return reject.final(problem);
      if (added.size === 0 || limits.size === 0) return undefined;
      return exceeds(added, attachedOn(world, node), limits) ? full : undefined;
    },
  };
}

function limitsOf(csiNode: CSINode | undefined): ReadonlyMap<string, number> {
  return new Map(
    (csiNode?.spec?.drivers ?? []).flatMap(({ name: driver = '', allocatable }) => (allocatable?.count === undefined ? [] : [[driver, allocatable.count]])),
  );
}

function attachedOn(world: VolumeWorld, node: NodeInfo): Attached {
  const attached: Attached = new Map();
  for (const pod of node.pods.values()) addVolumes(world, pod, attached, false);
  for (const { spec } of world.attachmentsOn(node.name)) {
    const handle = world.volumes.get('', spec?.source?.persistentVolumeName ?? '')?.spec?.csi?.volumeHandle;
    if (spec?.attacher && handle !== undefined) attached.set(`${spec.attacher}/${handle}`, spec.attacher);
  }
  return attached;
}

function exceeds(added: Attached, attached: Attached, limits: ReadonlyMap<string, number>): boolean {
  const counts = new Map<string, number>();
  for (const driver of attached.values()) counts.set(driver, (counts.get(driver) ?? 0) + 1);
  const fresh = [...added].filter(([volume]) => !attached.has(volume));
  for (const [, driver] of fresh) counts.set(driver, (counts.get(driver) ?? 0) + 1);
  return fresh.some(([, driver]) => (counts.get(driver) ?? 0) > (limits.get(driver) ?? Number.POSITIVE_INFINITY));
}

/** Why the volumes of a pod that is to be placed are not known; those of pods that are there are passed over then. */
function addVolumes(world: VolumeWorld, { pod, namespace }: PodFacts, to: Attached, isNew: boolean): string | undefined {
  for (const volume of pod.spec.volumes ?? []) {
    const claimName = claimNameOf(pod, volume);
    if (claimName === undefined) continue;
    const claim = world.claims.get(namespace, claimName);
    if (claim === undefined) {
      if (isNew) return `looking up PVC ${namespace}/${claimName}: persistentvolumeclaim "${claimName}" not found`;
      continue;
    }
    const stranger = volume.ephemeral === undefined ? undefined : strangerReason(pod, claim);
    if (stranger !== undefined) throw new PluginError(stranger);
    const [driver, handle] = driverOf(world, claim);
    if (driver !== '' && handle !== '') to.set(`${driver}/${handle}`, driver);
  }
  return undefined;
}

/** A claim without a volume will get one of its class. */
function driverOf(world: VolumeWorld, claim: StoredClaim): readonly [string, string] {
  const volume = claim.spec?.volumeName ? world.volumes.get('', claim.spec.volumeName) : undefined;
  if (volume !== undefined) return [volume.spec?.csi?.driver ?? '', volume.spec?.csi?.volumeHandle ?? ''];
  const provisioner = world.storageClass(classOf(claim))?.provisioner ?? '';
  return [provisioner, `unbound:${claim.metadata.namespace}/${claim.metadata.name}`];
}

function isMore(_: PodFacts, { before, after }: ObjectEvent): boolean {
  const limits = (object: KubernetesObject | undefined) => limitsOf(object as unknown as CSINode | undefined);
  const was = limits(before);
  return [...limits(after)].some(([driver, count]) => count > (was.get(driver) ?? 0));
}
