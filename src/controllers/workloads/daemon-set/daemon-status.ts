// Counts of a DaemonSet's pods by node.
import type { StoredDaemonSet } from '#controllers/workloads/daemon-set/daemon-nodes.ts';
import { isUpdated } from '#controllers/workloads/daemon-set/daemon-pod.ts';
import { bySeniority, type DaemonWorld } from '#controllers/workloads/daemon-set/plan-daemons.ts';
import { isAvailable, isReady } from '#controllers/workloads/pod-view.ts';

export type DaemonSetStatus = NonNullable<StoredDaemonSet['status']>;

/** Of several pods on a node the one that was there first counts. */
export function daemonStatus({ set, nodes, judge, podsOn, hash, now }: DaemonWorld): DaemonSetStatus {
  const { minReadySeconds = 0 } = set.spec;
  const firstOn = (name: string) => (podsOn.get(name) ?? []).toSorted(bySeniority)[0];
  const wanted = nodes.filter((node) => judge(node).run);
  const pods = wanted.flatMap(({ name }) => firstOn(name) ?? []);
  const available = pods.filter((pod) => isAvailable(pod, minReadySeconds, now)).length;
  return {
    ...set.status,
    observedGeneration: set.metadata.generation,
    desiredNumberScheduled: wanted.length,
    currentNumberScheduled: pods.length,
    numberMisscheduled: nodes.filter((node) => firstOn(node.name) && !judge(node).run).length,
    numberReady: pods.filter(isReady).length,
    updatedNumberScheduled: pods.filter((pod) => isUpdated(set, pod, hash)).length,
    numberAvailable: available,
    numberUnavailable: wanted.length - available,
  };
}

const counts = [
  'desiredNumberScheduled',
  'currentNumberScheduled',
  'numberMisscheduled',
  'numberReady',
  'updatedNumberScheduled',
  'numberAvailable',
  'numberUnavailable',
] as const;

export function isToldAlready({ status: before }: StoredDaemonSet, after: DaemonSetStatus): boolean {
  return counts.every((count) => (before[count] ?? 0) === (after[count] ?? 0)) && (before.observedGeneration ?? 0) >= (after.observedGeneration ?? 0);
}
