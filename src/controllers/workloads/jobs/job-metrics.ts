// What the Job controller counts, by the names and labels of the original.
import { exponentialBuckets, type MetricSet } from '#base/metric-set.ts';

export type JobMetrics = ReturnType<typeof jobMetrics>;

export function jobMetrics(metrics: MetricSet) {
  const name = (of: string) => `job_controller_${of}`;
  return {
    syncSeconds: metrics.histogram({
      name: name('job_sync_duration_seconds'),
      help: 'How long a look at a Job took',
      labels: ['completion_mode', 'result', 'action'],
      stability: 'STABLE',
      buckets: exponentialBuckets(0.004, 2, 15),
    }),
    syncs: metrics.counter({ name: name('job_syncs_total'), help: 'Looks at Jobs', labels: ['completion_mode', 'result', 'action'], stability: 'STABLE' }),
    finished: metrics.counter({
      name: name('jobs_finished_total'),
      help: 'Jobs that have finished',
      labels: ['completion_mode', 'result', 'reason'],
      stability: 'STABLE',
    }),
    external: metrics.counter({
      name: name('jobs_by_external_controller_total'),
      help: 'Jobs that another controller manages',
      labels: ['controller_name'],
    }),
    podsFinished: metrics.counter({
      name: name('job_pods_finished_total'),
      help: 'Pods whose end is counted in the status of their Job',
      labels: ['completion_mode', 'result'],
      stability: 'STABLE',
    }),
    failuresByPolicy: metrics.counter({
      name: name('pod_failures_handled_by_failure_policy_total'),
      help: 'Failed pods that a rule of a failure policy fits, by the action of the rule',
      labels: ['action'],
      stability: 'BETA',
    }),
    trackedTerminated: metrics.counter({
      name: name('terminated_pods_tracking_finalizer_total'),
      help: 'Finished pods that came to have, or no longer have, the finalizer by which Jobs count them',
      labels: ['event'],
      stability: 'BETA',
    }),
    indexesFinished: metrics.counter({ name: name('job_finished_indexes_total'), help: 'Indexes that have finished', labels: ['status', 'backoffLimit'] }),
    podsCreated: metrics.counter({ name: name('job_pods_creation_total'), help: 'Pods made, by why and how it went', labels: ['reason', 'status'] }),
    staleSkips: metrics.counter({
      name: name('stale_sync_skips_total'),
      help: 'Looks that waited because the controller had not heard of its own writes',
      labels: ['group', 'resource'],
    }),
  };
}
