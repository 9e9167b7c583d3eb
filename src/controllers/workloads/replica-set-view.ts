import type { KubernetesObject } from '#api/object.ts';
import { kinds } from '#client/kinds.ts';
import { ControlledObjects, type ObjectView, objectViewOf, oncePerServer } from '#controllers/workloads/controlled-objects.ts';
import type { ReplicaSet } from '#kinds/apps/v1/replica-set.ts';

export type StoredReplicaSet = ReplicaSet & KubernetesObject;
export type ControlledReplicaSets = ControlledObjects<StoredReplicaSet, ObjectView>;

export const controlledReplicaSets = oncePerServer(
  (sources): ControlledReplicaSets => new ControlledObjects(sources.of<StoredReplicaSet>(kinds.replicaSets), objectViewOf),
);
