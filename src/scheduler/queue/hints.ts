// What happens in the cluster, as far as pods that did not fit want to hear of it, and whether it could help one of them.
import type { KubernetesObject } from '#api/object.ts';
import type { NodeInfo, StoredNode } from '#scheduler/cluster/node-info.ts';
import type { PodFacts } from '#scheduler/cluster/pod-facts.ts';

export type NodeAction = 'Add' | 'Delete' | 'UpdateAllocatable' | 'UpdateLabel' | 'UpdateTaint' | 'UpdateCondition' | 'UpdateAnnotation' | 'UpdateFeatures';
export type PodAction = 'Add' | 'Delete' | 'Update' | 'UpdateLabel' | 'UpdateScaleDown' | 'UpdateToleration' | 'UpdateGatesEliminated' | 'UpdateGeneratedClaim';
export type ObjectKind =
  | 'PersistentVolume'
  | 'PersistentVolumeClaim'
  | 'StorageClass'
  | 'CSINode'
  | 'CSIDriver'
  | 'CSIStorageCapacity'
  | 'VolumeAttachment'
  | 'ResourceClaim'
  | 'ResourceSlice'
  | 'DeviceClass';
export type ObjectAction = 'Add' | 'Update' | 'Delete';

interface Changed<T> {
  readonly before: T | undefined;
  readonly after: T | undefined;
}

/** A pod with a node, or one that waits for its own. */
export interface PodEvent extends Changed<PodFacts> {
  readonly of: 'Pod';
  readonly action: PodAction;
}
export interface NodeEvent extends Changed<StoredNode> {
  readonly of: 'Node';
  readonly action: NodeAction;
  /** As it is now. */
  readonly info: NodeInfo | undefined;
}
export interface ObjectEvent extends Changed<KubernetesObject> {
  readonly of: ObjectKind;
  readonly action: ObjectAction;
}

export type ClusterEvent = PodEvent | NodeEvent | ObjectEvent;

/** One kind of change that a plugin wants to hear of. */
export interface Hint {
  readonly of: ClusterEvent['of'];
  readonly actions: readonly (NodeAction | PodAction | ObjectAction)[];
  /** Could the pod fit now? Absent: it could. */
  readonly isWorth?: (pod: PodFacts, event: ClusterEvent) => boolean;
}

export function nodeHint(actions: readonly NodeAction[], isWorth?: (pod: PodFacts, event: NodeEvent) => boolean): Hint {
  return { of: 'Node', actions, ...(isWorth && { isWorth: isWorth as NonNullable<Hint['isWorth']> }) };
}

export function podHint(actions: readonly PodAction[], isWorth: (pod: PodFacts, event: PodEvent) => boolean): Hint {
  return { of: 'Pod', actions, isWorth: isWorth as NonNullable<Hint['isWorth']> };
}

export function objectHint(of: ObjectKind, actions: readonly ObjectAction[], isWorth?: (pod: PodFacts, event: ObjectEvent) => boolean): Hint {
  return { of, actions, ...(isWorth && { isWorth: isWorth as NonNullable<Hint['isWorth']> }) };
}

/** Did the pod count somewhere: on a node, or on one that others were removed from for it? */
export function hadPlace({ nodeName, nominatedNode }: PodFacts): boolean {
  return nodeName !== '' || nominatedNode !== '';
}
