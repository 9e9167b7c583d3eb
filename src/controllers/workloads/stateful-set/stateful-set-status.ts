// Counts of a StatefulSet's pods, of those at the current and at the updated revision.
import { isAvailable, isReady, type PodView } from '#controllers/workloads/pod-view.ts';
import { replicasOf, revisionLabel, type StoredStatefulSet } from '#controllers/workloads/stateful-set/ordinals.ts';

export type StatefulSetStatus = NonNullable<StoredStatefulSet['status']>;

export interface RevisionNames {
  readonly current: string;
  readonly update: string;
}

export function isUnavailable(pod: PodView, { spec }: StoredStatefulSet, now: number): boolean {
  return pod.isDeleting || !isAvailable(pod, spec.minReadySeconds ?? 0, now);
}

export function isRunningAndReady(pod: PodView): boolean {
  return pod.phase === 'Running' && isReady(pod);
}

export function countPods(set: StoredStatefulSet, pods: readonly PodView[], { current, update }: RevisionNames, now: number) {
  const { minReadySeconds = 0 } = set.spec;
  const ready = pods.filter(isRunningAndReady);
  const staying = pods.filter(({ phase, isDeleting }) => phase !== '' && !isDeleting);
  return {
    replicas: pods.filter(({ phase }) => phase !== '').length,
    readyReplicas: ready.length,
    availableReplicas: ready.filter((pod) => isAvailable(pod, minReadySeconds, now)).length,
    currentReplicas: staying.filter(({ labels }) => labels[revisionLabel] === current).length,
    updatedReplicas: staying.filter(({ labels }) => labels[revisionLabel] === update).length,
  };
}

/** Once all pods are updated, the updated revision is the current one. */
export function completed(set: StoredStatefulSet, status: StatefulSetStatus): StatefulSetStatus {
  const desired = replicasOf(set);
  const counts = [status.updatedReplicas, status.readyReplicas, status.replicas];
  if (set.spec.updateStrategy.type !== 'RollingUpdate' || !counts.every((count = 0) => count === desired)) return status;
  return { ...status, currentReplicas: status.updatedReplicas, currentRevision: status.updateRevision };
}

const counts = ['replicas', 'currentReplicas', 'readyReplicas', 'updatedReplicas', 'availableReplicas'] as const;

export function isTold({ status: before }: StoredStatefulSet, after: StatefulSetStatus): boolean {
  return (
    (after.observedGeneration ?? 0) <= (before.observedGeneration ?? 0) &&
    counts.every((count) => (before[count] ?? 0) === (after[count] ?? 0)) &&
    before.currentRevision === after.currentRevision &&
    before.updateRevision === after.updateRevision
  );
}
