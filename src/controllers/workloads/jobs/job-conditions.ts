// The conditions of a Job, and which of them its pods have brought about. The order in which ends are looked for is the original's: a Job may
// meet several at once.
import { wholeSeconds } from '#api/whole-seconds.ts';
import { type JobCount } from '#controllers/workloads/jobs/count-pods.ts';
import { countIndexes } from '#controllers/workloads/jobs/index-ranges.ts';
import { hasFailed } from '#controllers/workloads/jobs/job-pod.ts';
import type { StoredJob } from '#controllers/workloads/jobs/job-state.ts';
import { judgeFailure } from '#controllers/workloads/jobs/pod-failure-policy.ts';
import { successByPolicy } from '#controllers/workloads/jobs/success-policy.ts';
import type { JobCondition } from '#kinds/batch/v1/job.ts';

export interface End {
  /** The whole Job has failed, or is a success; `Failed` was told to fail before. */
  readonly type: 'FailureTarget' | 'Failed' | 'SuccessCriteriaMet';
  readonly reason: string;
  readonly message: string;
}

export const completed: End = { type: 'SuccessCriteriaMet', reason: 'CompletionsReached', message: 'Reached expected number of succeeded pods' };

/** Why the Job is to end, before its pods are brought in step; undefined: it goes on. */
export function endOf(job: StoredJob, count: JobCount, now: number): End | undefined {
  return endBefore(job) ?? failureByPolicy(job, count) ?? failureByLimit(job, count, now) ?? endOfIndexes(job, count);
}

/** What an earlier look has decided. */
function endBefore({ status }: StoredJob): End | undefined {
  const told = (type: string) => status?.conditions?.find((condition) => condition.type === type && condition.status === 'True');
  const { reason = '', message = '' } = told('SuccessCriteriaMet') ?? told('FailureTarget') ?? {};
  if (told('SuccessCriteriaMet')) return { type: 'SuccessCriteriaMet', reason, message };
  return told('FailureTarget') ? { type: 'Failed', reason, message } : undefined;
}

function failureByPolicy(job: StoredJob, { pods }: JobCount): End | undefined {
  if (job.spec?.podFailurePolicy === undefined) return undefined;
  for (const pod of pods) {
    const message = hasFailed(pod, job) ? judgeFailure(job, pod).jobFailure : undefined;
    if (message !== undefined) return { type: 'FailureTarget', reason: 'PodFailurePolicy', message };
  }
  return undefined;
}

function failureByLimit(job: StoredJob, { failed, pods }: JobCount, now: number): End | undefined {
  const limit = job.spec?.backoffLimit ?? 6;
  const restarts = pods.reduce((sum, pod) => sum + pod.restarts, 0);
  const isRestarting = job.spec?.template.spec.restartPolicy === 'OnFailure' && restarts >= Math.max(1, limit);
  if (failed > limit || isRestarting) {
    return { type: 'FailureTarget', reason: 'BackoffLimitExceeded', message: 'Job has reached the specified backoff limit' };
  }
  const left = deadlineMs(job, now);
  if (left === undefined || left > 0) return undefined;
  return { type: 'FailureTarget', reason: 'DeadlineExceeded', message: 'Job was active longer than specified deadline' };
}

/** How long the Job may still be active; undefined: as long as it takes. */
export function deadlineMs({ spec, status }: StoredJob, now: number): number | undefined {
  const { activeDeadlineSeconds, suspend } = spec ?? {};
  if (activeDeadlineSeconds === undefined || suspend === true || status?.startTime === undefined) return undefined;
  return Date.parse(status.startTime) + Number(activeDeadlineSeconds) * 1000 - now;
}

function endOfIndexes(job: StoredJob, { indexes }: JobCount): End | undefined {
  if (indexes === undefined) return undefined;
  const failed = countIndexes(indexes.failed ?? []);
  const { maxFailedIndexes, completions = 0 } = job.spec ?? {};
  if (indexes.failed !== undefined && maxFailedIndexes !== undefined && failed > maxFailedIndexes) {
    const message = 'Job has exceeded the specified maximal number of failed indexes';
    return { type: 'FailureTarget', reason: 'MaxFailedIndexesExceeded', message };
  }
  if (failed > 0 && failed + countIndexes(indexes.succeeded) >= completions) {
    return { type: 'FailureTarget', reason: 'FailedIndexes', message: 'Job has failed indexes' };
  }
  const message = successByPolicy(job, indexes.succeeded);
  return message === undefined ? undefined : { type: 'SuccessCriteriaMet', reason: 'SuccessPolicy', message };
}

/** All pods that were asked for have succeeded; without a number one is enough, once none runs. */
export function isComplete({ spec }: StoredJob, succeeded: number, active: number): boolean {
  return active === 0 && (spec?.completions === undefined ? succeeded > 0 : succeeded >= spec.completions);
}

export interface Told {
  readonly type: string;
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
}

export function condition({ type, status, reason, message }: Told, now: Date): JobCondition {
  const at = wholeSeconds(now);
  return { type, status, lastProbeTime: at, lastTransitionTime: at, reason, message } as JobCondition;
}

/** Undefined: the list says that already, or never said otherwise. */
export function withCondition(conditions: readonly JobCondition[], told: Told, now: Date): readonly JobCondition[] | undefined {
  const before = conditions.find(({ type }) => type === told.type);
  if (before === undefined) return told.status === 'False' ? undefined : [...conditions, condition(told, now)];
  if (before.status === told.status && before.reason === told.reason && before.message === told.message) return undefined;
  return conditions.map((one) => (one === before ? condition(told, now) : one));
}
