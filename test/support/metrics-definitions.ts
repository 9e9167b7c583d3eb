// Metrics that tests choose, served as custom resources: metrics.k8s.io and external.metrics.k8s.io look the same to a client that lists them.

/** The definition of `plural` in one of the groups of metrics. */
export function metricsDefinition(group: string, plural: string): object {
  const kind = `${plural[0]?.toUpperCase()}${plural.slice(1)}Metric`;
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  return {
    metadata: { name: `${plural}.${group}`, annotations: { 'api-approved.kubernetes.io': 'unapproved, for tests' } },
    spec: { group, scope: 'Namespaced', names: { plural, kind }, versions: [{ name: 'v1beta1', served: true, storage: true, schema }] },
  };
}

/** What a pod uses, as the server of metrics tells it. */
export function podMetrics(name: string, labels: object, usage: object, timestamp: string): object {
  const metadata = { name, labels };
  return { apiVersion: 'metrics.k8s.io/v1beta1', kind: 'PodsMetric', metadata, timestamp, window: '30s', containers: [{ name: 'c', usage }] };
}
