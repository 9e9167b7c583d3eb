// What becomes of the claims of one pod on one node: those that are bound must be reachable from there, the others get a volume that is there
// or are made for the node.
import { labelSelectorFrom, type LabelSelectorObject } from '#api/label-selector.ts';
import { compareQuantities, parseQuantity } from '#base/quantity.ts';
import { storageOf } from '#controllers/volumes/find-volume.ts';
import { classOf } from '#controllers/volumes/storage-objects.ts';
import type { NodeInfo } from '#scheduler/cluster/node-info.ts';
import { PluginError } from '#scheduler/framework.ts';
import { findVolume, reaches } from '#scheduler/volumes/find-volume.ts';
import { type StoredClaim, type StoredClass, type StoredVolume, type VolumeWorld } from '#scheduler/volumes/volume-world.ts';

export const selectedNode = 'volume.kubernetes.io/selected-node';
const noProvisioner = 'kubernetes.io/no-provisioner';

export interface PodClaims {
  readonly bound: readonly StoredClaim[];
  /** To be bound when a node is known. */
  readonly delayed: readonly StoredClaim[];
}

export interface PodVolumes {
  readonly bindings: readonly { readonly claim: StoredClaim; readonly volume: StoredVolume }[];
  readonly provisions: readonly StoredClaim[];
}

const reasons = {
  unreachable: "node(s) didn't match PersistentVolume's node affinity",
  none: "node(s) didn't find available persistent volumes to bind",
  full: 'node(s) did not have enough free storage',
  gone: 'node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)',
} as const;

/** Or why the node will not do. */
export function volumesOn(world: VolumeWorld, { bound, delayed }: PodClaims, node: NodeInfo): PodVolumes | readonly string[] {
  const problems: string[] = [];
  const ofBound = boundProblem(world, bound, node);
  if (ofBound === 'unreachable') problems.push(reasons.unreachable);
  const found = delayedVolumes(world, delayed, node);
  if (typeof found === 'string') problems.push(reasons[found]);
  if (ofBound === 'gone') problems.push(reasons.gone);
  return problems.length > 0 || typeof found === 'string' ? problems : found;
}

function boundProblem(world: VolumeWorld, claims: readonly StoredClaim[], node: NodeInfo): 'unreachable' | 'gone' | undefined {
  for (const { spec } of claims) {
    const volume = world.volumes.get('', spec?.volumeName ?? '');
    if (volume === undefined) return 'gone';
    if (!reaches(volume, node)) return 'unreachable';
  }
  return undefined;
}

function delayedVolumes(world: VolumeWorld, claims: readonly StoredClaim[], node: NodeInfo): PodVolumes | 'none' | 'full' {
  const toProvision: StoredClaim[] = [];
  const toFind: StoredClaim[] = [];
  for (const claim of claims) {
    const chosen = claim.metadata.annotations?.[selectedNode];
    if (chosen !== undefined && chosen !== node.name) return 'none';
    (chosen === undefined ? toFind : toProvision).push(claim);
  }
  const bindings: { readonly claim: StoredClaim; readonly volume: StoredVolume }[] = [];
  const taken = new Set<string>();
  for (const claim of toFind.toSorted((a, b) => compareQuantities(storageOf(a.spec?.resources?.requests), storageOf(b.spec?.resources?.requests)))) {
    const volume = findVolume(claim, world.volumesOfClass(classOf(claim)), node, taken);
    if (volume === undefined) toProvision.push(claim);
    else {
      taken.add(volume.metadata.name ?? '');
      bindings.push({ claim, volume });
    }
  }
  for (const claim of toProvision) {
    const problem = provisionProblem(world, claim, node);
    if (problem !== undefined) return problem;
  }
  return { bindings, provisions: toProvision };
}

function provisionProblem(world: VolumeWorld, claim: StoredClaim, node: NodeInfo): 'none' | 'full' | undefined {
  const className = classOf(claim);
  const { namespace, name } = claim.metadata;
  if (className === '') throw new PluginError(`no class for claim "${namespace}/${name}"`);
  const storageClass = world.storageClass(className);
  if (storageClass === undefined) throw new PluginError(`failed to find storage class "${className}"`);
  const { provisioner = '' } = storageClass;
  if (provisioner === '' || provisioner === noProvisioner || !isAllowedOn(storageClass, node)) return 'none';
  return hasCapacity(world, claim, storageClass, node) ? undefined : 'full';
}

function isAllowedOn({ allowedTopologies = [] }: StoredClass, { labels }: NodeInfo): boolean {
  if (allowedTopologies.length === 0) return true;
  return allowedTopologies.some(({ matchLabelExpressions = [] }) => {
    if (matchLabelExpressions.length === 0) return false;
    return matchLabelExpressions.every(({ key = '', values = [] }) => Object.hasOwn(labels, key) && values.includes(labels[key] ?? ''));
  });
}

/** Drivers that publish how much they have where are believed. */
function hasCapacity(world: VolumeWorld, claim: StoredClaim, { metadata, provisioner = '' }: StoredClass, { labels }: NodeInfo): boolean {
  const wanted = claim.spec?.resources?.requests?.['storage'];
  if (wanted === undefined || world.csiDriver(provisioner)?.spec?.storageCapacity !== true) return true;
  const size = parseQuantity(wanted);
  return world.capacities().some(({ storageClassName, capacity, maximumVolumeSize, nodeTopology }) => {
    const limit = maximumVolumeSize ?? capacity;
    if (storageClassName !== metadata.name || limit === undefined || nodeTopology === undefined) return false;
    return compareQuantities(parseQuantity(limit), size) >= 0 && labelSelectorFrom(nodeTopology as LabelSelectorObject).matches(labels);
  });
}
