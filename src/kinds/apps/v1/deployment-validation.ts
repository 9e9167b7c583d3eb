import type { FieldErrors } from '#api/field-error.ts';
import { nameIsSubdomain } from '#base/formats.ts';
import type { Deployment, DeploymentSpec, DeploymentStatus, DeploymentStrategy, RollingUpdateDeployment } from '#kinds/apps/v1/deployment.ts';
import { validateReplicaTemplate } from '#kinds/apps/v1/replica-set-validation.ts';
import type { PodRules } from '#kinds/core/v1/pod/pod-rules.ts';
import { rulesForTemplate } from '#kinds/core/v1/pod/rules-for-pod.ts';
import { validateObjectMeta, validateObjectMetaUpdate } from '#kinds/rules/object-meta.ts';
import { shownSelector } from '#kinds/rules/label-selectors.ts';
import { semanticEqual } from '#kinds/rules/semantic-equal.ts';
import {
  countOrPercentValue,
  validateAtMost,
  validateAtMostAllPercent,
  validateCounters,
  validateCountOrPercent,
  validateNotDecremented,
} from '#kinds/rules/values.ts';
import { validateNonNegative } from '#resource/metadata-rules.ts';
import type { StrategyContext } from '#resource/strategy.ts';

export function validateDeployment({ metadata, spec }: Deployment, errors: FieldErrors, context: StrategyContext): void {
  validateObjectMeta(metadata, true, nameIsSubdomain, errors);
  validateDeploymentSpec(spec, errors, rulesForTemplate(context));
}

export function validateDeploymentUpdate({ metadata, spec }: Deployment, old: Deployment, errors: FieldErrors, context: StrategyContext): void {
  validateObjectMetaUpdate(metadata, old.metadata, errors);
  validateDeploymentSpec(spec, errors, rulesForTemplate(context, old.spec.template));
  if (!semanticEqual(spec.selector, old.spec.selector)) errors.invalid('spec.selector', shownSelector(spec.selector), 'field is immutable');
}

function validateDeploymentSpec(spec: DeploymentSpec, errors: FieldErrors, rules: PodRules): void {
  validateNonNegative(spec.replicas, 'spec.replicas', errors);
  validateReplicaTemplate(spec, errors, rules);
  validateDeploymentStrategy(spec.strategy, 'spec.strategy', errors);
  validateNonNegative(spec.minReadySeconds, 'spec.minReadySeconds', errors);
  validateNonNegative(spec.revisionHistoryLimit, 'spec.revisionHistoryLimit', errors);
  const deadline = spec.progressDeadlineSeconds;
  if (deadline === undefined) return;
  validateNonNegative(deadline, 'spec.progressDeadlineSeconds', errors);
  if (deadline <= (spec.minReadySeconds ?? 0)) errors.invalid('spec.progressDeadlineSeconds', deadline, 'must be greater than minReadySeconds');
}

function validateDeploymentStrategy(strategy: DeploymentStrategy, path: string, errors: FieldErrors): void {
  const { type, rollingUpdate } = strategy;
  if (type === 'Recreate') {
    if (rollingUpdate !== undefined) errors.forbidden(`${path}.rollingUpdate`, "may not be specified when strategy `type` is 'Recreate'");
  } else if (type !== 'RollingUpdate') {
    errors.notSupported(path, shownStrategy(strategy), ['Recreate', 'RollingUpdate']);
  } else if (rollingUpdate === undefined) {
    errors.required(`${path}.rollingUpdate`, 'this should be defaulted and never be nil');
  } else {
    validateRollingUpdate(rollingUpdate, `${path}.rollingUpdate`, errors);
  }
}

function shownStrategy({ type = '', rollingUpdate }: DeploymentStrategy): object {
  const { maxUnavailable = 0, maxSurge = 0 } = rollingUpdate ?? {};
  return { Type: type, RollingUpdate: rollingUpdate === undefined ? null : { MaxUnavailable: maxUnavailable, MaxSurge: maxSurge } };
}

function validateRollingUpdate({ maxUnavailable = 0, maxSurge = 0 }: RollingUpdateDeployment, path: string, errors: FieldErrors): void {
  validateCountOrPercent(maxUnavailable, `${path}.maxUnavailable`, errors);
  validateCountOrPercent(maxSurge, `${path}.maxSurge`, errors);
  if (countOrPercentValue(maxUnavailable) === 0 && countOrPercentValue(maxSurge) === 0) {
    errors.invalid(`${path}.maxUnavailable`, maxUnavailable, 'may not be 0 when `maxSurge` is 0');
  }
  validateAtMostAllPercent(maxUnavailable, `${path}.maxUnavailable`, errors);
}

const counters = [
  'observedGeneration',
  'replicas',
  'updatedReplicas',
  'readyReplicas',
  'availableReplicas',
  'unavailableReplicas',
  'terminatingReplicas',
  'collisionCount',
] as const;

export function validateDeploymentStatusUpdate({ metadata, status }: Deployment, old: Deployment, errors: FieldErrors): void {
  validateObjectMetaUpdate(metadata, old.metadata, errors);
  validateDeploymentStatus(status, errors);
  validateNotDecremented(status.collisionCount, old.status.collisionCount, 'status.collisionCount', errors);
}

function validateDeploymentStatus(status: DeploymentStatus, errors: FieldErrors): void {
  validateCounters(status, counters, 'status', errors);
  for (const field of ['updatedReplicas', 'readyReplicas', 'availableReplicas'] as const) {
    validateAtMost(status[field], status.replicas, `status.${field}`, errors, 'cannot be greater than status.replicas');
  }
  validateAtMost(status.availableReplicas, status.readyReplicas, 'status.availableReplicas', errors, 'cannot be greater than readyReplicas');
}
