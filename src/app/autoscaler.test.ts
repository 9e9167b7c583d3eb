import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { metricsDefinition, podMetrics } from '../../test/support/metrics-definitions.ts';
import { PassingTime } from '../../test/support/passing-time.ts';
import { ServerInTest } from '../../test/support/server-in-test.ts';

const time = new PassingTime();
let server: ServerInTest;
beforeAll(async () => {
  server = await ServerInTest.start({ flags: ['--controllers=horizontalpodautoscaling'], clock: time, timers: time });
});
afterAll(() => server[Symbol.asyncDispose]());

const soon = { timeout: 20_000, interval: 30 };
const merge = { type: 'application/merge-patch+json' };
const labels = { app: 'web' };
let count = 0;
let namespace = '';
const core = () => `/api/v1/namespaces/${namespace}`;
const apps = () => `/apis/apps/v1/namespaces/${namespace}`;
const autoscalers = () => `/apis/autoscaling/v2/namespaces/${namespace}/horizontalpodautoscalers`;
beforeEach(async () => {
  namespace = `hpa-${++count}`;
  await server.make('/api/v1/namespaces', { metadata: { name: namespace } });
});

interface Status {
  readonly currentReplicas?: number;
  readonly desiredReplicas: number;
  readonly currentMetrics?: readonly object[];
  readonly conditions?: readonly { readonly type: string; readonly status: string; readonly reason: string; readonly message: string }[];
}

async function status(): Promise<Status> {
  return (await server.ask('GET', `${autoscalers()}/web`)).json.status as unknown as Status;
}

async function conditions(): Promise<readonly string[]> {
  return ((await status()).conditions ?? []).map(({ type, status: is, reason }) => `${type}=${is} ${reason}`);
}

async function replicas(): Promise<number> {
  return ((await server.ask('GET', `${apps()}/deployments/web`)).json.spec as unknown as { replicas: number }).replicas;
}

async function events(): Promise<readonly string[]> {
  const { items } = (await server.ask('GET', `${core()}/events`)).json;
  return items.map((event) => `${(event as unknown as { type: string }).type} ${event.reason}: ${event.message}`);
}

/** Deployments and their pods are played here. */
async function deployment(size: number, pods = size): Promise<void> {
  const containers = [{ name: 'c', image: 'i', resources: { requests: { cpu: '100m', memory: '100Mi' } } }];
  const template = { metadata: { labels }, spec: { containers } };
  await server.make(`${apps()}/deployments`, { metadata: { name: 'web' }, spec: { replicas: size, selector: { matchLabels: labels }, template } });
  await server.ask('PATCH', `${apps()}/deployments/web/status`, { status: { replicas: size } }, merge);
  const before = new Date(time.now().getTime() - 3_600_000).toISOString().replace(/\.\d+/, '');
  for (let at = 0; at < pods; at++) {
    await server.make(`${core()}/pods`, { metadata: { name: `web-${at}`, labels }, spec: { containers } });
    const ready = [{ type: 'Ready', status: 'True', lastTransitionTime: before }];
    await server.ask('PATCH', `${core()}/pods/web-${at}/status`, { status: { phase: 'Running', startTime: before, conditions: ready } }, merge);
  }
}

async function autoscaler(spec: object): Promise<void> {
  const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
  await server.make(autoscalers(), { metadata: { name: 'web' }, spec: { scaleTargetRef, minReplicas: 1, maxReplicas: 10, ...spec } });
}

const cpu = { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } } };

/** The first look comes after a period. */
async function nextLook(): Promise<void> {
  const looks = async () =>
    Number(
      /^workqueue_work_duration_seconds_count\{name="horizontal-pod-autoscaler-controller"\} (\d+)/m.exec((await server.ask('GET', '/metrics')).text)?.[1],
    );
  await expect.poll(looks, soon).toBeGreaterThan(0);
  const before = await looks();
  time.advance(15_001);
  await expect.poll(looks, soon).toBeGreaterThan(before);
}

async function looked(reason: string): Promise<void> {
  await expect
    .poll(async () => {
      time.advance(15_001);
      return (await conditions()).join();
    }, soon)
    .toContain(reason);
}

