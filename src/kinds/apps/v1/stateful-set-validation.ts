import { asJson, FieldErrors } from '#api/field-error.ts';
import { dns1123LabelProblems, nameIsLabel } from '#base/formats.ts';
import type {
  RollingUpdateStatefulSetStrategy,
  StatefulSet,
  StatefulSetPersistentVolumeClaimRetentionPolicy,
  StatefulSetSpec,
  StatefulSetStatus,
  StatefulSetUpdateStrategy,
} from '#kinds/apps/v1/stateful-set.ts';
import { validateClaimSpec } from '#kinds/core/v1/volume/persistent-volume-claim-spec-validation.ts';
import { validatePodAnnotations } from '#kinds/core/v1/pod/pod-annotations-validation.ts';
import type { PodRules } from '#kinds/core/v1/pod/pod-rules.ts';
import { rulesForTemplate } from '#kinds/core/v1/pod/rules-for-pod.ts';
import type { PodTemplateSpec } from '#kinds/core/v1/pod/pod-template-spec.ts';
import { validateLongRunning, validatePodTemplateSpec } from '#kinds/core/v1/pod/pod-template-validation.ts';
import { compiledSelector, shownSelector } from '#kinds/rules/label-selectors.ts';
import { validateObjectMeta, validateObjectMetaUpdate } from '#kinds/rules/object-meta.ts';
import { semanticEqual } from '#kinds/rules/semantic-equal.ts';
import { validateRequiredSelector, validateSelectsTemplate } from '#kinds/rules/template-selectors.ts';
import {
  countOrPercentValue,
  validateAtMost,
  validateAtMostAllPercent,
  validateCounters,
  validateCountOrPercent,
  validateNotDecremented,
} from '#kinds/rules/values.ts';
import { validateAnnotations, validateLabels, validateNonNegative } from '#resource/metadata-rules.ts';
import type { StrategyContext } from '#resource/strategy.ts';

export function validateStatefulSet({ metadata, spec }: StatefulSet, errors: FieldErrors, context: StrategyContext): void {
  validateObjectMeta(metadata, true, nameIsLabel, errors);
  spec.volumeClaimTemplates?.forEach((claim, index) => validateClaimSpec(claim.spec, `spec.volumeClaimTemplates[${index}].spec`, errors));
  if (spec.serviceName) errors.invalidEach('spec.serviceName', spec.serviceName, dns1123LabelProblems(spec.serviceName));
  validateStatefulSetSpec(spec, errors, rulesForTemplate(context));
}

const changeable = "'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds'";

export function validateStatefulSetUpdate({ metadata, spec }: StatefulSet, old: StatefulSet, errors: FieldErrors, context: StrategyContext): void {
  validateObjectMetaUpdate(metadata, old.metadata, errors);
  const rules = rulesForTemplate(context, old.spec.template);
  const stored = new FieldErrors();
  validateStatefulSetSpec(old.spec, stored, rules);
  validateStatefulSetSpec(spec, errors, rules, !stored.empty);
  if (!semanticEqual(fixedPart(spec), fixedPart(old.spec))) {
    errors.forbidden('spec', `updates to statefulset spec for fields other than ${changeable} are forbidden`);
  }
}

function fixedPart({ selector, serviceName, volumeClaimTemplates, podManagementPolicy }: StatefulSetSpec): object {
  return { selector, serviceName, volumeClaimTemplates, podManagementPolicy };
}

/** `anyTemplate`: the stored set was not valid either, so its template is let alone. */
function validateStatefulSetSpec(spec: StatefulSetSpec, errors: FieldErrors, rules: PodRules, anyTemplate = false): void {
  const { podManagementPolicy: policy, template } = spec;
  if (!policy) errors.required('spec.podManagementPolicy');
  else if (policy !== 'OrderedReady' && policy !== 'Parallel') {
    errors.invalid('spec.podManagementPolicy', asJson(policy), "must be 'OrderedReady' or 'Parallel'");
  }
  validateUpdateStrategy(spec.updateStrategy, 'spec.updateStrategy', errors);
  validateRetentionPolicy(spec.persistentVolumeClaimRetentionPolicy, 'spec.persistentVolumeClaimRetentionPolicy', errors);
  validateNonNegative(spec.replicas, 'spec.replicas', errors);
  validateNonNegative(spec.minReadySeconds, 'spec.minReadySeconds', errors);
  validateNonNegative(spec.ordinals?.start, 'spec.ordinals.start', errors);
  validateRequiredSelector(spec.selector, 'statefulset', 'spec.selector', errors);
  const selector = compiledSelector(spec.selector);
  if (selector === undefined) errors.invalid('spec.selector', shownSelector(spec.selector), '');
  else {
    validateSelectsTemplate(selector, template.metadata, 'spec.template', errors);
    validateSetTemplate(templateWithClaims(spec), errors, rules, anyTemplate);
  }
  validateLongRunning(template, 'StatefulSet', 'spec.template', errors);
}

