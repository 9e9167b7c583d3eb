// The rules of a job's spec, in jobs and in the templates of cron jobs.
import { asJson, type FieldErrors, OMITTED } from '#api/field-error.ts';
import { byteLength, domainPrefixedPathProblems } from '#base/formats.ts';
import { goQuote } from '#base/go-text.ts';
import { repeatedAt } from '#base/repeated.ts';
import { countIndexes } from '#kinds/batch/v1/index-intervals.ts';
import {
  type JobSpec,
  type PodFailurePolicy,
  type PodFailurePolicyOnExitCodesRequirement,
  type PodFailurePolicyOnPodConditionsPattern,
  type PodFailurePolicyRule,
  SuccessPolicy,
  type SuccessPolicyRule,
} from '#kinds/batch/v1/job-spec.ts';
import type { PodRules } from '#kinds/core/v1/pod/pod-rules.ts';
import { validatePodTemplateSpec } from '#kinds/core/v1/pod/pod-template-validation.ts';
import { goForm } from '#kinds/rules/go-form.ts';
import { validateLabelKey, validateNonNegative } from '#resource/metadata-rules.ts';
import { wasGivenEmpty } from '#schema/given-empty.ts';

const counts = [
  'parallelism',
  'completions',
  'activeDeadlineSeconds',
  'backoffLimit',
  'ttlSecondsAfterFinished',
  'backoffLimitPerIndex',
  'maxFailedIndexes',
] as const;

export function validateJobSpec(spec: JobSpec, path: string, errors: FieldErrors, rules: PodRules): void {
  for (const field of counts) validateNonNegative(spec[field], `${path}.${field}`, errors);
  if (spec.maxFailedIndexes !== undefined && spec.backoffLimitPerIndex === undefined) {
    errors.required(`${path}.backoffLimitPerIndex`, 'when maxFailedIndexes is specified');
  }
  if (spec.managedBy !== undefined) validateManagedBy(spec.managedBy, `${path}.managedBy`, errors);
  validateCompletionMode(spec, path, errors);
  if (spec.podFailurePolicy !== undefined) validateFailurePolicy(spec.podFailurePolicy, spec, `${path}.podFailurePolicy`, errors);
  if (spec.successPolicy !== undefined) validateSuccessPolicy(spec.successPolicy, spec, `${path}.successPolicy`, errors);
  validateReplacementPolicy(spec, `${path}.podReplacementPolicy`, errors);
  validatePodTemplateSpec(spec.template, `${path}.template`, errors, rules);
  validateRestartPolicy(spec, `${path}.template.spec.restartPolicy`, errors);
}

function validateManagedBy(manager: string, path: string, errors: FieldErrors): void {
  if (manager === '') errors.required(path);
  else for (const { value, problem } of domainPrefixedPathProblems(manager)) errors.invalid(path, value, problem);
  if (byteLength(manager) > 63) errors.tooLong(path, 63);
}

function validateCompletionMode(spec: JobSpec, path: string, errors: FieldErrors): void {
  const { completionMode: mode } = spec;
  if (mode === 'Indexed') validateIndexed(spec, path, errors);
  else if (mode !== undefined && mode !== 'NonIndexed') errors.notSupported(`${path}.completionMode`, mode, ['NonIndexed', 'Indexed']);
  if (mode !== undefined && mode !== 'NonIndexed') return;
  for (const field of ['backoffLimitPerIndex', 'maxFailedIndexes'] as const) {
    if (spec[field] !== undefined) errors.invalid(`${path}.${field}`, spec[field], 'requires indexed completion mode');
  }
}

const manyCompletions = 100_000;
const limitForMany = 10_000;

