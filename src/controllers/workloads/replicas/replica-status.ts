// The status of a ReplicaSet or ReplicationController: how many of its pods there are, and why not as many as there should be.
import { isDeepStrictEqual } from 'node:util';
import { messageOf } from '#base/message-of.ts';
import { isAvailable, isReady, type PodView } from '#controllers/workloads/pod-view.ts';

/** What both kinds have in common. */
export interface ReplicaStatus {
  replicas: number;
  fullyLabeledReplicas?: number | undefined;
  readyReplicas?: number | undefined;
  availableReplicas?: number | undefined;
  terminatingReplicas?: number | undefined;
  observedGeneration?: number | undefined;
  conditions?: ReplicaCondition[] | undefined;
}

export interface ReplicaCondition {
  type: string;
  status: string;
  lastTransitionTime?: string | undefined;
  reason?: string | undefined;
  message?: string | undefined;
}

export interface Counted {
  readonly before: ReplicaStatus;
  readonly desired: number;
  readonly minReadySeconds: number;
  readonly templateLabels: Readonly<Record<string, string>>;
  readonly active: readonly PodView[];
  /** Undefined: the kind does not tell. */
  readonly terminating: number | undefined;
  /** Why pods could not be made or deleted. */
  readonly failure: unknown;
  /** In milliseconds, and as written into conditions. */
  readonly now: number;
  readonly at: string;
}

export function replicaStatus(counted: Counted): ReplicaStatus {
  const { before, active, minReadySeconds, templateLabels, terminating, now } = counted;
  const labels = Object.entries(templateLabels);
  const conditions = conditionsOf(counted);
  return {
    ...before,
    replicas: active.length,
    fullyLabeledReplicas: count(active, (pod) => labels.every(([key, value]) => pod.labels[key] === value)),
    readyReplicas: count(active, isReady),
    availableReplicas: count(active, (pod) => isAvailable(pod, minReadySeconds, now)),
    terminatingReplicas: terminating,
    conditions: conditions.length === 0 ? undefined : conditions,
  };
}

/** A failure that was told already keeps its words and its time. */
function conditionsOf({ before: { conditions = [] }, desired, active, failure, at }: Counted): ReplicaCondition[] {
  const told = conditions.find(({ type }) => type === 'ReplicaFailure');
  if (failure === undefined) return conditions.filter((condition) => condition !== told);
  if (told !== undefined) return conditions;
  const reason = active.length < desired ? 'FailedCreate' : 'FailedDelete';
  return [...conditions, { type: 'ReplicaFailure', status: 'True', lastTransitionTime: at, reason, message: messageOf(failure) }];
}

export function sameStatus(before: ReplicaStatus, after: ReplicaStatus, generation: number | undefined): boolean {
  const counts = ['replicas', 'fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'] as const;
  return (
    counts.every((name) => (before[name] ?? 0) === (after[name] ?? 0)) &&
    before.terminatingReplicas === after.terminatingReplicas &&
    before.observedGeneration === generation &&
    isDeepStrictEqual(before.conditions ?? [], after.conditions ?? [])
  );
}

function count(pods: readonly PodView[], holds: (pod: PodView) => boolean): number {
  let held = 0;
  for (const pod of pods) if (holds(pod)) held++;
  return held;
}
