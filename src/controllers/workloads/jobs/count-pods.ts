// How far a Job has come: its pods and what its status counts already, taken together.
import { countIndexes, hasIndex, type IndexRanges, rangesOf, withIndexes } from '#controllers/workloads/jobs/index-ranges.ts';
import { hasFailed, isActive, isTerminating, type JobPod } from '#controllers/workloads/jobs/job-pod.ts';
import type { StoredJob } from '#controllers/workloads/jobs/job-state.ts';
import { judgeFailure } from '#controllers/workloads/jobs/pod-failure-policy.ts';

export interface IndexCount {
  /** Of the status. */
  readonly succeededBefore: IndexRanges;
  readonly succeeded: IndexRanges;
  /** Undefined without a limit for each index. */
  readonly failed: IndexRanges | undefined;
  /** Failed pods that are kept until their replacement has taken over how often their index has failed. */
  readonly held: ReadonlyMap<number, JobPod>;
}

export interface JobCount {
  readonly pods: readonly JobPod[];
  readonly active: readonly JobPod[];
  readonly terminating: number;
  readonly ready: number;
  /** Have ended and are in no count of the status. */
  readonly newSucceeded: readonly JobPod[];
  readonly newFailed: readonly JobPod[];
  readonly succeeded: number;
  readonly failed: number;
  readonly indexes: IndexCount | undefined;
}

export function countPods(job: StoredJob, pods: readonly JobPod[]): JobCount {
  const { succeeded = 0, failed = 0, uncountedTerminatedPods: uncounted } = job.status ?? {};
  const active = pods.filter(isActive);
  const newSucceeded = uncountedPods(job, pods, uncounted?.succeeded).filter(({ phase }) => phase === 'Succeeded');
  const newFailed = uncountedPods(job, pods, uncounted?.failed).filter((pod) => hasFailed(pod, job));
  const counted = newFailed.filter((pod) => judgeFailure(job, pod).isCounted);
  const indexes = isIndexed(job) ? countOfIndexes(job, pods, active) : undefined;
  return {
    pods,
    active,
    terminating: pods.filter(isTerminating).length,
    ready: active.filter(({ isReady }) => isReady).length,
    newSucceeded,
    newFailed,
    succeeded: indexes ? countIndexes(indexes.succeeded) : succeeded + newSucceeded.length + (uncounted?.succeeded?.length ?? 0),
    failed: failed + counted.length + (uncounted?.failed?.length ?? 0),
    indexes,
  };
}

export function isIndexed({ spec }: StoredJob): boolean {
  return spec?.completionMode === 'Indexed';
}

/** An indexed Job knows nothing of pods whose index it does not have. */
export function hasValidIndex({ spec }: StoredJob, { index }: JobPod): boolean {
  return index !== undefined && index < (spec?.completions ?? 0);
}

function uncountedPods(job: StoredJob, pods: readonly JobPod[], uncounted: readonly string[] = []): readonly JobPod[] {
  const known = new Set(uncounted);
  return pods.filter((pod) => pod.isTracked && !known.has(pod.uid) && (!isIndexed(job) || hasValidIndex(job, pod)));
}

function countOfIndexes(job: StoredJob, pods: readonly JobPod[], active: readonly JobPod[]): IndexCount {
  const completions = job.spec?.completions ?? 0;
  const tracked = pods.filter((pod) => pod.isTracked && hasValidIndex(job, pod));
  const succeededBefore = rangesOf(job.status?.completedIndexes ?? '', completions);
  const succeeded = withIndexes(succeededBefore, indexesOf(tracked.filter(({ phase }) => phase === 'Succeeded')));
  const limit = job.spec?.backoffLimitPerIndex;
  if (limit === undefined) return { succeededBefore, succeeded, failed: undefined, held: new Map() };
  const failedNow = tracked.filter((pod) => isIndexFailed(job, pod, limit));
  const failed = withIndexes(rangesOf(job.status?.failedIndexes ?? '', completions), indexesOf(failedNow));
  const done = withIndexes([...succeeded], indexesOf(active));
  return {
    succeededBefore,
    succeeded,
    failed,
    held: heldPods(
      tracked.filter((pod) => hasFailed(pod, job)),
      (index) => hasIndex(done, index) || hasIndex(failed, index),
    ),
  };
}

export function indexesOf(pods: readonly JobPod[]): ReadonlySet<number> {
  return new Set(pods.flatMap(({ index }) => (index === undefined ? [] : [index])));
}

function isIndexFailed(job: StoredJob, pod: JobPod, limit: number): boolean {
  if (!hasFailed(pod, job)) return false;
  const { action, isCounted } = judgeFailure(job, pod);
  return action === 'FailIndex' || (isCounted && pod.failures >= limit);
}

function heldPods(failed: readonly JobPod[], isDone: (index: number) => boolean): ReadonlyMap<number, JobPod> {
  const held = new Map<number, JobPod>();
  const failuresOf = ({ failures, ignoredFailures }: JobPod) => failures + ignoredFailures;
  for (const pod of failed) {
    const index = pod.index ?? 0;
    if (isDone(index)) continue;
    const before = held.get(index);
    const isLater = before === undefined || (failuresOf(before) <= failuresOf(pod) && before.finishedAt <= pod.finishedAt);
    if (isLater) held.set(index, pod);
  }
  return held;
}