function validateIndexed(spec: JobSpec, path: string, errors: FieldErrors): void {
  const { completions, parallelism = 0, maxFailedIndexes: failures } = spec;
  if (completions === undefined) errors.required(`${path}.completions`, 'when completion mode is Indexed');
  if (parallelism > manyCompletions) {
    errors.invalid(`${path}.parallelism`, parallelism, `must be less than or equal to ${manyCompletions} when completion mode is Indexed`);
  }
  if (failures !== undefined) {
    if (completions !== undefined && failures > completions) errors.invalid(`${path}.maxFailedIndexes`, failures, 'must be less than or equal to completions');
    if (failures > manyCompletions) errors.invalid(`${path}.maxFailedIndexes`, failures, `must be less than or equal to ${manyCompletions}`);
  }
  if (completions !== undefined && completions > manyCompletions && spec.backoffLimitPerIndex !== undefined) validateManyCompletions(spec, path, errors);
}

function validateManyCompletions({ parallelism = 0, maxFailedIndexes: failures }: JobSpec, path: string, errors: FieldErrors): void {
  const detail = `must be less than or equal to ${limitForMany} when completions are above ${manyCompletions} and used with backoff limit per index`;
  if (failures === undefined) errors.required(`${path}.maxFailedIndexes`, `must be specified when completions is above ${manyCompletions}`);
  if (parallelism > limitForMany) errors.invalid(`${path}.parallelism`, parallelism, detail);
  if (failures !== undefined && failures > limitForMany) errors.invalid(`${path}.maxFailedIndexes`, failures, detail);
}

function validateReplacementPolicy({ podReplacementPolicy: policy, podFailurePolicy }: JobSpec, path: string, errors: FieldErrors): void {
  const supported = podFailurePolicy === undefined ? ['Failed', 'TerminatingOrFailed'] : ['Failed'];
  if (policy !== undefined && !supported.includes(policy)) errors.notSupported(path, policy, supported);
}

function validateRestartPolicy({ template, podFailurePolicy }: JobSpec, path: string, errors: FieldErrors): void {
  const policy = template.spec.restartPolicy ?? '';
  if (policy === '' || policy === 'Always') errors.required(path, 'valid values: "OnFailure", "Never"');
  else if (policy !== 'OnFailure' && policy !== 'Never') errors.notSupported(path, policy, ['OnFailure', 'Never']);
  else if (podFailurePolicy !== undefined && policy !== 'Never') errors.invalid(path, asJson(policy), 'only "Never" is supported when podFailurePolicy is specified');
}

function validateFailurePolicy({ rules = [] }: PodFailurePolicy, spec: JobSpec, path: string, errors: FieldErrors): void {
  if (rules.length > 20) errors.tooMany(`${path}.rules`, rules.length, 20);
  const { containers = [], initContainers = [] } = spec.template.spec;
  const names = new Set([...containers, ...initContainers].map(({ name }) => name));
  rules.forEach((rule, index) => validateFailureRule(rule, spec, names, `${path}.rules[${index}]`, errors));
}

const failureActions = ['Count', 'FailIndex', 'FailJob', 'Ignore'];

function validateFailureRule(rule: PodFailurePolicyRule, spec: JobSpec, containers: ReadonlySet<string>, path: string, errors: FieldErrors): void {
  const { action, onExitCodes, onPodConditions = [] } = rule;
  if (action === '') errors.required(`${path}.action`, `valid values: ${quotedList(failureActions)}`);
  else if (!failureActions.includes(action)) errors.notSupported(`${path}.action`, action, failureActions);
  else if (action === 'FailIndex' && spec.backoffLimitPerIndex === undefined) {
    errors.invalid(`${path}.action`, asJson(action), 'requires the backoffLimitPerIndex to be set');
  }
  if (onExitCodes !== undefined) validateExitCodes(onExitCodes, containers, `${path}.onExitCodes`, errors);
  if (onPodConditions.length > 20) errors.tooMany(`${path}.onPodConditions`, onPodConditions.length, 20);
  onPodConditions.forEach((pattern, index) => validateConditionPattern(pattern, `${path}.onPodConditions[${index}]`, errors));
  const given = Number(onExitCodes !== undefined) + Number(onPodConditions.length > 0);
  if (given === 2) errors.invalid(path, OMITTED, 'specifying both OnExitCodes and OnPodConditions is not supported');
  if (given === 0) errors.invalid(path, OMITTED, 'specifying one of OnExitCodes and OnPodConditions is required');
}

