import type { KubernetesObject } from '#api/object.ts';
import type { Lease } from '#kinds/coordination/v1/lease.ts';
import type { Node, NodeCondition } from '#kinds/core/v1/node/node.ts';
import type { Pod } from '#kinds/core/v1/pod/pod.ts';

export type StoredNode = Node & KubernetesObject;
export type StoredPod = Pod & KubernetesObject;
export type StoredLease = Lease & KubernetesObject;

export function conditionOf({ status }: StoredNode, type: string): NodeCondition | undefined {
  return status?.conditions?.find((condition) => condition.type === type);
}