test('a target that is not there, or a kind that is not, is told', async () => {
  await autoscaler({});
  await looked('AbleToScale=False FailedGetScale');
  expect((await status()).conditions?.[0]?.message).toBe(`the HPA controller was unable to get the target's current scale: deployments.apps "web" not found`);
  await server.ask('PATCH', `${autoscalers()}/web`, { spec: { scaleTargetRef: { apiVersion: 'example.com/v1', kind: 'Thing', name: 't' } } }, merge);
  await expect
    .poll(async () => {
      time.advance(15_001);
      return (await status()).conditions?.[0]?.message;
    }, soon)
    .toContain('no matches for kind "Thing" in group "example.com"');
});

test('without an API of metrics nothing is scaled, and the conditions tell why', async () => {
  await deployment(2);
  await autoscaler({ metrics: [cpu] });
  await looked('ScalingActive=False FailedGetResourceMetric');
  expect(await conditions()).toEqual(['AbleToScale=True SucceededGetScale', 'ScalingActive=False FailedGetResourceMetric']);
  const why =
    'failed to get cpu utilization: unable to get metrics for resource cpu: unable to fetch metrics from resource metrics API: ' +
    'the server could not find the requested resource (get pods.metrics.k8s.io)';
  expect((await status()).conditions?.[1]?.message).toBe(`the HPA was unable to compute the replica count: ${why}`);
  expect(await status()).toMatchObject({ currentReplicas: 2, desiredReplicas: 0, currentMetrics: [{ type: '' }] });
  const invalid = `invalid metrics (1 invalid out of 1), first error is: failed to get cpu resource metric value: ${why}`;
  await expect
    .poll(events, soon)
    .toEqual(expect.arrayContaining([`Warning FailedGetResourceMetric: ${why}`, `Warning FailedComputeMetricsReplicas: ${invalid}`]));
});

test('a target outside of the bounds is brought inside, and one of zero is left alone', async () => {
  await deployment(12, 0);
  await autoscaler({ metrics: [cpu] });
  await expect.poll(async () => (await nextLook(), replicas()), soon).toBe(10);
  await expect.poll(events, soon).toContain('Normal SuccessfulRescale: New size: 10; reason: Current number of replicas above Spec.MaxReplicas');
  await server.ask('PATCH', `${apps()}/deployments/web`, { spec: { replicas: 0 } }, merge);
  await looked('ScalingActive=False ScalingDisabled');
  expect(await replicas()).toBe(0);
});

