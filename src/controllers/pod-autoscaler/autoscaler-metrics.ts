// What the autoscaler counts, by the names and labels of the original.
import { exponentialBuckets, type MetricSet } from '#base/metric-set.ts';

export type AutoscalerMetrics = ReturnType<typeof autoscalerMetrics>;

/** `known` and `desired`: the autoscalers there are, and how many replicas each wants. */
export function autoscalerMetrics(metrics: MetricSet, known: () => number, desired: ReadonlyMap<string, number>) {
  const name = (of: string) => `horizontal_pod_autoscaler_controller_${of}`;
  const buckets = exponentialBuckets(0.001, 2, 15);
  const beta = { stability: 'BETA' } as const;
  metrics.gauge({ name: name('num_horizontal_pod_autoscalers'), help: 'Autoscalers there are' }, () => [{ value: known() }]);
  metrics.gauge({ name: name('desired_replicas'), help: 'Replicas that an autoscaler wants' }, function* () {
    for (const [key, value] of desired) {
      const [namespace = '', hpa = ''] = key.split('/');
      yield { labels: { namespace, hpa_name: hpa }, value };
    }
  });
  const looks = { labels: ['action', 'error'], ...beta };
  const computations = { labels: ['action', 'error', 'metric_type'], ...beta };
  return {
    looks: metrics.counter({ name: name('reconciliations_total'), help: 'Looks at autoscalers', ...looks }),
    lookSeconds: metrics.histogram({ name: name('reconciliation_duration_seconds'), help: 'How long a look took', buckets, ...looks }),
    computations: metrics.counter({ name: name('metric_computation_total'), help: 'Metrics that were asked for', ...computations }),
    computationSeconds: metrics.histogram({
      name: name('metric_computation_duration_seconds'),
      help: 'How long it took to ask for a metric',
      buckets,
      ...computations,
    }),
  };
}
