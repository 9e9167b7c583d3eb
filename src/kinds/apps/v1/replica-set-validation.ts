import type { FieldErrors } from '#api/field-error.ts';
import { nameIsSubdomain } from '#base/formats.ts';
import type { LabelSelectorObject } from '#api/label-selector.ts';
import type { ReplicaSet, ReplicaSetSpec, ReplicaSetStatus } from '#kinds/apps/v1/replica-set.ts';
import type { PodRules } from '#kinds/core/v1/pod/pod-rules.ts';
import { rulesForTemplate } from '#kinds/core/v1/pod/rules-for-pod.ts';
import type { PodTemplateSpec } from '#kinds/core/v1/pod/pod-template-spec.ts';
import { validateLongRunning, validatePodTemplateSpec } from '#kinds/core/v1/pod/pod-template-validation.ts';
import { compiledSelector, shownSelector } from '#kinds/rules/label-selectors.ts';
import { validateObjectMeta, validateObjectMetaUpdate } from '#kinds/rules/object-meta.ts';
import { semanticEqual } from '#kinds/rules/semantic-equal.ts';
import { validateRequiredSelector, validateSelectsTemplate } from '#kinds/rules/template-selectors.ts';
import { validateAtMost, validateCounters } from '#kinds/rules/values.ts';
import { validateNonNegative } from '#resource/metadata-rules.ts';
import type { StrategyContext } from '#resource/strategy.ts';

export function validateReplicaSet({ metadata, spec }: ReplicaSet, errors: FieldErrors, context: StrategyContext): void {
  validateObjectMeta(metadata, true, nameIsSubdomain, errors);
  validateReplicaSetSpec(spec, errors, rulesForTemplate(context));
}

export function validateReplicaSetUpdate({ metadata, spec }: ReplicaSet, old: ReplicaSet, errors: FieldErrors, context: StrategyContext): void {
  validateObjectMetaUpdate(metadata, old.metadata, errors);
  validateReplicaSetSpec(spec, errors, rulesForTemplate(context, old.spec.template));
  if (!semanticEqual(spec.selector, old.spec.selector)) errors.invalid('spec.selector', shownSelector(spec.selector), 'field is immutable');
}

function validateReplicaSetSpec(spec: ReplicaSetSpec, errors: FieldErrors, rules: PodRules): void {
  validateNonNegative(spec.replicas, 'spec.replicas', errors);
  validateNonNegative(spec.minReadySeconds, 'spec.minReadySeconds', errors);
  validateReplicaTemplate(spec, errors, rules);
}

interface SelectingSpec {
  readonly selector?: LabelSelectorObject | undefined;
  readonly template: PodTemplateSpec;
}

/** Selector and template of replica sets and of deployments, for which upstream has the same words. */
export function validateReplicaTemplate({ selector, template }: SelectingSpec, errors: FieldErrors, rules: PodRules): void {
  validateRequiredSelector(selector, 'deployment', 'spec.selector', errors);
  const compiled = compiledSelector(selector);
  if (compiled === undefined) return errors.invalid('spec.selector', shownSelector(selector), 'invalid label selector');
  validateSelectsTemplate(compiled, template.metadata, 'spec.template', errors);
  validatePodTemplateSpec(template, 'spec.template', errors, rules);
  validateLongRunning(template, 'ReplicaSet', 'spec.template', errors);
}

const counters = ['replicas', 'fullyLabeledReplicas', 'readyReplicas', 'availableReplicas', 'observedGeneration', 'terminatingReplicas'] as const;

export function validateReplicaSetStatusUpdate({ metadata, status }: ReplicaSet, old: ReplicaSet, errors: FieldErrors): void {
  validateObjectMetaUpdate(metadata, old.metadata, errors);
  validateReplicaSetStatus(status, errors);
}

export function validateReplicaSetStatus(status: ReplicaSetStatus, errors: FieldErrors): void {
  validateCounters(status, counters, 'status', errors);
  for (const field of ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'] as const) {
    validateAtMost(status[field], status.replicas, `status.${field}`, errors, 'cannot be greater than status.replicas');
  }
  validateAtMost(status.availableReplicas, status.readyReplicas, 'status.availableReplicas', errors, 'cannot be greater than readyReplicas');
}
