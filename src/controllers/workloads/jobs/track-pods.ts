// Which pods that have ended are counted now, and lose the finalizer by which the Job holds them.
import { hasValidIndex, isIndexed, type JobCount } from '#controllers/workloads/jobs/count-pods.ts';
import { hasIndex, rangesText, withIndexes } from '#controllers/workloads/jobs/index-ranges.ts';
import type { End } from '#controllers/workloads/jobs/job-conditions.ts';
import type { JobDraft } from '#controllers/workloads/jobs/job-draft.ts';
import { hasFailed, type JobPod } from '#controllers/workloads/jobs/job-pod.ts';
import type { StoredJob } from '#controllers/workloads/jobs/job-state.ts';
import { judgeFailure } from '#controllers/workloads/jobs/pod-failure-policy.ts';

export interface Tracking {
  /** To lose their finalizer, once the status names them. */
  readonly released: readonly JobPod[];
  /** More have ended than are counted in one look. */
  readonly hasMore: boolean;
  readonly isChanged: boolean;
  /** Actions of the failure policy that pods were judged by. */
  readonly actions: readonly string[];
}

/** Named in the status at a time, so that it does not grow beyond some 20 KB. */
const mostUncounted = 500;

/** Puts those that are counted now into `draft`. */
export function trackPods(job: StoredJob, count: JobCount, end: End | undefined, draft: JobDraft): Tracking {
  const released: JobPod[] = [];
  const actions: string[] = [];
  const newIndexes: number[] = [];
  const succeeded = new Set(draft.uncounted.succeeded);
  const failed = new Set(draft.uncounted.failed);
  const before = succeeded.size + failed.size;
  let hasMore = false;
  for (const pod of isIndexed(job) ? byIndex(count.pods) : count.pods) {
    if (!pod.isTracked || !isReleased(job, count, pod, end)) continue;
    released.push(pod);
    if (pod.phase === 'Succeeded' && !failed.has(pod.uid)) {
      if (!isIndexed(job)) succeeded.add(pod.uid);
      else if (hasValidIndex(job, pod) && !hasIndex(count.indexes?.succeededBefore ?? [], pod.index ?? 0)) newIndexes.push(pod.index ?? 0);
    } else if (isCountedFailed(job, pod, end) && !failed.has(pod.uid)) {
      const { action, isCounted } = judgeFailure(job, pod);
      if (action !== undefined) actions.push(action);
      if (isCounted) failed.add(pod.uid);
    }
    hasMore = newIndexes.length + succeeded.size + failed.size >= mostUncounted;
    if (hasMore) break;
  }
  draft.uncounted = { succeeded: [...succeeded], failed: [...failed] };
  const hasNewIndexes = count.indexes !== undefined && tellIndexes(draft, count.indexes, newIndexes);
  return { released, hasMore, actions, isChanged: hasNewIndexes || newIndexes.length > 0 || succeeded.size + failed.size > before };
}

function byIndex(pods: readonly JobPod[]): readonly JobPod[] {
  return pods.toSorted((a, b) => (a.index ?? -1) - (b.index ?? -1));
}

/** Where each index has a limit, a failed pod stays until its replacement knows how often the index has failed. */
function isReleased(job: StoredJob, { indexes }: JobCount, pod: JobPod, end: End | undefined): boolean {
  if (job.metadata.deletionTimestamp !== undefined || end !== undefined || pod.phase === 'Succeeded') return true;
  return hasFailed(pod, job) && (pod.index === undefined || indexes?.held.get(pod.index)?.uid !== pod.uid);
}

/** When a Job has failed, every pod that has not ended counts as failed. */
function isCountedFailed(job: StoredJob, pod: JobPod, end: End | undefined): boolean {
  const isFailed = hasFailed(pod, job) || (end !== undefined && end.type !== 'SuccessCriteriaMet');
  return isFailed && (!isIndexed(job) || hasValidIndex(job, pod));
}

/** True: the status says something else now. */
function tellIndexes(draft: JobDraft, indexes: NonNullable<JobCount['indexes']>, added: readonly number[]): boolean {
  const succeeded = withIndexes(indexes.succeeded, added);
  const texts = { completedIndexes: rangesText(succeeded), failedIndexes: indexes.failed && rangesText(indexes.failed) };
  const isChanged = texts.completedIndexes !== draft.completedIndexes || texts.failedIndexes !== draft.failedIndexes;
  draft.succeeded = succeeded.reduce((sum, { first, last }) => sum + last - first + 1, 0);
  Object.assign(draft, texts);
  return isChanged;
}
