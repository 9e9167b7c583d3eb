import { expect, test } from 'vitest';
import { planRollingUpdate, planScale } from '#controllers/workloads/deployment/plan-scale.ts';
import type { StoredDeployment } from '#controllers/workloads/deployment/rollout-limits.ts';
import type { StoredReplicaSet } from '#controllers/workloads/replica-set-view.ts';

function deployment(replicas: number, maxSurge: number | string, maxUnavailable: number | string): StoredDeployment {
  return {
    metadata: { name: 'web' },
    spec: { replicas, strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } } },
    status: {},
  } as unknown as StoredDeployment;
}

let age = 0;
/** Younger with every call. */
function set(replicas: number, availableReplicas = replicas, annotations: Record<string, string> = {}): StoredReplicaSet {
  const creationTimestamp = new Date(++age * 1_000).toISOString();
  return {
    metadata: { uid: String(age), name: `set-${age}`, creationTimestamp, annotations },
    spec: { replicas },
    status: { replicas, availableReplicas },
  } as unknown as StoredReplicaSet;
}

/** From which size to which. */
function steps(plan: readonly { readonly set: StoredReplicaSet; readonly to: number }[]): readonly (readonly [number, number])[] {
  return plan.map((step) => [step.set.spec.replicas ?? 0, step.to] as const);
}

test('the new revision grows as far as the surge allows', () => {
  expect(steps(planRollingUpdate(deployment(10, 3, 0), { current: set(0), old: [set(10)] }))).toEqual([[0, 3]]);
  expect(steps(planRollingUpdate(deployment(10, '25%', '25%'), { current: set(2, 0), old: [set(8)] }))).toEqual([[2, 5]]);
  expect(steps(planRollingUpdate(deployment(2, 1, 0), { current: set(5), old: [] }))).toEqual([[5, 2]]);
});

test('old revisions shrink as far as enough pods stay available, the oldest first', () => {
  const [oldest, older] = [set(4), set(4)];
  expect(steps(planRollingUpdate(deployment(10, 0, 2), { current: set(2, 2), old: [older, oldest] }))).toEqual([[4, 2]]);
  expect(planRollingUpdate(deployment(10, 0, 2), { current: set(2, 2), old: [older, oldest] })[0]?.set).toBe(oldest);
  expect(planRollingUpdate(deployment(10, 0, 2), { current: set(2, 0), old: [set(8)] })).toEqual([]);
});

test('old pods that do not serve go first', () => {
  expect(steps(planRollingUpdate(deployment(10, 0, 2), { current: set(0), old: [set(8), set(2, 0)] }))).toEqual([[2, 0]]);
});

test('pods that are about to go are not counted as available, though the status still says so', () => {
  const shrinking = { ...set(2), status: { replicas: 3, availableReplicas: 3 } } as StoredReplicaSet;
  expect(steps(planRollingUpdate(deployment(4, 1, 1), { current: set(3, 2), old: [shrinking] }))).toEqual([[2, 1]]);
});

test('while a Deployment is rolled out its revisions are scaled in proportion, and the largest takes the rest', () => {
  const before = { 'deployment.kubernetes.io/max-replicas': '13', 'deployment.kubernetes.io/desired-replicas': '10' };
  expect(steps(planScale(deployment(15, 3, 2), { current: set(5, 0, before), old: [set(8, 8, before)] }))).toEqual([
    [8, 11],
    [5, 7],
  ]);
  expect(steps(planScale(deployment(5, 3, 2), { current: set(5, 0, before), old: [set(8, 8, before)] }))).toEqual([
    [8, 5],
    [5, 3],
  ]);
  expect(steps(planScale(deployment(0, 3, 2), { current: set(5, 0, before), old: [set(8, 8, before)] }))).toEqual([
    [8, 0],
    [5, 0],
  ]);
});

test('a Deployment with one revision gives it all', () => {
  expect(steps(planScale(deployment(7, 1, 1), { current: set(3), old: [set(0)] }))).toEqual([[3, 7]]);
  expect(steps(planScale(deployment(7, 1, 1), { current: undefined, old: [set(3), set(0)] }))).toEqual([[3, 7]]);
  expect(planScale(deployment(3, 1, 1), { current: set(3), old: [] })).toEqual([]);
});
