import type { FieldErrors } from '#api/field-error.ts';
import { dns1123LabelProblems, nameIsSubdomain } from '#base/formats.ts';
import type { Job } from '#kinds/batch/v1/job.ts';
import { type JobSpec, PodFailurePolicy, SuccessPolicy } from '#kinds/batch/v1/job-spec.ts';
import { validateJobSpec } from '#kinds/batch/v1/job-spec-validation.ts';
import type { Container } from '#kinds/core/v1/container/container.ts';
import type { PodRules } from '#kinds/core/v1/pod/pod-rules.ts';
import { rulesForTemplate } from '#kinds/core/v1/pod/rules-for-pod.ts';
import { PodSpec } from '#kinds/core/v1/pod/pod-spec.ts';
import { PodTemplateSpec } from '#kinds/core/v1/pod/pod-template-spec.ts';
import { goForm } from '#kinds/rules/go-form.ts';
import { compiledSelector, hasInvalidLabelValue, shownMap, shownMapOf, shownSelector, validateLabelSelector } from '#kinds/rules/label-selectors.ts';
import { validateObjectMeta, validateObjectMetaUpdate } from '#kinds/rules/object-meta.ts';
import { semanticEqual } from '#kinds/rules/semantic-equal.ts';
import { validateImmutable } from '#kinds/rules/values.ts';
import type { StrategyContext } from '#resource/strategy.ts';

export const legacyUidLabel = 'controller-uid';
export const uidLabel = 'batch.kubernetes.io/controller-uid';
export const legacyNameLabel = 'job-name';
export const nameLabel = 'batch.kubernetes.io/job-name';

interface JobRules {
  readonly pod: PodRules;
  readonly anySelectorValue: boolean;
  /** Jobs of old servers lack the labels with a domain. */
  readonly prefixedLabels: boolean;
}

export function validateJob(job: Job, errors: FieldErrors, context: StrategyContext): void {
  validateNewJob(job, errors, { pod: rulesForTemplate(context), anySelectorValue: false, prefixedLabels: true });
}

function validateNewJob(job: Job, errors: FieldErrors, rules: JobRules): void {
  const { metadata, spec } = job;
  validateObjectMeta(metadata, true, nameIsSubdomain, errors);
  if (spec.manualSelector !== true && spec.selector !== undefined) validateGeneratedSelector(job, errors, rules);
  validateSpecWithSelector(spec, errors, rules);
  if (spec.completionMode !== 'Indexed' || !spec.completions || spec.completions <= 0) return;
  const hostname = `${metadata.name ?? ''}-${spec.completions - 1}`;
  if (dns1123LabelProblems(hostname).length > 0) {
    errors.invalid('metadata.name', metadata.name ?? '', `will not able to create pod with invalid DNS label: ${hostname}`);
  }
}

function validateGeneratedSelector({ metadata, spec }: Job, errors: FieldErrors, { prefixedLabels }: JobRules): void {
  const { uid = '', name = '' } = metadata;
  if (uid === '') errors.required('metadata.uid');
  const expected: Record<string, string> = { [legacyUidLabel]: uid, [legacyNameLabel]: name };
  if (prefixedLabels) Object.assign(expected, { [uidLabel]: uid, [nameLabel]: name });
  for (const [key, value] of Object.entries(expected)) validateHasLabel(spec.template, key, value, errors);
  const selector = compiledSelector(spec.selector);
  if (selector !== undefined && !selector.matches(expected)) errors.invalid('spec.selector', shownSelector(spec.selector), '`selector` not auto-generated');
}

function validateHasLabel({ metadata: { labels } }: PodTemplateSpec, key: string, value: string, errors: FieldErrors): void {
  const path = `spec.template.metadata.labels[${key}]`;
  if (labels?.[key] === undefined) errors.required(path, `must be '${value}'`);
  else if (labels[key] !== value) errors.invalid(path, shownMap(labels), `must be '${value}'`);
}

function validateSpecWithSelector(spec: JobSpec, errors: FieldErrors, { pod, anySelectorValue }: JobRules): void {
  validateJobSpec(spec, 'spec', errors, pod);
  if (spec.selector === undefined) errors.required('spec.selector');
  else validateLabelSelector(spec.selector, 'spec.selector', errors, { anyValue: anySelectorValue });
  const { metadata } = spec.template;
  const selector = compiledSelector(spec.selector);
  if (selector !== undefined && !selector.matches(metadata.labels)) {
    errors.invalid('spec.template.metadata.labels', shownMapOf(metadata, 'labels'), '`selector` does not match template `labels`');
  }
}

