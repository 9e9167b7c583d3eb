// The status of a Deployment: counts of its ReplicaSets, and conditions that tell whether it serves and whether it moves. Pure: `at` is now.
import { allOf, replicasOf, type Revisions } from '#controllers/workloads/deployment/plan-scale.ts';
import { desiredReplicas, maxUnavailable, progressDeadlineMs, type StoredDeployment } from '#controllers/workloads/deployment/rollout-limits.ts';
import type { StoredReplicaSet } from '#controllers/workloads/replica-set-view.ts';

export type DeploymentStatus = NonNullable<StoredDeployment['status']>;
export type DeploymentCondition = NonNullable<DeploymentStatus['conditions']>[number];
type Progress = Pick<DeploymentCondition, 'status' | 'reason' | 'message'>;

export function conditionOf({ conditions }: DeploymentStatus, type: string): DeploymentCondition | undefined {
  return conditions?.find((condition) => condition.type === type);
}

/** One that says the same already stays as it is; the time of transition is that of the last change of `status`. */
export function withCondition(status: DeploymentStatus, condition: DeploymentCondition): DeploymentStatus {
  const before = conditionOf(status, condition.type);
  if (before?.status === condition.status && before.reason === condition.reason) return status;
  const lastTransitionTime = before?.status === condition.status ? before.lastTransitionTime : condition.lastTransitionTime;
  return { ...status, conditions: [...withoutCondition(status, condition.type).conditions, { ...condition, lastTransitionTime }] };
}

export function withoutCondition(status: DeploymentStatus, type: string): DeploymentStatus & { readonly conditions: DeploymentCondition[] } {
  return { ...status, conditions: (status.conditions ?? []).filter((condition) => condition.type !== type) };
}

export function conditionNow(type: string, { status, reason, message }: Progress, at: string): DeploymentCondition {
  return { type, status, lastUpdateTime: at, lastTransitionTime: at, reason, message };
}

export function progressing(status: DeploymentStatus, progress: Progress, at: string): DeploymentStatus {
  return withCondition(status, conditionNow('Progressing', progress, at));
}

export function countedStatus(deployment: StoredDeployment, revisions: Revisions, at: string): DeploymentStatus {
  const all = allOf(revisions);
  const sum = (of: (set: StoredReplicaSet) => number | undefined) => all.reduce((total, set) => total + (of(set) ?? 0), 0);
  const availableReplicas = sum(({ status }) => status.availableReplicas);
  const { collisionCount, conditions } = deployment.status;
  const terminatingReplicas = terminatingOf(all);
  const status: DeploymentStatus = {
    observedGeneration: deployment.metadata.generation,
    replicas: sum(({ status: of }) => of.replicas),
    updatedReplicas: revisions.current?.status.replicas ?? 0,
    readyReplicas: sum(({ status: of }) => of.readyReplicas),
    availableReplicas,
    unavailableReplicas: Math.max(0, sum(replicasOf) - availableReplicas),
    ...(terminatingReplicas !== undefined && { terminatingReplicas }),
    ...(collisionCount !== undefined && { collisionCount }),
    conditions: conditions ?? [],
  };
  const serves = availableReplicas >= desiredReplicas(deployment) - maxUnavailable(deployment);
  return withCondition(status, conditionNow('Available', serves ? serving : notServing, at));
}

const serving: Progress = { status: 'True', reason: 'MinimumReplicasAvailable', message: 'Deployment has minimum availability.' };
const notServing: Progress = { status: 'False', reason: 'MinimumReplicasUnavailable', message: 'Deployment does not have minimum availability.' };

/** Undefined: one of them does not tell. */
function terminatingOf(sets: readonly StoredReplicaSet[]): number | undefined {
  let total = 0;
  for (const { status } of sets) {
    if (status.terminatingReplicas === undefined && status.observedGeneration) return undefined;
    total += status.terminatingReplicas ?? 0;
  }
  return total;
}

/** With how the rollout goes, where the Deployment has a deadline for it. */
export function rolloutStatus(deployment: StoredDeployment, revisions: Revisions, now: Date, at: string): DeploymentStatus {
  const counted = countedStatus(deployment, revisions, at);
  const status =
    progressDeadlineMs(deployment) === undefined ? withoutCondition(counted, 'Progressing') : withProgress(deployment, revisions, counted, now, at);
  const [failure] = failuresOf(revisions);
  return failure ? withCondition(status, failure) : withoutCondition(status, 'ReplicaFailure');
}

