// How cron jobs are written, and what the server fills in.
import { asJson, type FieldErrors } from '#api/field-error.ts';
import { byteLength, nameIsSubdomain } from '#base/formats.ts';
import type { CronJob, CronJobSpec, JobTemplateSpec } from '#kinds/batch/v1/cron-job.ts';
import { scheduleProblem } from '#base/time/cron-schedule.ts';
import { validateJobSpec } from '#kinds/batch/v1/job-spec-validation.ts';
import { jobSpecWarnings } from '#kinds/batch/v1/job-strategy.ts';
import { isTimeZone } from '#base/time/time-zones.ts';
import { dropGatedFields } from '#kinds/core/v1/pod/pod-gated-fields.ts';
import type { PodRules } from '#kinds/core/v1/pod/pod-rules.ts';
import { rulesForTemplate } from '#kinds/core/v1/pod/rules-for-pod.ts';
import { hostnameWarnings } from '#kinds/core/v1/pod/pod-warnings.ts';
import { countGeneration, startGeneration } from '#kinds/rules/generation.ts';
import { shownSelector } from '#kinds/rules/label-selectors.ts';
import { validateObjectMeta, validateObjectMetaUpdate } from '#kinds/rules/object-meta.ts';
import { statusStrategy } from '#kinds/rules/status-updates.ts';
import { validateChoice } from '#kinds/rules/values.ts';
import { validateNonNegative } from '#resource/metadata-rules.ts';
import type { Strategy } from '#resource/strategy.ts';

export function defaultCronJob({ spec }: CronJob): void {
  spec.concurrencyPolicy ||= 'Allow';
  spec.suspend ??= false;
  spec.successfulJobsHistoryLimit ??= 3;
  spec.failedJobsHistoryLimit ??= 1;
}

/** Jobs get a suffix of 11 characters. */
const longestName = 52;

export const cronJobStrategy: Strategy<CronJob> = {
  prepareForCreate(cronJob, { gate }) {
    cronJob.status = {};
    startGeneration(cronJob.metadata);
    dropGatedFields(cronJob.spec.jobTemplate.spec.template.spec, undefined, gate);
  },
  validate({ metadata, spec }, errors, context) {
    validateObjectMeta(metadata, true, nameIsSubdomain, errors);
    validateCronJobSpec(spec, undefined, errors, rulesForTemplate(context));
    if (byteLength(metadata.name ?? '') > longestName) errors.invalid('metadata.name', metadata.name, `must be no more than ${longestName} characters`);
  },
  warnOnCreate: ({ metadata, spec }) => [
    ...hostnameWarnings(metadata.name, 'Pod names and hostnames'),
    ...jobSpecWarnings(spec.jobTemplate.spec, 'spec.jobTemplate.spec'),
  ],

  prepareForUpdate(cronJob, old, { gate }) {
    cronJob.status = old.status;
    dropGatedFields(cronJob.spec.jobTemplate.spec.template.spec, old.spec.jobTemplate.spec.template.spec, gate);
    countGeneration(cronJob.metadata, old.metadata, cronJob.spec, old.spec);
  },
  validateUpdate({ metadata, spec }, old, errors, context) {
    validateObjectMetaUpdate(metadata, old.metadata, errors);
    validateCronJobSpec(spec, old.spec, errors, rulesForTemplate(context, old.spec.jobTemplate.spec.template));
  },
  warnOnUpdate: ({ metadata, spec }, old) => [
    ...(metadata.generation === old.metadata.generation ? [] : jobSpecWarnings(spec.jobTemplate.spec, 'spec.jobTemplate.spec')),
    ...(spec.schedule.includes('TZ') ? [zoneWarning] : []),
  ],

  subresources: { status: statusStrategy<CronJob>({ resetFields: [['spec']] }) },
};

const zoneWarning =
  'cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details';

function validateCronJobSpec(spec: CronJobSpec, old: CronJobSpec | undefined, errors: FieldErrors, rules: PodRules): void {
  if (spec.schedule === '') errors.required('spec.schedule');
  else validateSchedule(spec, old?.schedule.includes('TZ') ?? false, 'spec.schedule', errors);
  validateNonNegative(spec.startingDeadlineSeconds, 'spec.startingDeadlineSeconds', errors);
  if (spec.timeZone !== undefined && spec.timeZone !== old?.timeZone) validateTimeZone(spec.timeZone, 'spec.timeZone', errors);
  validateChoice(spec.concurrencyPolicy, ['Allow', 'Forbid', 'Replace'], 'spec.concurrencyPolicy', errors);
  validateJobTemplate(spec.jobTemplate, 'spec.jobTemplate', errors, rules);
  validateNonNegative(spec.successfulJobsHistoryLimit, 'spec.successfulJobsHistoryLimit', errors);
  validateNonNegative(spec.failedJobsHistoryLimit, 'spec.failedJobsHistoryLimit', errors);
}

/** A zone inside the schedule was once taken; what is stored so may stay. */
function validateSchedule({ schedule, timeZone }: CronJobSpec, zoneAllowed: boolean, path: string, errors: FieldErrors): void {
  const problem = scheduleProblem(schedule);
  if (problem !== undefined) errors.invalid(path, schedule, problem);
  if (!schedule.includes('TZ')) return;
  if (!zoneAllowed) errors.invalid(path, schedule, 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead');
  else if (timeZone !== undefined) errors.invalid(path, schedule, 'cannot use both timeZone field and TZ or CRON_TZ in schedule');
}

function validateTimeZone(zone: string, path: string, errors: FieldErrors): void {
  if (zone === '') return errors.invalid(path, asJson(zone), 'timeZone must be nil or non-empty string');
  const wellFormed = zone.split('/').every((part) => /^(?!-)[A-Za-z.\-_0-9+]{1,14}$/.test(part) && part !== '.' && part !== '..');
  if (wellFormed && zone.toLowerCase() === 'local') {
    errors.invalid(path, asJson(zone), 'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones');
  }
  if (!wellFormed || !isTimeZone(zone)) errors.invalid(path, asJson(zone), `unknown time zone ${zone}`);
}

function validateJobTemplate({ spec }: JobTemplateSpec, path: string, errors: FieldErrors, rules: PodRules): void {
  validateJobSpec(spec, `${path}.spec`, errors, rules);
  if (spec.selector !== undefined) errors.invalid(`${path}.spec.selector`, shownSelector(spec.selector), '`selector` will be auto-generated');
  if (spec.manualSelector === true) errors.notSupported(`${path}.spec.manualSelector`, true, ['nil', 'false']);
}
