// The status that a Job will have: the counts move pod by pod from `uncountedTerminatedPods` into the numbers, so that none is counted twice
// however often the controller is killed in between.
import type { StoredJob } from '#controllers/workloads/jobs/job-state.ts';
import type { JobCondition, JobStatus } from '#kinds/batch/v1/job.ts';

export interface JobDraft {
  conditions: readonly JobCondition[];
  startTime: string | undefined;
  completionTime: string | undefined;
  active: number;
  ready: number;
  terminating: number;
  succeeded: number;
  failed: number;
  completedIndexes: string;
  failedIndexes: string | undefined;
  uncounted: { succeeded: readonly string[]; failed: readonly string[] };
}

export function draftOf({ status }: StoredJob): JobDraft {
  const { uncountedTerminatedPods: uncounted } = status ?? {};
  return {
    conditions: status?.conditions ?? [],
    startTime: status?.startTime,
    completionTime: status?.completionTime,
    active: status?.active ?? 0,
    ready: status?.ready ?? 0,
    terminating: status?.terminating ?? 0,
    succeeded: status?.succeeded ?? 0,
    failed: status?.failed ?? 0,
    completedIndexes: status?.completedIndexes ?? '',
    failedIndexes: status?.failedIndexes,
    uncounted: { succeeded: uncounted?.succeeded ?? [], failed: uncounted?.failed ?? [] },
  };
}

export function statusOf(draft: JobDraft): JobStatus {
  const { startTime, completionTime, completedIndexes, failedIndexes, conditions, uncounted, ...counts } = draft;
  return {
    ...counts,
    ...(conditions.length > 0 && { conditions }),
    ...(startTime !== undefined && { startTime }),
    ...(completionTime !== undefined && { completionTime }),
    ...(completedIndexes !== '' && { completedIndexes }),
    ...(failedIndexes !== undefined && { failedIndexes }),
    uncountedTerminatedPods: {
      ...(uncounted.succeeded.length > 0 && { succeeded: uncounted.succeeded }),
      ...(uncounted.failed.length > 0 && { failed: uncounted.failed }),
    },
  } as JobStatus;
}

/** Pods that are no longer tracked move into the counts. True: something moved. */
export function countReleased(draft: JobDraft, tracked: ReadonlySet<string>): boolean {
  const { succeeded, failed } = draft.uncounted;
  const left = { succeeded: succeeded.filter((uid) => tracked.has(uid)), failed: failed.filter((uid) => tracked.has(uid)) };
  const moved = { succeeded: succeeded.length - left.succeeded.length, failed: failed.length - left.failed.length };
  draft.succeeded += moved.succeeded;
  draft.failed += moved.failed;
  draft.uncounted = left;
  return moved.succeeded + moved.failed > 0;
}
