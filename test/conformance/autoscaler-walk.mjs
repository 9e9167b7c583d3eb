// HorizontalPodAutoscalers and metrics that the walk chooses, served as custom resources: what batch-walk.mjs does with autoscalers. Nothing makes
// or removes pods here: the walk sets how many a Deployment has.
const namespace = 'walk';
const core = `/api/v1/namespaces/${namespace}`;
const deployments = `/apis/apps/v1/namespaces/${namespace}/deployments`;
const autoscalers = `/apis/autoscaling/v2/namespaces/${namespace}/horizontalpodautoscalers`;
export const autoscalerControllers = ['horizontal-pod-autoscaler-controller'];
export const comparedAutoscalers = { autoscalers, deployments };

const cpu = resource('cpu', { type: 'Utilization', averageUtilization: 50 });
const now = { scaleDown: { stabilizationWindowSeconds: 0 } };
const queue = (target) => ({ type: 'External', external: { metric: { name: 'queues', selector: { matchLabels: { of: 'work' } } }, target } });

/** By name: how many pods there are, what each uses, and the spec. */
const specs = {
  'scaled-up': [2, '100m', { metrics: [cpu] }],
  'scaled-down': [4, '10m', { metrics: [cpu], behavior: now }],
  'scaled-down-later': [4, '10m', { metrics: [cpu] }],
  steady: [2, '52m', { metrics: [cpu] }],
  'up-to-the-most': [2, '500m', { metrics: [cpu], maxReplicas: 3 }],
  'down-to-the-least': [4, '1m', { metrics: [cpu], minReplicas: 2, behavior: now }],
  'by-value': [2, '100m', { metrics: [resource('cpu', { type: 'AverageValue', averageValue: '30m' })] }],
  container: [2, '100m', { metrics: [{ type: 'ContainerResource', containerResource: { name: 'cpu', container: 'c', ...targetOf(80) } }] }],
  external: [2, '1m', { metrics: [queue({ type: 'Value', value: '10' })] }],
  'external-shared': [2, '1m', { metrics: [queue({ type: 'AverageValue', averageValue: '6' })] }],
  'one-of-two': [2, '100m', { metrics: [cpu, resource('memory', { type: 'AverageValue', averageValue: '1Mi' })] }],
  slowly: [2, '500m', { metrics: [cpu], behavior: { scaleUp: { policies: [{ type: 'Pods', value: 1, periodSeconds: 1800 }] } } }],
  never: [2, '500m', { metrics: [cpu], behavior: { scaleUp: { selectPolicy: 'Disabled' } } }],
  'without-metrics': [2, undefined, { metrics: [cpu] }],
  'without-requests': [1, '100m', { metrics: [resource('memory', { type: 'Utilization', averageUtilization: 50 })] }],
  'without-pods-api': [2, '1m', { metrics: [{ type: 'Pods', pods: { metric: { name: 'hits' }, target: { type: 'AverageValue', averageValue: '1' } } }] }],
  'switched-off': [0, '1m', { metrics: [cpu] }],
  nowhere: [undefined, '1m', { metrics: [cpu] }],
  'of-no-kind': [1, '1m', { metrics: [cpu], scaleTargetRef: { apiVersion: 'example.com/v1', kind: 'Thing', name: 'x' } }],
};

export async function walkAutoscalers(steps) {
  const { ask, until } = steps;
  await defineMetrics(steps);
  const queued = { metricName: 'queues', metricLabels: {}, timestamp: new Date().toISOString(), value: '20' };
  const metadata = { name: 'work', labels: { of: 'work' } };
  await ask('POST', metricsPath('external.metrics.k8s.io', 'queues'), {
    apiVersion: 'external.metrics.k8s.io/v1beta1',
    kind: 'ExternalMetricValue',
    metadata,
    ...queued,
  });
  for (const [name, [pods, usage, spec]] of Object.entries(specs)) {
    if (pods !== undefined) await makeTarget(steps, name, pods, usage);
    const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name };
    await ask('POST', autoscalers, { metadata: { name }, spec: { scaleTargetRef, minReplicas: 1, maxReplicas: 10, ...spec } });
  }
  for (const name of Object.keys(specs)) {
    await until(async () =>
      (await ask('GET', `${autoscalers}/${name}`)).status.conditions?.some(({ type }) => ['ScalingActive', 'AbleToScale'].includes(type)),
    );
  }
}

async function makeTarget({ ask, merge }, name, replicas, usage) {
  const labels = { app: name };
  const containers = [{ name: 'c', image: 'i', resources: { requests: { cpu: '100m' } } }];
  const template = { metadata: { labels }, spec: { containers } };
  await ask('POST', deployments, { metadata: { name }, spec: { replicas, selector: { matchLabels: labels }, template } });
  await merge(`${deployments}/${name}/status`, { status: { replicas } });
  const before = new Date(Date.now() - 3_600_000).toISOString().replace(/\.\d+/, '');
  const conditions = [{ type: 'Ready', status: 'True', lastTransitionTime: before }];
  for (let at = 0; at < replicas; at++) {
    const metadata = { name: `${name}-${at}`, labels };
    await ask('POST', `${core}/pods`, { metadata, spec: { containers } });
    await merge(`${core}/pods/${metadata.name}/status`, { status: { phase: 'Running', startTime: before, conditions } });
    if (usage === undefined) continue;
    const used = [{ name: 'c', usage: { cpu: usage, memory: '10Mi' } }];
    await ask('POST', metricsPath('metrics.k8s.io', 'pods'), {
      apiVersion: 'metrics.k8s.io/v1beta1',
      kind: 'PodMetrics',
      metadata,
      timestamp: new Date().toISOString(),
      window: '30s',
      containers: used,
    });
  }
}

async function defineMetrics({ ask, until }) {
  const groups = { 'metrics.k8s.io': ['pods', 'PodMetrics'], 'external.metrics.k8s.io': ['queues', 'ExternalMetricValue'] };
  for (const [group, [plural, kind]] of Object.entries(groups)) {
    const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
    await ask('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      metadata: { name: `${plural}.${group}`, annotations: { 'api-approved.kubernetes.io': 'unapproved, for tests' } },
      spec: { group, scope: 'Namespaced', names: { plural, kind }, versions: [{ name: 'v1beta1', served: true, storage: true, schema }] },
    });
    await until(async () => ask('GET', metricsPath(group, plural)).catch(() => undefined));
  }
}

function metricsPath(group, plural) {
  return `/apis/${group}/v1beta1/namespaces/${namespace}/${plural}`;
}

function resource(name, target) {
  return { type: 'Resource', resource: { name, target } };
}

function targetOf(averageUtilization) {
  return { target: { type: 'Utilization', averageUtilization } };
}
