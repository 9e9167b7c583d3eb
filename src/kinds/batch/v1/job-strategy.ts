// How jobs are written, and what the server fills in: above all the selector and the labels that tie pods to their job.
import type { Job } from '#kinds/batch/v1/job.ts';
import type { JobSpec } from '#kinds/batch/v1/job-spec.ts';
import { validateJobStatusUpdate } from '#kinds/batch/v1/job-status-validation.ts';
import { legacyNameLabel, legacyUidLabel, nameLabel, uidLabel, validateJob, validateJobUpdate } from '#kinds/batch/v1/job-validation.ts';
import { dropGatedFields } from '#kinds/core/v1/pod/pod-gated-fields.ts';
import { hostnameWarnings, podTemplateWarnings } from '#kinds/core/v1/pod/pod-warnings.ts';
import { countGeneration, startGeneration } from '#kinds/rules/generation.ts';
import { statusStrategy } from '#kinds/rules/status-updates.ts';
import type { Strategy } from '#resource/strategy.ts';

export function defaultJob({ metadata, spec }: Job): void {
  if (spec.parallelism === undefined) spec.completions ??= 1;
  spec.parallelism ??= 1;
  spec.backoffLimit ??= spec.backoffLimitPerIndex === undefined ? 6 : 2147483647;
  defaultJobLabels({ metadata, spec });
  spec.completionMode ??= 'NonIndexed';
  spec.suspend ??= false;
  spec.podReplacementPolicy ??= spec.podFailurePolicy === undefined ? 'TerminatingOrFailed' : 'Failed';
  spec.manualSelector ??= false;
}

/**
 * Also when a stored job is read, so that a status update cannot take them away. The two share one map until the job is stored,
 * so that the labels which are generated for the template show on the job as well.
 */
function defaultJobLabels({ metadata, spec }: Pick<Job, 'metadata' | 'spec'>): void {
  const { labels } = spec.template.metadata;
  if (labels !== undefined) metadata.labels ??= labels;
}

export const jobStrategy: Strategy<Job> = {
  prepareForCreate(job, { gate }) {
    if (job.spec.manualSelector !== true) generateSelector(job);
    defaultJobLabels(job);
    job.status = {};
    startGeneration(job.metadata);
    dropGatedFields(job.spec.template.spec, undefined, gate);
  },
  validate: validateJob,
  warnOnCreate: ({ metadata, spec }) => [...hostnameWarnings(metadata.name, 'Pod names and hostnames'), ...jobSpecWarnings(spec, 'spec')],

  prepareForUpdate(job, old, { gate }) {
    job.status = old.status;
    dropGatedFields(job.spec.template.spec, old.spec.template.spec, gate);
    countGeneration(job.metadata, old.metadata, job.spec, old.spec);
  },
  validateUpdate: validateJobUpdate,
  warnOnUpdate: ({ metadata, spec }, old) => (metadata.generation === old.metadata.generation ? [] : jobSpecWarnings(spec, 'spec')),

  defaultPropagation: 'orphan',
  orphansByDefaultWarning:
    'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning',
  selectableFields: { 'status.successful': ({ status }) => String(status.succeeded ?? 0) },
  unknownSelector: (field) => `field label "${field}" not supported for Job`,
  subresources: { status: statusStrategy<Job>({ prepare: defaultJobLabels, validateUpdate: validateJobStatusUpdate, resetFields: [['spec']] }) },
};

/** What the client has set stays, for validation to judge. */
function generateSelector({ metadata, spec }: Job): void {
  const { name = '', uid = '' } = metadata;
  const { template } = spec;
  const labels = (template.metadata.labels ??= {});
  for (const key of [legacyNameLabel, nameLabel]) labels[key] ??= name;
  for (const key of [legacyUidLabel, uidLabel]) labels[key] ??= uid;
  spec.selector = { ...spec.selector, matchLabels: { [uidLabel]: uid, ...spec.selector?.matchLabels } };
}

export function jobSpecWarnings({ completionMode, completions = 0, parallelism = 0, template }: JobSpec, path: string): readonly string[] {
  const warnings = podTemplateWarnings(template, `${path}.template`);
  if (completionMode !== 'Indexed' || completions <= 100_000 || parallelism <= 10_000) return warnings;
  const message =
    'In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail';
  return [`${path}: ${message}`, ...warnings];
}
