// How long a Job waits before it replaces pods that have failed: twice as long with every failure since the last success.
import type { JobPod } from '#controllers/workloads/jobs/job-pod.ts';

export interface BackoffRecord {
  readonly failures: number;
  /** In milliseconds since the epoch. */
  readonly lastFailure: number | undefined;
}

export const noFailures: BackoffRecord = { failures: 0, lastFailure: undefined };

const firstMs = 10_000;
const longestMs = 10 * 60_000;

export function nextBackoff(before: BackoffRecord, succeeded: readonly JobPod[], failed: readonly JobPod[]): BackoffRecord {
  if (succeeded.length === 0 && failed.length === 0) return before;
  const lastSuccess = Math.max(Number.NEGATIVE_INFINITY, ...succeeded.map(({ finishedAt }) => finishedAt));
  const since = failed.map(({ finishedAt }) => finishedAt).filter((at) => at > lastSuccess || succeeded.length === 0);
  const failures = (succeeded.length === 0 ? before.failures : 0) + since.length;
  return { failures, lastFailure: since.length === 0 ? undefined : Math.max(...since) };
}

/** 0: a pod may be made now. */
export function backoffMs({ failures, lastFailure = 0 }: BackoffRecord, now: number): number {
  if (failures === 0) return 0;
  return Math.max(0, Math.min(firstMs * 2 ** (failures - 1), longestMs) - (now - lastFailure));
}

/** For the pod that replaces one of the same index. */
export function indexBackoffMs(last: JobPod | undefined, now: number): number {
  if (last === undefined) return 0;
  return backoffMs({ failures: last.failures + last.ignoredFailures + 1, lastFailure: last.finishedAt }, now);
}
