// What the scheduler counts, by the names and labels of the original.
import { exponentialBuckets, type MetricSet } from '#base/metric-set.ts';
import type { SchedulingQueue } from '#scheduler/queue/scheduling-queue.ts';

export type SchedulerMetrics = ReturnType<typeof schedulerMetrics>;
export type AttemptResult = 'scheduled' | 'unschedulable' | 'error';

const profile = 'default-scheduler';

export function schedulerMetrics(metrics: MetricSet, sizes: () => SchedulingQueue['sizes']) {
  const stable = { stability: 'STABLE' } as const;
  const buckets = exponentialBuckets(0.001, 2, 15);
  const labels = ['result', 'profile'];
  const attempts = metrics.counter({ name: 'scheduler_schedule_attempts_total', help: 'Attempts to give a pod a node', labels, ...stable });
  const attemptSeconds = metrics.histogram({
    name: 'scheduler_scheduling_attempt_duration_seconds',
    help: 'How long an attempt took, binding included',
    labels,
    buckets,
    ...stable,
  });
  const algorithmSeconds = metrics.histogram({ name: 'scheduler_scheduling_algorithm_duration_seconds', help: 'How long a node was searched for', buckets });
  const podAttempts = metrics.histogram({
    name: 'scheduler_pod_scheduling_attempts',
    help: 'Attempts that a pod took',
    buckets: exponentialBuckets(1, 2, 5),
    ...stable,
  });
  const preemptions = metrics.counter({ name: 'scheduler_preemption_attempts_total', help: 'Attempts to make room for a pod', ...stable });
  const victims = metrics.histogram({
    name: 'scheduler_preemption_victims',
    help: 'Pods that were removed to make room for another',
    buckets: exponentialBuckets(1, 2, 7),
    ...stable,
  });
  metrics.gauge({ name: 'scheduler_pending_pods', help: 'Pods that wait, by the queue they are in', ...stable }, () =>
    Object.entries(sizes()).map(([queue, value]) => ({ labels: { queue }, value })),
  );
  return {
    /** An attempt that began at `began` is over. */
    attempted(result: AttemptResult, began: number): void {
      attempts.at(result, profile).value += 1;
      attemptSeconds.at(result, profile).observe(secondsSince(began));
    },
    searched: (began: number) => algorithmSeconds.at().observe(secondsSince(began)),
    placedAfter: (tries: number) => podAttempts.at().observe(tries),
    preempts: () => void (preemptions.at().value += 1),
    preempted: (count: number) => victims.at().observe(count),
  };
}

function secondsSince(began: number): number {
  return (performance.now() - began) / 1000;
}
