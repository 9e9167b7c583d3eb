// The rules of autoscalers: bounds, target and behaviour. Metrics have a file of their own.
import type { FieldErrors } from '#api/field-error.ts';
import { nameIsSubdomain } from '#base/formats.ts';
import type { HorizontalPodAutoscaler, HPAScalingPolicy, HPAScalingRules } from '#kinds/autoscaling/v2/horizontal-pod-autoscaler.ts';
import { apiVersionProblem, validateMetrics, validateObjectReference } from '#kinds/autoscaling/v2/metric-validation.ts';
import { validateObjectMeta, validateObjectMetaUpdate } from '#kinds/rules/object-meta.ts';
import { validateNonNegativeQuantity } from '#kinds/rules/quantities.ts';
import { validateCounters, validatePositive } from '#kinds/rules/values.ts';
import type { StrategyContext } from '#resource/strategy.ts';

export function validateAutoscaler(autoscaler: HorizontalPodAutoscaler, errors: FieldErrors, context: StrategyContext): void {
  validateObjectMeta(autoscaler.metadata, true, nameIsSubdomain, errors);
  validateSpec(autoscaler, undefined, errors, context);
}

export function validateAutoscalerUpdate(
  autoscaler: HorizontalPodAutoscaler,
  old: HorizontalPodAutoscaler,
  errors: FieldErrors,
  context: StrategyContext,
): void {
  validateObjectMetaUpdate(autoscaler.metadata, old.metadata, errors);
  validateSpec(autoscaler, old, errors, context);
}

export function validateAutoscalerStatusUpdate({ metadata, status }: HorizontalPodAutoscaler, old: HorizontalPodAutoscaler, errors: FieldErrors): void {
  validateObjectMetaUpdate(metadata, old.metadata, errors);
  validateCounters(status, ['currentReplicas', 'desiredReplicas'], 'status', errors);
}

function validateSpec({ spec }: HorizontalPodAutoscaler, old: HorizontalPodAutoscaler | undefined, errors: FieldErrors, { gate }: StrategyContext): void {
  const { minReplicas, maxReplicas, behavior } = spec;
  const lowest = gate('HPAScaleToZero') || old?.spec.minReplicas === 0 ? 0 : 1;
  if (minReplicas !== undefined && minReplicas < lowest) {
    errors.invalid('spec.minReplicas', minReplicas, `must be greater than or equal to ${lowest}`);
  }
  if (maxReplicas === 0) errors.required('spec.maxReplicas', 'must be set and greater than 0');
  else if (maxReplicas < 0) errors.invalid('spec.maxReplicas', maxReplicas, 'must be greater than or equal to 1');
  if (minReplicas !== undefined && maxReplicas < minReplicas) {
    errors.invalid('spec.maxReplicas', maxReplicas, 'must be greater than or equal to `minReplicas`');
  }
  validateTarget(spec.scaleTargetRef, old?.spec.scaleTargetRef, errors);
  validateMetrics(spec.metrics ?? [], minReplicas, 'spec.metrics', errors, hasBadMetricVersion(old));
  validateScalingRules(behavior?.scaleUp, 'spec.behavior.scaleUp', errors);
  validateScalingRules(behavior?.scaleDown, 'spec.behavior.scaleDown', errors);
}

type Target = HorizontalPodAutoscaler['spec']['scaleTargetRef'];

function validateTarget(target: Target, old: Target | undefined, errors: FieldErrors): void {
  const unchanged = old !== undefined && old.apiVersion === target.apiVersion && old.kind === target.kind;
  validateObjectReference(target, 'spec.scaleTargetRef', errors, {
    anyVersion: unchanged,
    // The only kind of the core group that scales.
    coreGroup: target.kind === 'ReplicationController',
  });
}

/** Stored with a bad apiVersion already: then updates need not mend it. */
function hasBadMetricVersion(old: HorizontalPodAutoscaler | undefined): boolean {
  const described = (old?.spec.metrics ?? []).flatMap(({ type, object }) => (type === 'Object' && object ? [object.describedObject] : []));
  return described.some(({ apiVersion = '' }) => apiVersionProblem(apiVersion, true) !== undefined);
}

function validateScalingRules(rules: HPAScalingRules | undefined, path: string, errors: FieldErrors): void {
  if (rules === undefined) return;
  const { stabilizationWindowSeconds: window, selectPolicy, policies = [], tolerance } = rules;
  if (window !== undefined && window < 0) errors.invalid(`${path}.stabilizationWindowSeconds`, window, 'must be greater than or equal to zero');
  if (window !== undefined && window > 3600) errors.invalid(`${path}.stabilizationWindowSeconds`, window, 'must be less than or equal to 3600');
  const selects = ['Disabled', 'Max', 'Min'];
  if (selectPolicy !== undefined && !selects.includes(selectPolicy)) errors.notSupported(`${path}.selectPolicy`, selectPolicy, selects);
  if (policies.length === 0) errors.required(`${path}.policies`, 'must specify at least one Policy');
  policies.forEach((policy, index) => validateScalingPolicy(policy, `${path}.policies[${index}]`, errors));
  if (tolerance !== undefined) validateNonNegativeQuantity(tolerance, `${path}.tolerance`, errors);
}

function validateScalingPolicy({ type, value, periodSeconds }: HPAScalingPolicy, path: string, errors: FieldErrors): void {
  const types = ['Percent', 'Pods'];
  if (!types.includes(type)) errors.notSupported(`${path}.type`, type, types);
  validatePositive(value, `${path}.value`, errors);
  validatePositive(periodSeconds, `${path}.periodSeconds`, errors);
  if (periodSeconds > 1800) errors.invalid(`${path}.periodSeconds`, periodSeconds, 'must be less than or equal to 1800');
}
