import type { FieldErrors } from '#api/field-error.ts';
import { nameIsSubdomain } from '#base/formats.ts';
import type { DaemonSet, DaemonSetSpec, DaemonSetUpdateStrategy, RollingUpdateDaemonSet } from '#kinds/apps/v1/daemon-set.ts';
import type { PodRules } from '#kinds/core/v1/pod/pod-rules.ts';
import { rulesForTemplate } from '#kinds/core/v1/pod/rules-for-pod.ts';
import { validateLongRunning, validatePodTemplateSpec } from '#kinds/core/v1/pod/pod-template-validation.ts';
import { compiledSelector, hasInvalidLabelValue, isEmptySelector, shownMapOf, shownSelector, validateLabelSelector } from '#kinds/rules/label-selectors.ts';
import { validateObjectMeta, validateObjectMetaUpdate } from '#kinds/rules/object-meta.ts';
import { semanticEqual } from '#kinds/rules/semantic-equal.ts';
import { countOrPercentValue, validateAtMostAllPercent, validateCounters, validateCountOrPercent, validateNotDecremented } from '#kinds/rules/values.ts';
import { validateNonNegative } from '#resource/metadata-rules.ts';
import type { StrategyContext } from '#resource/strategy.ts';

export function validateDaemonSet({ metadata, spec }: DaemonSet, errors: FieldErrors, context: StrategyContext): void {
  validateObjectMeta(metadata, true, nameIsSubdomain, errors);
  validateDaemonSetSpec(spec, errors, rulesForTemplate(context), false);
}

export function validateDaemonSetUpdate({ metadata, spec }: DaemonSet, old: DaemonSet, errors: FieldErrors, context: StrategyContext): void {
  validateObjectMetaUpdate(metadata, old.metadata, errors);
  if (!semanticEqual(spec.selector, old.spec.selector)) errors.invalid('spec.selector', shownSelector(spec.selector), 'field is immutable');
  const rules = rulesForTemplate(context, old.spec.template);
  validateDaemonSetSpec(spec, errors, rules, rules.anyAffinityValue || hasInvalidLabelValue(old.spec.selector));
}

function validateDaemonSetSpec(spec: DaemonSetSpec, errors: FieldErrors, rules: PodRules, anyValue: boolean): void {
  const { selector, template } = spec;
  validateLabelSelector(selector, 'spec.selector', errors, { anyValue });
  const compiled = compiledSelector(selector);
  if (compiled !== undefined && !compiled.matches(template.metadata.labels)) {
    errors.invalid('spec.template.metadata.labels', shownMapOf(template.metadata, 'labels'), '`selector` does not match template `labels`');
  }
  if (selector !== undefined && isEmptySelector(selector)) errors.invalid('spec.selector', shownSelector(selector), 'empty selector is invalid for daemonset');
  validatePodTemplateSpec(template, 'spec.template', errors, anyValue ? { ...rules, anyAffinityValue: true } : rules);
  validateLongRunning(template, 'DaemonSet', 'spec.template', errors);
  validateNonNegative(spec.minReadySeconds, 'spec.minReadySeconds', errors);
  validateUpdateStrategy(spec.updateStrategy, 'spec.updateStrategy', errors);
  validateNonNegative(spec.revisionHistoryLimit, 'spec.revisionHistoryLimit', errors);
}

function validateUpdateStrategy(strategy: DaemonSetUpdateStrategy, path: string, errors: FieldErrors): void {
  const { type, rollingUpdate } = strategy;
  if (type === 'OnDelete') return;
  if (type !== 'RollingUpdate') return errors.notSupported(path, shownStrategy(strategy), ['RollingUpdate', 'OnDelete']);
  if (rollingUpdate === undefined) errors.required(`${path}.rollingUpdate`);
  else validateRollingUpdate(rollingUpdate, `${path}.rollingUpdate`, errors);
}

function shownStrategy({ type = '', rollingUpdate }: DaemonSetUpdateStrategy): object {
  const { maxUnavailable = 0, maxSurge = 0 } = rollingUpdate ?? {};
  return { Type: type, RollingUpdate: rollingUpdate === undefined ? null : { MaxUnavailable: maxUnavailable, MaxSurge: maxSurge } };
}

function validateRollingUpdate({ maxUnavailable = 0, maxSurge = 0 }: RollingUpdateDaemonSet, path: string, errors: FieldErrors): void {
  validateCountOrPercent(maxUnavailable, `${path}.maxUnavailable`, errors);
  validateCountOrPercent(maxSurge, `${path}.maxSurge`, errors);
  validateAtMostAllPercent(maxUnavailable, `${path}.maxUnavailable`, errors);
  validateAtMostAllPercent(maxSurge, `${path}.maxSurge`, errors);
  const hasUnavailable = countOrPercentValue(maxUnavailable) !== 0;
  const hasSurge = countOrPercentValue(maxSurge) !== 0;
  if (hasUnavailable && hasSurge) errors.invalid(`${path}.maxSurge`, maxSurge, 'may not be set when maxUnavailable is non-zero');
  if (!hasUnavailable && !hasSurge) errors.required(`${path}.maxUnavailable`, 'cannot be 0 when maxSurge is 0');
}

const counters = [
  'currentNumberScheduled',
  'numberMisscheduled',
  'desiredNumberScheduled',
  'numberReady',
  'observedGeneration',
  'updatedNumberScheduled',
  'numberAvailable',
  'numberUnavailable',
  'collisionCount',
] as const;

export function validateDaemonSetStatusUpdate({ metadata, status }: DaemonSet, old: DaemonSet, errors: FieldErrors): void {
  validateObjectMetaUpdate(metadata, old.metadata, errors);
  validateCounters(status, counters, 'status', errors);
  validateNotDecremented(status.collisionCount, old.status.collisionCount, 'status.collisionCount', errors);
}
