// What the controllers of nodes count, by the names and labels of the original.
import { exponentialBuckets, type MetricSet } from '#base/metric-set.ts';

export interface ZoneCount {
  readonly ready: number;
  readonly notReady: number;
}

export type LifecycleMetrics = ReturnType<typeof lifecycleMetrics>;

/** Of node-lifecycle-controller; its zones are those of the last round. */
export function lifecycleMetrics(metrics: MetricSet) {
  const labels = ['zone'];
  let zones: ReadonlyMap<string, ZoneCount> = new Map();
  const gauge = (name: string, help: string, valueOf: (count: ZoneCount) => number) =>
    metrics.gauge({ name: `node_collector_${name}`, help }, () => [...zones].map(([zone, count]) => ({ labels: { zone }, value: valueOf(count) })));
  gauge('zone_health', 'The percentage of healthy nodes of a zone', ({ ready, notReady }) =>
    ready + notReady === 0 ? 100 : (100 * ready) / (ready + notReady),
  );
  gauge('zone_size', 'How many nodes a zone has', ({ ready, notReady }) => ready + notReady);
  gauge('unhealthy_nodes_in_zone', 'How many nodes of a zone are not ready', ({ notReady }) => notReady);
  const evictions = metrics.counter({
    name: 'node_collector_evictions_total',
    help: 'Nodes that were tainted so that their pods go',
    labels,
    stability: 'STABLE',
  });
  const nodeSeconds = metrics
    .histogram({
      name: 'node_collector_update_node_health_duration_seconds',
      help: 'How long a look at one node took',
      buckets: exponentialBuckets(0.001, 4, 8),
    })
    .at();
  const roundSeconds = metrics
    .histogram({
      name: 'node_collector_update_all_nodes_health_duration_seconds',
      help: 'How long a look at all nodes took',
      buckets: exponentialBuckets(0.01, 4, 8),
    })
    .at();
  return {
    /** A zone that is no longer there counts as empty. */
    counted(byZone: ReadonlyMap<string, ZoneCount>): void {
      const gone = [...zones.keys()].filter((zone) => !byZone.has(zone)).map((zone) => [zone, { ready: 0, notReady: 0 }] as const);
      zones = new Map([...byZone, ...gone]);
    },
    knows: (zone: string) => void evictions.at(zone),
    evicted: (zone: string) => void (evictions.at(zone).value += 1),
    lookedAtNode: (began: number) => nodeSeconds.observe(secondsSince(began)),
    lookedAtAll: (began: number) => roundSeconds.observe(secondsSince(began)),
  };
}

export function taintEvictionMetrics(metrics: MetricSet) {
  const deletions = metrics.counter({ name: 'taint_eviction_controller_pod_deletions_total', help: 'Pods that were deleted because of a taint' }).at();
  const latency = metrics
    .histogram({
      name: 'taint_eviction_controller_pod_deletion_duration_seconds',
      help: 'How long after its time a pod was deleted because of a taint',
      buckets: [0.005, 0.025, 0.1, 0.5, 1, 2.5, 10, 30, 60, 120, 180, 240],
    })
    .at();
  return {
    deleted(lateMs: number): void {
      deletions.value += 1;
      latency.observe(lateMs / 1000);
    },
  };
}

/** Why pod-garbage-collector-controller deletes a pod. */
export type GarbageReason = 'terminated' | 'out-of-service' | 'orphaned' | 'unscheduled';

export function podGarbageMetrics(metrics: MetricSet) {
  const labels = ['namespace', 'reason'];
  const total = metrics.counter({ name: 'pod_gc_collector_force_delete_pods_total', help: 'Pods that were to be deleted by force', labels });
  const errors = metrics.counter({ name: 'pod_gc_collector_force_delete_pod_errors_total', help: 'Pods that could not be deleted by force', labels });
  return {
    /** As in the original, failures count among all. */
    deletes: (namespace: string, reason: GarbageReason) => void (total.at(namespace, reason).value += 1),
    failed: (namespace: string, reason: GarbageReason) => void (errors.at(namespace, reason).value += 1),
  };
}

function secondsSince(began: number): number {
  return (performance.now() - began) / 1000;
}