/** fmt's `%q` of a list. */
function quotedList(values: readonly string[]): string {
  return `[${values.map(goQuote).join(' ')}]`;
}

function validateConditionPattern({ type, status }: PodFailurePolicyOnPodConditionsPattern, path: string, errors: FieldErrors): void {
  const statuses = ['False', 'True', 'Unknown'];
  validateLabelKey(type, `${path}.type`, errors);
  if (!status) errors.required(`${path}.status`, `valid values: ${quotedList(statuses)}`);
  else if (!statuses.includes(status)) errors.notSupported(`${path}.status`, status, statuses);
}

function validateExitCodes(requirement: PodFailurePolicyOnExitCodesRequirement, containers: ReadonlySet<string>, path: string, errors: FieldErrors): void {
  const operators = ['In', 'NotIn'];
  const { operator, containerName, values = [] } = requirement;
  if (operator === '') errors.required(`${path}.operator`, `valid values: ${quotedList(operators)}`);
  else if (!operators.includes(operator)) errors.notSupported(`${path}.operator`, operator, operators);
  if (containerName !== undefined && !containers.has(containerName)) {
    errors.invalid(`${path}.containerName`, containerName, 'must be one of the container or initContainer names in the pod template');
  }
  if (values.length === 0) errors.invalid(`${path}.values`, wasGivenEmpty(requirement, 'values') ? [] : undefined, 'at least one value is required');
  else if (values.length > 255) errors.tooMany(`${path}.values`, values.length, 255);
  const repeated = repeatedAt(values);
  values.forEach((value, index) => {
    if (operator === 'In' && value === 0) errors.invalid(`${path}.values[${index}]`, value, 'must not be 0 for the In operator');
    if (repeated[index]) errors.duplicate(`${path}.values[${index}]`, value);
  });
  if (values.some((value, index) => index > 0 && (values[index - 1] ?? 0) > value)) errors.invalid(`${path}.values`, values, 'must be ordered');
}

function validateSuccessPolicy(policy: SuccessPolicy, spec: JobSpec, path: string, errors: FieldErrors): void {
  if (spec.completionMode !== 'Indexed') return errors.invalid(path, goForm(SuccessPolicy, policy), 'requires indexed completion mode');
  const { rules = [] } = policy;
  if (rules.length === 0) errors.required(`${path}.rules`, 'at least one rules must be specified when the successPolicy is specified');
  if (rules.length > 20) errors.tooMany(`${path}.rules`, rules.length, 20);
  rules.forEach((rule, index) => validateSuccessRule(rule, spec.completions ?? 0, `${path}.rules[${index}]`, errors));
}

function validateSuccessRule(
  { succeededIndexes: indexes, succeededCount: count }: SuccessPolicyRule,
  completions: number,
  path: string,
  errors: FieldErrors,
): void {
  if (count === undefined && indexes === undefined) errors.required(path, 'at least one of succeededCount or succeededIndexes must be specified');
  const listed = indexes === undefined ? undefined : validateIndexes(indexes, completions, `${path}.succeededIndexes`, errors);
  if (count === undefined) return;
  const at = `${path}.succeededCount`;
  validateNonNegative(count, at, errors);
  if (count > completions) errors.invalid(at, count, `must be less than or equal to ${completions} (the number of specified completions)`);
  if (listed !== undefined && count > listed) {
    errors.invalid(at, count, `must be less than or equal to ${listed} (the number of indexes in the specified succeededIndexes field)`);
  }
}

function validateIndexes(indexes: string, completions: number, path: string, errors: FieldErrors): number {
  if (byteLength(indexes) > 64 * 1024) errors.tooLong(path, 64 * 1024);
  const counted = countIndexes(indexes, completions);
  if (typeof counted === 'number') return counted;
  errors.invalid(path, indexes, `error parsing succeededIndexes: ${counted}`);
  return 0;
}