/** Upstream validates the new job as such and then its difference, which repeats what is wrong with the spec. */
export function validateJobUpdate(job: Job, old: Job, errors: FieldErrors, context: StrategyContext): void {
  const { spec } = job;
  const rules = updateRules(old, context);
  validateNewJob(job, errors, rules);
  validateObjectMetaUpdate(job.metadata, old.metadata, errors);
  validateSpecWithSelector(spec, errors, rules);
  validateCompletionsUpdate(spec, old.spec, errors);
  if (!semanticEqual(spec.selector, old.spec.selector)) errors.invalid('spec.selector', shownSelector(spec.selector), 'field is immutable');
  validateTemplateUpdate(spec, old, errors, context.gate);
  validateImmutable(spec.completionMode, old.spec.completionMode, 'spec.completionMode', errors);
  if (!semanticEqual(spec.podFailurePolicy, old.spec.podFailurePolicy)) {
    errors.invalid('spec.podFailurePolicy', goForm(PodFailurePolicy, spec.podFailurePolicy), 'field is immutable');
  }
  validateImmutable(spec.backoffLimitPerIndex, old.spec.backoffLimitPerIndex, 'spec.backoffLimitPerIndex', errors);
  validateImmutable(spec.managedBy, old.spec.managedBy, 'spec.managedBy', errors);
  if (!semanticEqual(spec.successPolicy, old.spec.successPolicy)) {
    errors.invalid('spec.successPolicy', goForm(SuccessPolicy, spec.successPolicy), 'field is immutable');
  }
}

function updateRules(old: Job, context: StrategyContext): JobRules {
  const pod = rulesForTemplate(context, old.spec.template);
  const { labels = {} } = old.spec.template.metadata;
  return {
    pod,
    anySelectorValue: pod.anyAffinityValue || hasInvalidLabelValue(old.spec.selector),
    prefixedLabels: labels[nameLabel] !== undefined && labels[uidLabel] !== undefined,
  };
}

function validateCompletionsUpdate({ completionMode, completions, parallelism }: JobSpec, old: JobSpec, errors: FieldErrors): void {
  if (completionMode !== 'Indexed') return validateImmutable(completions, old.completions, 'spec.completions', errors);
  if (completions === old.completions || completions === undefined || completions === parallelism) return;
  errors.invalid('spec.completions', completions, 'can only be modified in tandem with spec.parallelism');
}

/** Before a suspended job has started, its template may still be fitted to where it will run. */
function validateTemplateUpdate({ template }: JobSpec, old: Job, errors: FieldErrors, gate: StrategyContext['gate']): void {
  const suspended = old.spec.suspend === true;
  const idle = suspended && !old.status.active;
  const paused = old.status.startTime === undefined || old.status.conditions?.some(({ type, status }) => type === 'Suspended' && status === 'True');
  const mayChange = idle && Boolean(paused);
  const mayMove = gate('MutableSchedulingDirectivesForSuspendedJobs') ? mayChange : suspended && old.status.startTime === undefined;
  const wanted = mayMove ? withDirectivesOf(old.spec.template, template) : old.spec.template;
  if (mayChange && gate('MutablePodResourcesForSuspendedJobs')) {
    // Here upstream compares specs only.
    if (semanticEqual(template.spec, withResourcesOf(wanted.spec, template.spec))) return;
    errors.invalid('spec.template.spec', goForm(PodSpec, template.spec), 'field is immutable');
  } else if (!semanticEqual(template, wanted)) {
    errors.invalid('spec.template', goForm(PodTemplateSpec, template), 'field is immutable');
  }
}

function withDirectivesOf(old: PodTemplateSpec, { metadata, spec }: PodTemplateSpec): PodTemplateSpec {
  const { nodeSelector, tolerations, schedulingGates } = spec;
  const affinity = withNodeAffinityOf(old.spec, spec);
  return {
    metadata: { ...old.metadata, labels: metadata.labels, annotations: metadata.annotations },
    spec: { ...old.spec, nodeSelector, tolerations, schedulingGates, affinity },
  };
}

function withNodeAffinityOf({ affinity: old }: PodSpec, { affinity }: PodSpec): PodSpec['affinity'] {
  if (affinity === undefined && old === undefined) return undefined;
  const { podAffinity, podAntiAffinity } = old ?? {};
  if (affinity === undefined && podAffinity === undefined && podAntiAffinity === undefined) return undefined;
  return { ...old, nodeAffinity: affinity?.nodeAffinity };
}

function withResourcesOf(old: PodSpec, spec: PodSpec): PodSpec {
  return {
    ...old,
    containers: withContainerResourcesOf(old.containers, spec.containers),
    initContainers: withContainerResourcesOf(old.initContainers, spec.initContainers),
  };
}

function withContainerResourcesOf(old: Container[] | undefined, containers: readonly Container[] = []): Container[] | undefined {
  if (old?.length !== containers.length) return old;
  return old.map((container, index) => {
    const other = containers[index];
    return other?.name === container.name ? { ...container, resources: other.resources } : container;
  });
}