function withProgress(deployment: StoredDeployment, { current }: Revisions, status: DeploymentStatus, now: Date, at: string): DeploymentStatus {
  const before = conditionOf(deployment.status, 'Progressing');
  // Once all is replaced, pods that come and go are no rollout.
  if ((status.replicas ?? 0) === (status.updatedReplicas ?? 0) && before?.reason === 'NewReplicaSetAvailable') return status;
  const name = current ? `ReplicaSet ${JSON.stringify(current.metadata.name)}` : `Deployment ${JSON.stringify(deployment.metadata.name)}`;
  if (isComplete(deployment, status)) {
    return progressing(status, { status: 'True', reason: 'NewReplicaSetAvailable', message: `${name} has successfully progressed.` }, at);
  }
  if (hasProgressed(deployment.status, status)) {
    const condition = conditionNow('Progressing', { status: 'True', reason: 'ReplicaSetUpdated', message: `${name} is progressing.` }, at);
    const lastTransitionTime = before?.status === 'True' ? before.lastTransitionTime : condition.lastTransitionTime;
    return withCondition(withoutCondition(status, 'Progressing'), { ...condition, lastTransitionTime });
  }
  if (!isTimedOut(deployment, status, now)) return status;
  return progressing(status, { status: 'False', reason: 'ProgressDeadlineExceeded', message: `${name} has timed out progressing.` }, at);
}

export function isComplete(deployment: StoredDeployment, status: DeploymentStatus): boolean {
  const desired = desiredReplicas(deployment);
  const counts = [status.updatedReplicas, status.replicas, status.availableReplicas];
  return counts.every((count = 0) => count === desired) && (status.observedGeneration ?? 0) >= (deployment.metadata.generation ?? 0);
}

function hasProgressed(before: DeploymentStatus, after: DeploymentStatus): boolean {
  const more = (['updatedReplicas', 'readyReplicas', 'availableReplicas'] as const).some((count) => (after[count] ?? 0) > (before[count] ?? 0));
  return more || oldReplicas(after) < oldReplicas(before);
}

function oldReplicas({ replicas = 0, updatedReplicas = 0 }: DeploymentStatus): number {
  return replicas - updatedReplicas;
}

function isTimedOut(deployment: StoredDeployment, status: DeploymentStatus, now: Date): boolean {
  const condition = conditionOf(status, 'Progressing');
  if (condition === undefined || condition.reason === 'NewReplicaSetAvailable') return false;
  return condition.reason === 'ProgressDeadlineExceeded' || deadlineOf(deployment, condition) < now.getTime();
}

function deadlineOf(deployment: StoredDeployment, { lastUpdateTime }: DeploymentCondition): number {
  return Date.parse(lastUpdateTime ?? '') + (progressDeadlineMs(deployment) ?? 0);
}

/** In how many milliseconds a rollout that does not move is late; undefined: there is nothing to wait for. */
export function progressCheckMs(deployment: StoredDeployment, now: Date): number | undefined {
  const condition = conditionOf(deployment.status, 'Progressing');
  if (progressDeadlineMs(deployment) === undefined || condition === undefined) return undefined;
  if (isComplete(deployment, deployment.status) || condition.reason === 'ProgressDeadlineExceeded') return undefined;
  // Conditions know whole seconds.
  return Math.max(0, deadlineOf(deployment, condition) - now.getTime()) + 1_000;
}

/** Those of the new revision tell most. */
function failuresOf(revisions: Revisions): readonly DeploymentCondition[] {
  const of = (sets: readonly StoredReplicaSet[]) =>
    sets.flatMap(({ status }) => (status.conditions ?? []).filter(({ type }) => type === 'ReplicaFailure')).map(asDeploymentCondition);
  const current = revisions.current ? of([revisions.current]) : [];
  return current.length > 0 ? current : of(allOf(revisions));
}

function asDeploymentCondition(condition: NonNullable<StoredReplicaSet['status']['conditions']>[number]): DeploymentCondition {
  return { ...condition, lastUpdateTime: condition.lastTransitionTime };
}
