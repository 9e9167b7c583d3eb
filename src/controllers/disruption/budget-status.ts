// How many pods of a PodDisruptionBudget may be evicted now: the status that evictions are judged by.
import type { KubernetesObject } from '#api/object.ts';
import { intOrPercent } from '#controllers/int-or-percent.ts';
import type { Pod } from '#kinds/core/v1/pod/pod.ts';
import type { PodDisruptionBudget } from '#kinds/policy/v1/pod-disruption-budget.ts';

export type StoredBudget = PodDisruptionBudget & KubernetesObject;
export type StoredPod = Pod & KubernetesObject;
type Status = NonNullable<StoredBudget['status']>;
type Condition = NonNullable<Status['conditions']>[number];

/** An evicted pod that is still there after this time is counted as healthy again. */
export const deletionTimeoutMs = 2 * 60_000;
const allowedType = 'DisruptionAllowed';

/** How many pods there should be. `unmanaged`: pods without a controller, of which nobody can say it. */
export interface ExpectedPods {
  readonly expected: number;
  readonly desiredHealthy: number;
}

/** Which count the budget needs: how many pods there are, or how many their controllers want. */
export function needsScale({ spec }: StoredBudget): boolean {
  return spec?.maxUnavailable !== undefined || typeof spec?.minAvailable === 'string';
}

/** `scale`: what the controllers of the pods want in all; only read where `needsScale`. */
export function expectedPods({ spec }: StoredBudget, pods: readonly StoredPod[], scale: number): ExpectedPods {
  if (spec?.maxUnavailable !== undefined) return { expected: scale, desiredHealthy: Math.max(0, scale - intOrPercent(spec.maxUnavailable, scale, 'up')) };
  if (typeof spec?.minAvailable === 'string') return { expected: scale, desiredHealthy: intOrPercent(spec.minAvailable, scale, 'up') };
  if (spec?.minAvailable !== undefined) return { expected: pods.length, desiredHealthy: spec.minAvailable };
  return { expected: 0, desiredHealthy: 0 };
}

export interface DisruptedPods {
  readonly disrupted: Readonly<Record<string, string>>;
  /** In how many milliseconds the next of them is overdue. */
  readonly recheckMs: number | undefined;
  /** Pods that were to go, and are still there. */
  readonly overdue: readonly StoredPod[];
}

/** Which evicted pods are still expected to go. */
export function disruptedPods({ status }: StoredBudget, pods: readonly StoredPod[], now: number): DisruptedPods {
  const before = status?.disruptedPods ?? {};
  const disrupted: Record<string, string> = {};
  const overdue: StoredPod[] = [];
  let recheckMs: number | undefined;
  for (const pod of pods) {
    const name = pod.metadata.name ?? '';
    const since = before[name];
    if (pod.metadata.deletionTimestamp !== undefined || since === undefined) continue;
    const leftMs = Date.parse(since) + deletionTimeoutMs - now;
    if (leftMs < 0) overdue.push(pod);
    else {
      disrupted[name] = since;
      recheckMs = Math.min(recheckMs ?? leftMs, leftMs);
    }
  }
  return { disrupted, recheckMs, overdue };
}

export function countHealthy(pods: readonly StoredPod[], disrupted: Readonly<Record<string, string>>): number {
  return pods.filter(({ metadata, status }) => {
    if (metadata.deletionTimestamp !== undefined || disrupted[metadata.name ?? ''] !== undefined) return false;
    return status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') === true;
  }).length;
}

/** Undefined: the status says that already. */
export function nextStatus(
  budget: StoredBudget,
  currentHealthy: number,
  { expected, desiredHealthy }: ExpectedPods,
  disrupted: Readonly<Record<string, string>>,
  now: string,
): Status | undefined {
  // A budget without pods allows nothing: its first pods are safe before the controller has seen them.
  const disruptionsAllowed = expected <= 0 ? 0 : Math.max(0, currentHealthy - desiredHealthy);
  const observedGeneration = budget.metadata.generation ?? 0;
  const counts = { currentHealthy, desiredHealthy, expectedPods: expected, disruptionsAllowed, observedGeneration };
  const reason = disruptionsAllowed > 0 ? 'SufficientPods' : 'InsufficientPods';
  const condition = { status: disruptionsAllowed > 0 ? 'True' : 'False', reason, message: '', observedGeneration };
  const conditions = withCondition(budget.status?.conditions ?? [], condition, now);
  const next = { ...counts, ...(Object.keys(disrupted).length > 0 && { disruptedPods: { ...disrupted } }), conditions } as unknown as Status;
  return comparable(next) === comparable(budget.status) ? undefined : next;
}

/** When the count failed, no eviction is allowed until it succeeds. */
export function failedStatus(budget: StoredBudget, problem: string, now: string): Status {
  const observedGeneration = budget.status?.observedGeneration ?? 0;
  const condition = { status: 'False', reason: 'SyncFailed', message: problem, observedGeneration };
  return { ...budget.status, disruptionsAllowed: 0, conditions: withCondition(budget.status?.conditions ?? [], condition, now) } as unknown as Status;
}

function withCondition(conditions: readonly Condition[], said: Omit<Condition, 'type' | 'lastTransitionTime'>, now: string): Condition[] {
  const before = conditions.find(({ type }) => type === allowedType);
  const lastTransitionTime = before?.status === said.status ? before.lastTransitionTime : now;
  const next = { type: allowedType, ...said, lastTransitionTime } as Condition;
  return before ? conditions.map((one) => (one === before ? next : one)) : [...conditions, next];
}

function comparable(status: StoredBudget['status']): string {
  const { currentHealthy = 0, desiredHealthy = 0, expectedPods: expected = 0, disruptionsAllowed = 0, observedGeneration = 0 } = status ?? {};
  const said = (status?.conditions ?? []).map(({ type, status: is, reason, message, observedGeneration: of }) => [type, is, reason, message, of]);
  const disrupted = Object.entries(status?.disruptedPods ?? {}).sort();
  return JSON.stringify([currentHealthy, desiredHealthy, expected, disruptionsAllowed, observedGeneration, disrupted, said]);
}
