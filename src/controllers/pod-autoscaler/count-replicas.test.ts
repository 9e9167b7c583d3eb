import { describe, expect, test } from 'vitest';
import { byAverage, byRatio, byShare, byUtilization, groupPods } from '#controllers/pod-autoscaler/count-replicas.ts';
import type { PodMetrics } from '#controllers/pod-autoscaler/metrics-apis.ts';
import type { StoredPod } from '#controllers/workloads/pod-view.ts';

const now = Date.parse('2026-01-01T12:00:00Z');
const minutesAgo = (minutes: number) => new Date(now - minutes * 60_000).toISOString();
const tolerance = { up: 0.1, down: 0.1 };

interface Shape {
  readonly phase?: string;
  readonly ready?: boolean;
  readonly started?: number;
  readonly changed?: number;
  readonly isDeleting?: boolean;
}

function pod(name: string, { phase = 'Running', ready = true, started = 60, changed = 59, isDeleting = false }: Shape = {}): StoredPod {
  const metadata = { name, ...(isDeleting && { deletionTimestamp: minutesAgo(0) }) };
  const containers = [{ name: 'c', resources: { requests: { cpu: '1' } } }];
  const conditions = [{ type: 'Ready', status: ready ? 'True' : 'False', lastTransitionTime: minutesAgo(changed) }];
  return { metadata, spec: { containers }, status: { phase, startTime: minutesAgo(started), conditions } } as unknown as StoredPod;
}

function measured(values: Readonly<Record<string, number>>): PodMetrics {
  return new Map(Object.entries(values).map(([name, value]) => [name, { value, at: now, windowMs: 60_000 }]));
}

function given(pods: readonly StoredPod[], values: Readonly<Record<string, number>>, resource = 'cpu') {
  return { pods, metrics: measured(values), resource, current: pods.length, tolerance, now };
}

const three = [pod('a'), pod('b'), pod('c')];

describe('by utilisation', () => {
  test.each<[string, readonly StoredPod[], Readonly<Record<string, number>>, number, object]>([
    ['grows in proportion', three, { a: 900, b: 900, c: 900 }, 50, { replicas: 6, utilization: 90, usage: 900 }],
    ['stays within the tolerance', three, { a: 540, b: 540, c: 540 }, 50, { replicas: 3, utilization: 54 }],
    ['shrinks in proportion', three, { a: 100, b: 100, c: 100 }, 50, { replicas: 1, utilization: 10 }],
    ['takes missing pods as idle when it grows', three, { a: 900, b: 900 }, 50, { replicas: 4, utilization: 90 }],
    ['takes missing pods as fully used when it shrinks', three, { a: 100, b: 100 }, 50, { replicas: 3, utilization: 10 }],
    ['takes pods that are pending as idle when it grows', [...three, pod('d', { phase: 'Pending' })], { a: 900, b: 900, c: 900 }, 50, { replicas: 6 }],
    [
      'leaves pods out that are going or have failed',
      [...three, pod('d', { isDeleting: true }), pod('e', { phase: 'Failed' })],
      { a: 900, b: 900, c: 900, d: 1, e: 1 },
      50,
      { replicas: 6 },
    ],
  ])('%s', (_, pods, values, target, expected) => {
    expect(byUtilization(given(pods, values), target, '')).toMatchObject(expected);
  });

  test('nothing can be said without pods, requests or metrics', () => {
    expect(() => byUtilization(given([], {}), 50, '')).toThrow('no pods returned by selector while calculating replica count');
    expect(() => byUtilization(given(three, {}), 50, '')).toThrow('did not receive metrics for targeted pods (pods might be unready)');
    expect(() => byUtilization(given(three, { a: 1 }, 'memory'), 50, '')).toThrow('missing request for memory in container c of Pod a');
    expect(() => byUtilization(given(three, { a: 1 }), 50, 'x')).toThrow('container x not found in Pod a');
  });
});

test.each<[string, Shape, boolean]>([
  ['ready for long', {}, true],
  ['just started and ready for a whole window', { started: 3, changed: 2 }, true],
  ['just started and ready for less than a window', { started: 3, changed: 0.5 }, false],
  ['just started and not ready', { started: 3, ready: false }, false],
  ['not ready, and never was', { ready: false, changed: 59.9 }, false],
  ['no longer ready', { ready: false, changed: 5 }, true],
])('the CPU of a pod that is %s', (_, shape, isCounted) => {
  expect(groupPods([pod('a', shape)], measured({ a: 1 }), 'cpu', now)).toMatchObject(isCounted ? { ready: 1, unready: [] } : { ready: 0, unready: ['a'] });
});

test('by an average: missing pods are taken to use the target when it shrinks', () => {
  expect(byAverage(given(three, { a: 1000, b: 1000, c: 1000 }, ''), 500)).toEqual({ replicas: 6, usage: 1000 });
  expect(byAverage(given(three, { a: 100, b: 100 }, ''), 500)).toEqual({ replicas: 2, usage: 100 });
});

test('by the value of one object', () => {
  expect([byRatio(3, 2, tolerance, three), byRatio(3, 1.05, tolerance, three), byRatio(0, 1.5, tolerance, []), byRatio(3, 1e12, tolerance, three)]).toEqual([
    6,
    3,
    2,
    2 ** 31 - 1,
  ]);
  expect(() => byRatio(3, 2, tolerance, [])).toThrow('unable to calculate ready pods');
});

test('by a share for each replica', () => {
  expect(byShare(2, 30_000, 10_000, tolerance)).toEqual({ replicas: 3, usage: 15_000 });
  expect(byShare(3, 31_000, 10_000, tolerance)).toEqual({ replicas: 3, usage: 10_334 });
});