/** Upstream looks at labels and annotations twice. */
function validateSetTemplate(template: PodTemplateSpec, errors: FieldErrors, rules: PodRules, anyTemplate: boolean): void {
  const { metadata, spec } = template;
  if (!anyTemplate) validatePodTemplateSpec(template, 'spec.template', errors, rules);
  validateLabels(metadata.labels, 'spec.template.labels', errors);
  validateAnnotations(metadata.annotations, 'spec.template.annotations', errors);
  validatePodAnnotations(metadata.annotations, spec, 'spec.template.annotations', errors, rules);
}

/** The template as pods will see it: the set chooses host names, and claims become volumes. */
function templateWithClaims({ template, volumeClaimTemplates = [] }: StatefulSetSpec): PodTemplateSpec {
  const { hostname, subdomain, ...spec } = template.spec;
  if (!hostname && !subdomain && volumeClaimTemplates.length === 0) return template;
  const names = new Set(volumeClaimTemplates.map(({ metadata }) => metadata.name ?? ''));
  const claims = [...names].map((name) => ({ name, persistentVolumeClaim: { claimName: name } }));
  const others = (spec.volumes ?? []).filter(({ name }) => !names.has(name));
  return { ...template, spec: { ...spec, volumes: [...claims, ...others] } };
}

function validateUpdateStrategy(strategy: StatefulSetUpdateStrategy, path: string, errors: FieldErrors): void {
  const { type, rollingUpdate } = strategy;
  if (!type) errors.required(path);
  else if (type === 'OnDelete') {
    if (rollingUpdate === undefined) return;
    errors.invalid(`${path}.rollingUpdate`, shownRollingUpdate(rollingUpdate), "only allowed for updateStrategy 'RollingUpdate'");
  } else if (type !== 'RollingUpdate') {
    const shown = { Type: type, RollingUpdate: rollingUpdate === undefined ? null : shownRollingUpdate(rollingUpdate) };
    errors.invalid(path, shown, "must be 'RollingUpdate' or 'OnDelete'");
  } else if (rollingUpdate !== undefined) {
    validateRollingUpdate(rollingUpdate, `${path}.rollingUpdate`, errors);
  }
}

function shownRollingUpdate({ partition = 0, maxUnavailable }: RollingUpdateStatefulSetStrategy): object {
  return { Partition: partition, MaxUnavailable: maxUnavailable ?? null };
}

function validateRollingUpdate({ partition, maxUnavailable }: RollingUpdateStatefulSetStrategy, path: string, errors: FieldErrors): void {
  validateNonNegative(partition, `${path}.partition`, errors);
  if (maxUnavailable === undefined) return;
  validateCountOrPercent(maxUnavailable, `${path}.maxUnavailable`, errors);
  if (countOrPercentValue(maxUnavailable) === 0) errors.invalid(`${path}.maxUnavailable`, maxUnavailable, 'cannot be 0');
  validateAtMostAllPercent(maxUnavailable, `${path}.maxUnavailable`, errors);
}

function validateRetentionPolicy(policy: StatefulSetPersistentVolumeClaimRetentionPolicy | undefined, path: string, errors: FieldErrors): void {
  if (policy === undefined) return;
  for (const field of ['whenDeleted', 'whenScaled'] as const) {
    const value = policy[field] ?? '';
    if (value !== 'Retain' && value !== 'Delete') errors.notSupported(`${path}.${field}`, value, ['Retain', 'Delete']);
  }
}

const counters = ['replicas', 'readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas', 'observedGeneration', 'collisionCount'] as const;

export function validateStatefulSetStatusUpdate({ metadata, status }: StatefulSet, old: StatefulSet, errors: FieldErrors): void {
  validateStatefulSetStatus(status, errors);
  validateObjectMetaUpdate(metadata, old.metadata, errors);
  validateNotDecremented(status.collisionCount, old.status.collisionCount, 'status.collisionCount', errors);
}

function validateStatefulSetStatus(status: StatefulSetStatus, errors: FieldErrors): void {
  validateCounters(status, counters, 'status', errors);
  for (const field of ['readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'] as const) {
    validateAtMost(status[field], status.replicas, `status.${field}`, errors, 'cannot be greater than status.replicas');
  }
  validateAtMost(status.availableReplicas, status.readyReplicas, 'status.availableReplicas', errors, 'cannot be greater than status.readyReplicas');
}