describe('with metrics', () => {
  beforeAll(async () => {
    for (const [group, plural] of [
      ['metrics.k8s.io', 'pods'],
      ['external.metrics.k8s.io', 'waiting'],
    ] as const) {
      await server.make('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', metricsDefinition(group, plural));
      await vi.waitUntil(async () => (await server.ask('GET', `/apis/${group}/v1beta1/${plural}`)).code === 200, soon);
    }
  });

  async function uses(...amounts: readonly string[]): Promise<void> {
    const path = `/apis/metrics.k8s.io/v1beta1/namespaces/${namespace}/pods`;
    const now = time.now().toISOString().replace(/\.\d+/, '');
    await server.ask('DELETE', path);
    for (const [at, amount] of amounts.entries()) await server.make(path, podMetrics(`web-${at}`, labels, { cpu: amount, memory: '50Mi' }, now));
  }

  test('the target grows in proportion, at most twofold, and shrinks only after five minutes', async () => {
    await deployment(3);
    await uses('200m', '200m', '200m');
    await autoscaler({ metrics: [cpu] });
    await expect.poll(async () => (await nextLook(), replicas()), soon).toBe(6);
    expect(await status()).toMatchObject({
      currentReplicas: 3,
      desiredReplicas: 6,
      currentMetrics: [{ resource: { current: { averageUtilization: 200, averageValue: '200m' } } }],
    });
    expect(await conditions()).toEqual(['AbleToScale=True SucceededRescale', 'ScalingActive=True ValidMetricFound', 'ScalingLimited=True ScaleUpLimit']);
    await expect.poll(events, soon).toContain('Normal SuccessfulRescale: New size: 6; reason: cpu resource utilization (percentage of request) above target');
    await uses('10m', '10m', '10m');
    await looked('AbleToScale=True ScaleDownStabilized');
    expect(await replicas()).toBeGreaterThanOrEqual(6);
    time.advance(6 * 60_000);
    await expect.poll(async () => (await nextLook(), replicas()), soon).toBe(1);
    await expect.poll(events, soon).toContain('Normal SuccessfulRescale: New size: 1; reason: All metrics below target');
  });

  test('memory is told in powers of 1024, and a change within the tolerance is none', async () => {
    await deployment(2);
    await uses('1m', '1m');
    const memory = { type: 'Resource', resource: { name: 'memory', target: { type: 'AverageValue', averageValue: '48Mi' } } };
    await autoscaler({ metrics: [memory] });
    await looked('ScalingActive=True ValidMetricFound');
    expect(await status()).toMatchObject({ desiredReplicas: 2, currentMetrics: [{ resource: { current: { averageValue: '50Mi' } } }] });
  });

  test('a behaviour limits how fast it grows', async () => {
    await deployment(2);
    await uses('400m', '400m');
    await autoscaler({ metrics: [cpu], behavior: { scaleUp: { policies: [{ type: 'Pods', value: 1, periodSeconds: 60 }] } } });
    await expect.poll(async () => (await nextLook(), replicas()), soon).toBe(3);
    await looked('ScalingLimited=True ScaleUpLimit');
    expect(await replicas()).toBe(3);
    time.advance(60_000);
    await expect.poll(async () => (await nextLook(), replicas()), soon).toBe(4);
  });

  test('an external metric is shared out among the replicas', async () => {
    await deployment(2);
    const path = `/apis/external.metrics.k8s.io/v1beta1/namespaces/${namespace}/waiting`;
    const item = { apiVersion: 'external.metrics.k8s.io/v1beta1', kind: 'WaitingMetric', metadata: { name: 'q', labels: { queue: 'a' } }, value: '30' };
    await server.make(path, item);
    const metric = { name: 'waiting', selector: { matchLabels: { queue: 'a' } } };
    await autoscaler({ metrics: [{ type: 'External', external: { metric, target: { type: 'AverageValue', averageValue: '10' } } }] });
    await expect.poll(async () => (await nextLook(), replicas()), soon).toBe(3);
    const name = 'external metric waiting(&LabelSelector{MatchLabels:map[string]string{queue: a,},MatchExpressions:[]LabelSelectorRequirement{},})';
    await expect.poll(events, soon).toContain(`Normal SuccessfulRescale: New size: 3; reason: ${name} above target`);
    expect(await status()).toMatchObject({ currentMetrics: [{ external: { current: { averageValue: '15' } } }] });
  });

  test('two autoscalers of the same pods scale nothing', async () => {
    await deployment(2);
    await uses('400m', '400m');
    await autoscaler({ metrics: [cpu] });
    const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
    await server.make(autoscalers(), { metadata: { name: 'other' }, spec: { scaleTargetRef, maxReplicas: 10, metrics: [cpu] } });
    await looked('ScalingActive=False AmbiguousSelector');
  });

  test('custom kinds are scaled by their scale', async () => {
    const versions = [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        subresources: { status: {}, scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size', labelSelectorPath: '.status.selector' } },
      },
    ];
    const names = { plural: 'fleets', kind: 'Fleet' };
    await server.make('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      metadata: { name: 'fleets.example.com' },
      spec: { group: 'example.com', scope: 'Namespaced', names, versions },
    });
    const fleets = `/apis/example.com/v1/namespaces/${namespace}/fleets`;
    await expect.poll(async () => (await server.ask('GET', fleets)).code, soon).toBe(200);
    await server.make(fleets, { apiVersion: 'example.com/v1', kind: 'Fleet', metadata: { name: 'f' }, spec: { size: 20 } });
    await autoscaler({ scaleTargetRef: { apiVersion: 'example.com/v1', kind: 'Fleet', name: 'f' }, metrics: [cpu] });
    const size = async () => ((await server.ask('GET', `${fleets}/f`)).json.spec as unknown as { size: number }).size;
    await expect.poll(async () => (await nextLook(), size()), soon).toBe(10);
    await looked('ScalingActive=False InvalidSelector');
  });
});
