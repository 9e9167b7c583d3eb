// The rules of a job's status. Most look only at what changed, so that a status written by an older controller can still be updated.
import { asJson, type FieldErrors, OMITTED } from '#api/field-error.ts';
import { countIndexes, overlappingIndex } from '#kinds/batch/v1/index-intervals.ts';
import type { Job, JobStatus } from '#kinds/batch/v1/job.ts';
import { validateObjectMetaUpdate } from '#kinds/rules/object-meta.ts';
import { semanticEqual } from '#kinds/rules/semantic-equal.ts';
import { validateCounters } from '#kinds/rules/values.ts';
import { millisecondsOf } from '#kinds/rules/timestamps.ts';

/** The conditions that rules speak of. */
interface Outcome {
  readonly complete: boolean;
  readonly failed: boolean;
  readonly finished: boolean;
  readonly failureTarget: boolean;
  readonly successCriteriaMet: boolean;
}

interface Change {
  readonly job: Job;
  readonly old: Job;
  readonly now: Outcome;
  readonly before: Outcome;
  readonly changed: (...fields: readonly (keyof JobStatus)[]) => boolean;
  readonly turned: (...conditions: readonly (keyof Outcome)[]) => boolean;
  readonly errors: FieldErrors;
}

export function validateJobStatusUpdate(job: Job, old: Job, errors: FieldErrors): void {
  validateObjectMetaUpdate(job.metadata, old.metadata, errors);
  const now = outcomeOf(job.status);
  const before = outcomeOf(old.status);
  const changed = (...fields: readonly (keyof JobStatus)[]) => fields.some((field) => !semanticEqual(job.status[field], old.status[field]));
  const turned = (...conditions: readonly (keyof Outcome)[]) => conditions.some((condition) => now[condition] !== before[condition]);
  const change: Change = { job, old, now, before, changed, turned, errors };
  validateCounters(job.status, ['active', 'succeeded', 'failed', 'ready', 'terminating'], 'status', errors);
  validateUncountedPods(job.status, errors);
  validateOutcome(change);
  validateTimes(change);
  validateFinished(change);
  validateIndexLists(change);
  if (changed('ready', 'active') && job.status.ready !== undefined && job.status.ready > (job.status.active ?? 0)) {
    errors.invalid('status.ready', job.status.ready, 'cannot set more ready pods than active');
  }
  validateProgress(change);
}

function outcomeOf({ conditions = [] }: JobStatus): Outcome {
  const isTrue = (wanted: string) => conditions.some(({ type, status }) => type === wanted && status === 'True');
  const complete = isTrue('Complete');
  const failed = isTrue('Failed');
  return { complete, failed, finished: complete || failed, failureTarget: isTrue('FailureTarget'), successCriteriaMet: isTrue('SuccessCriteriaMet') };
}

function validateUncountedPods({ uncountedTerminatedPods: pods }: JobStatus, errors: FieldErrors): void {
  const seen = new Set<string>();
  for (const list of ['succeeded', 'failed'] as const) {
    pods?.[list]?.forEach((uid, index) => {
      const path = `status.uncountedTerminatedPods.${list}[${index}]`;
      if (uid === '') errors.invalid(path, uid, 'must not be empty');
      else if (seen.has(uid)) errors.duplicate(path, asJson(uid));
      seen.add(uid);
    });
  }
}

function validateOutcome({ job, now, turned, changed, errors }: Change): void {
  const refuse = (condition: boolean, detail: string) => {
    if (condition) errors.invalid('status.conditions', OMITTED, detail);
  };
  refuse(turned('complete', 'failed') && now.complete && now.failed, 'cannot set Complete=True and Failed=true conditions');
  refuse(turned('complete', 'failureTarget') && now.complete && now.failureTarget, 'cannot set Complete=True and FailureTarget=true conditions');
  const untargeted = (turned('failed') || changed('failedIndexes')) && now.failed && !now.failureTarget;
  refuse(untargeted, 'cannot set Failed=True condition without the FailureTarget=true condition');
  const unmet = turned('complete', 'successCriteriaMet') && now.complete && !now.successCriteriaMet;
  refuse(unmet, 'cannot set Complete=True condition without the SuccessCriteriaMet=true condition');
  refuse(now.successCriteriaMet && now.failed, 'cannot set SuccessCriteriaMet=True and Failed=true conditions');
  refuse(now.successCriteriaMet && now.failureTarget, 'cannot set SuccessCriteriaMet=True and FailureTarget=true conditions');
  const policyUnmet = job.spec.successPolicy !== undefined && !now.successCriteriaMet && now.complete;
  refuse(policyUnmet, 'cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True');
}

function validateTimes({ job: { status }, now, changed, turned, errors }: Change): void {
  const { startTime, completionTime } = status;
  if (turned('complete') || changed('completionTime')) {
    if (completionTime !== undefined && !now.complete) {
      errors.invalid('status.completionTime', completionTime, 'cannot set completionTime when there is no Complete=True condition');
    }
    if (completionTime === undefined && now.complete) errors.required('status.completionTime', 'completionTime is required for Complete jobs');
  }
  const backwards = startTime !== undefined && completionTime !== undefined && millisecondsOf(completionTime) < millisecondsOf(startTime);
  if (changed('startTime', 'completionTime') && backwards) {
    errors.invalid('status.completionTime', completionTime, 'must be equal to or after `startTime`');
  }
}

