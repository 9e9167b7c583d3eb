// What a Deployment allows while it is rolled out.
import type { KubernetesObject } from '#api/object.ts';
import { intOrPercent } from '#controllers/int-or-percent.ts';
import type { Deployment } from '#kinds/apps/v1/deployment.ts';

export type StoredDeployment = Deployment & KubernetesObject;

const unlimited = 2 ** 31 - 1;

export function desiredReplicas({ spec }: StoredDeployment): number {
  return spec.replicas ?? 0;
}

export function isRollingUpdate({ spec }: StoredDeployment): boolean {
  return spec.strategy.type === 'RollingUpdate';
}

/** How many pods there may be beyond what is desired. */
export function maxSurge(deployment: StoredDeployment): number {
  return isRollingUpdate(deployment) ? rollingLimits(deployment).surge : 0;
}

/** How many of the desired pods may be missing. */
export function maxUnavailable(deployment: StoredDeployment): number {
  const desired = desiredReplicas(deployment);
  if (!isRollingUpdate(deployment) || desired === 0) return 0;
  return Math.min(rollingLimits(deployment).unavailable, desired);
}

/** Where neither is allowed nothing could ever be replaced: one may be missing then. */
function rollingLimits(deployment: StoredDeployment): { readonly surge: number; readonly unavailable: number } {
  const { maxSurge: surging = 0, maxUnavailable: missing = 0 } = deployment.spec.strategy.rollingUpdate ?? {};
  const desired = desiredReplicas(deployment);
  const surge = intOrPercent(surging, desired, 'up');
  const unavailable = intOrPercent(missing, desired, 'down');
  return { surge, unavailable: surge === 0 && unavailable === 0 ? 1 : unavailable };
}

/** Undefined: it may take as long as it takes. */
export function progressDeadlineMs({ spec: { progressDeadlineSeconds } }: StoredDeployment): number | undefined {
  return progressDeadlineSeconds === undefined || progressDeadlineSeconds === unlimited ? undefined : progressDeadlineSeconds * 1_000;
}

/** Undefined: all are kept. */
export function historyLimit({ spec: { revisionHistoryLimit } }: StoredDeployment): number | undefined {
  return revisionHistoryLimit === unlimited ? undefined : revisionHistoryLimit;
}
