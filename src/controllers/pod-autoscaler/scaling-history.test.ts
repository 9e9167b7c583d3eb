import { describe, expect, test } from 'vitest';
import { limit, limitBy, recordScaling, type ScalingHistory, stabilize, stabilizeBy } from '#controllers/pod-autoscaler/scaling-history.ts';
import type { HPAScalingRules } from '#kinds/autoscaling/v2/horizontal-pod-autoscaler.ts';

const minute = 60_000;
const now = 100 * minute;
const history = (
  recommendations: readonly [number, number][] = [],
  ups: readonly [number, number][] = [],
  downs: readonly [number, number][] = [],
): ScalingHistory => {
  const changes = (all: readonly [number, number][]) => all.map(([minutesAgo, replicas]) => ({ replicas, at: now - minutesAgo * minute }));
  return { recommendations: changes(recommendations), ups: changes(ups), downs: changes(downs) };
};

test('without a behaviour the highest recommendation of five minutes counts', () => {
  const known = history([
    [6, 20],
    [4, 7],
    [1, 3],
  ]);
  expect(stabilize(known, 5, now)).toMatchObject({ replicas: 7, reason: 'ScaleDownStabilized' });
  expect(known.recommendations.map(({ replicas }) => replicas)).toEqual([7, 3, 5]);
  expect(stabilize(history(), 5, now)).toMatchObject({ replicas: 5, reason: 'ReadyForNewScale' });
});

test.each([
  [{ current: 3, desired: 9, min: 1, max: 100 }, 6, 'ScaleUpLimit'],
  [{ current: 1, desired: 9, min: 1, max: 100 }, 4, 'ScaleUpLimit'],
  [{ current: 3, desired: 9, min: 1, max: 5 }, 5, 'TooManyReplicas'],
  [{ current: 3, desired: 0, min: 2, max: 5 }, 2, 'TooFewReplicas'],
  [{ current: 3, desired: 4, min: 2, max: 5 }, 4, 'DesiredWithinRange'],
])('without a behaviour %j becomes %i (%s)', (bounds, replicas, reason) => {
  expect(limit(bounds)).toMatchObject({ replicas, reason });
});

const rules = (selectPolicy: string, stabilizationWindowSeconds: number, ...policies: readonly [string, number, number][]) =>
  ({ selectPolicy, stabilizationWindowSeconds, policies: policies.map(([type, value, periodSeconds]) => ({ type, value, periodSeconds })) }) as HPAScalingRules;
const none = rules('Max', 0, ['Percent', 100, 15]);

describe('a behaviour', () => {
  test.each<[string, HPAScalingRules, HPAScalingRules, number, number, string]>([
    ['holds back what grows', rules('Max', 300), none, 9, 4, 'ScaleUpStabilized'],
    ['holds back what shrinks', none, rules('Max', 300), 2, 5, 'ScaleDownStabilized'],
    ['lets go without windows', none, none, 9, 9, 'ReadyForNewScale'],
  ])('%s', (_, up, down, desired, replicas, reason) => {
    const recent = desired > 5 ? history([[2, 4]]) : history([[2, 8]]);
    const bounds = { current: desired > 5 ? 4 : 5, desired, min: 1, max: 100 };
    expect(stabilizeBy({ up, down }, recent, bounds, now)).toMatchObject({ replicas, reason });
  });

  test.each<[string, HPAScalingRules, ScalingHistory, number, number, string]>([
    ['pods in a period', rules('Max', 0, ['Pods', 4, 60]), history(), 30, 14, 'ScaleUpLimit'],
    ['pods in a period, of which some were added', rules('Max', 0, ['Pods', 4, 60]), history([], [[0.5, 3]]), 30, 11, 'ScaleUpLimit'],
    ['percent in a period, rounded up', rules('Max', 0, ['Percent', 15, 60]), history(), 30, 12, 'ScaleUpLimit'],
    ['the larger of two', rules('Max', 0, ['Pods', 4, 60], ['Percent', 100, 60]), history(), 30, 20, 'ScaleUpLimit'],
    ['the smaller of two', rules('Min', 0, ['Pods', 4, 60], ['Percent', 100, 60]), history(), 30, 14, 'ScaleUpLimit'],
    ['none at all', rules('Disabled', 0, ['Pods', 4, 60]), history(), 30, 10, 'ScaleUpLimit'],
    ['the maximum', rules('Max', 0, ['Pods', 100, 60]), history(), 90, 50, 'TooManyReplicas'],
  ])('lets it grow by %s', (_, up, known, desired, replicas, reason) => {
    expect(limitBy({ up, down: none }, known, { current: 10, desired, min: 1, max: 50 }, now)).toMatchObject({ replicas, reason });
  });

  test.each<[string, HPAScalingRules, ScalingHistory, number, number, string]>([
    ['pods in a period', rules('Max', 0, ['Pods', 4, 60]), history(), 1, 6, 'ScaleDownLimit'],
    ['pods in a period, of which some went', rules('Max', 0, ['Pods', 4, 60]), history([], [], [[0.5, 3]]), 1, 9, 'ScaleDownLimit'],
    ['percent in a period', rules('Max', 0, ['Percent', 15, 60]), history(), 1, 8, 'ScaleDownLimit'],
    ['the larger of two', rules('Max', 0, ['Pods', 4, 60], ['Percent', 50, 60]), history(), 1, 5, 'ScaleDownLimit'],
    ['the smaller of two', rules('Min', 0, ['Pods', 4, 60], ['Percent', 50, 60]), history(), 1, 6, 'ScaleDownLimit'],
    ['the minimum', rules('Max', 0, ['Percent', 100, 60]), history(), 1, 2, 'TooFewReplicas'],
  ])('lets it shrink by %s', (_, down, known, desired, replicas, reason) => {
    expect(limitBy({ up: none, down }, known, { current: 10, desired, min: 2, max: 50 }, now)).toMatchObject({ replicas, reason });
  });

  test('what was done is remembered as long as a policy asks for it', () => {
    const known = history(
      [],
      [
        [5, 2],
        [0.5, 1],
      ],
    );
    recordScaling({ up: rules('Max', 0, ['Pods', 4, 60]), down: none }, known, 3, 6, now);
    expect(known.ups).toEqual([
      { replicas: 1, at: now - 30_000 },
      { replicas: 3, at: now },
    ]);
  });
});