function validateFinished({ job: { spec, status }, now, changed, turned, errors }: Change): void {
  if (!now.finished) return;
  const finishing = turned('finished');
  if ((finishing || changed('active')) && (status.active ?? 0) > 0) errors.invalid('status.active', status.active, 'active>0 is invalid for finished job');
  const nothingToDo = spec.suspend === true && spec.completions === 0;
  if ((finishing || changed('startTime')) && !nothingToDo && status.startTime === undefined) {
    errors.required('status.startTime', 'startTime is required for finished job');
  }
  const { succeeded = [], failed = [] } = status.uncountedTerminatedPods ?? {};
  if ((finishing || changed('uncountedTerminatedPods')) && succeeded.length + failed.length > 0) {
    const shown = { Succeeded: succeeded.length === 0 ? null : succeeded, Failed: failed.length === 0 ? null : failed };
    errors.invalid('status.uncountedTerminatedPods', shown, 'must be empty for finished job');
  }
  if ((finishing || changed('terminating')) && (status.terminating ?? 0) > 0) {
    errors.invalid('status.terminating', status.terminating, 'terminating>0 is invalid for finished job');
  }
}

function validateIndexLists({ job: { spec, status }, changed, errors }: Change): void {
  const { completions, backoffLimitPerIndex, completionMode } = spec;
  const { completedIndexes = '', failedIndexes } = status;
  if (changed('completedIndexes')) {
    if (completions !== undefined) validateIndexList(completedIndexes, completions, 'completedIndexes', errors);
    if (completedIndexes !== '' && completionMode !== 'Indexed') {
      errors.invalid('status.completedIndexes', completedIndexes, 'cannot set non-empty completedIndexes when non-indexed completion mode');
    }
  }
  if (failedIndexes === undefined) return;
  if (changed('failedIndexes')) {
    if (backoffLimitPerIndex === undefined) {
      errors.invalid('status.failedIndexes', failedIndexes, 'cannot set non-null failedIndexes when backoffLimitPerIndex is null');
    } else if (completions !== undefined) validateIndexList(failedIndexes, completions, 'failedIndexes', errors);
  }
  if (completions === undefined || !changed('failedIndexes', 'completedIndexes')) return;
  const overlap = overlappingIndex(completedIndexes, failedIndexes, completions);
  if (overlap !== undefined) errors.invalid('status.failedIndexes', failedIndexes, `failedIndexes and completedIndexes overlap at index: ${overlap}`);
}

function validateIndexList(indexes: string, completions: number, field: string, errors: FieldErrors): void {
  const counted = countIndexes(indexes, completions);
  if (typeof counted === 'string') errors.invalid(`status.${field}`, indexes, `error parsing ${field}: ${counted}`);
}

/** What is over stays over, and counters grow. */
function validateProgress({ job, old, now, before, changed, errors }: Change): void {
  const { spec, status } = job;
  for (const [condition, name] of [
    ['failed', 'Failed'],
    ['complete', 'Complete'],
    ['failureTarget', 'FailureTarget'],
  ] as const) {
    if (before[condition] && !now[condition]) errors.invalid('status.conditions', OMITTED, `cannot disable the terminal ${name}=True condition`);
  }
  if ((status.failed ?? 0) < (old.status.failed ?? 0)) errors.invalid('status.failed', status.failed ?? 0, 'cannot decrease the failed counter');
  const elastic = spec.completionMode === 'Indexed' && spec.completions === spec.parallelism;
  if (!elastic && (status.succeeded ?? 0) < (old.status.succeeded ?? 0)) {
    errors.invalid('status.succeeded', status.succeeded ?? 0, 'cannot decrease the succeeded counter');
  }
  const { completionTime, startTime } = old.status;
  if (completionTime !== undefined && status.completionTime !== undefined && changed('completionTime')) {
    errors.invalid('status.completionTime', status.completionTime, 'field is immutable');
  }
  if (startTime !== undefined && changed('startTime') && spec.suspend !== true && !isResuming(job, old)) {
    errors.invalid('status.startTime', status.startTime, 'field is immutable for unsuspended job once set');
  }
  if (before.successCriteriaMet && !now.successCriteriaMet) {
    errors.invalid('status.conditions', OMITTED, 'cannot disable the SuccessCriteriaMet=True condition');
  }
  if (before.complete && !before.successCriteriaMet && now.successCriteriaMet) {
    errors.invalid('status.conditions', OMITTED, 'cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions');
  }
}

function isResuming({ status }: Job, { status: old }: Job): boolean {
  const has = ({ conditions = [] }: JobStatus, value: string) => conditions.some((one) => one.type === 'Suspended' && one.status === value);
  return has(old, 'True') && has(status, 'False');
}
