// How disruption budgets are written, judged and shown.
import type { FieldErrors } from '#api/field-error.ts';
import type { PodDisruptionBudget, PodDisruptionBudgetSpec } from '#kinds/policy/v1/pod-disruption-budget.ts';
import { ageColumn, nameColumn } from '#kinds/rules/cells.ts';
import { validateConditions } from '#kinds/rules/conditions.ts';
import { countGeneration, startGeneration } from '#kinds/rules/generation.ts';
import { hasInvalidLabelValue, shownSelector, validateLabelSelector } from '#kinds/rules/label-selectors.ts';
import { statusStrategy } from '#kinds/rules/status-updates.ts';
import { validateAtMostAllPercent, validateCountOrPercent, validateCounters } from '#kinds/rules/values.ts';
import type { Column } from '#resource/column.ts';
import type { Strategy } from '#resource/strategy.ts';

export const disruptionBudgetStrategy: Strategy<PodDisruptionBudget> = {
  allowUnconditionalUpdate: false,
  prepareForCreate(budget) {
    budget.status = { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 };
    startGeneration(budget.metadata);
  },
  validate: ({ spec }, errors) => validateSpec(spec, errors, false),
  prepareForUpdate(budget, old) {
    budget.status = old.status;
    countGeneration(budget.metadata, old.metadata, budget.spec, old.spec);
  },
  validateUpdate: ({ spec }, old, errors) => validateSpec(spec, errors, hasInvalidLabelValue(old.spec.selector)),
  subresources: {
    status: statusStrategy({
      validateUpdate({ status }, _old, errors) {
        validateConditions(status.conditions, 'status.conditions', errors);
        validateCounters(status, ['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods'], 'status', errors);
      },
    }),
  },
};

function validateSpec(spec: PodDisruptionBudgetSpec, errors: FieldErrors, anyValue: boolean): void {
  const { minAvailable, maxUnavailable, selector, unhealthyPodEvictionPolicy: policy } = spec;
  if (minAvailable !== undefined && maxUnavailable !== undefined) {
    errors.invalid('spec', internalForm(spec), 'minAvailable and maxUnavailable cannot be both set');
  }
  validateAmount(minAvailable, 'spec.minAvailable', errors);
  validateAmount(maxUnavailable, 'spec.maxUnavailable', errors);
  validateLabelSelector(selector, 'spec.selector', errors, { anyValue });
  const policies = ['AlwaysAllow', 'IfHealthyBudget'];
  if (policy !== undefined && !policies.includes(policy)) errors.notSupported('spec.unhealthyPodEvictionPolicy', policy, policies);
}

function validateAmount(amount: number | string | undefined, path: string, errors: FieldErrors): void {
  if (amount === undefined) return;
  validateCountOrPercent(amount, path, errors);
  validateAtMostAllPercent(amount, path, errors);
}

function internalForm({ minAvailable, selector, maxUnavailable, unhealthyPodEvictionPolicy }: PodDisruptionBudgetSpec): object {
  return {
    MinAvailable: minAvailable ?? null,
    Selector: shownSelector(selector),
    MaxUnavailable: maxUnavailable ?? null,
    UnhealthyPodEvictionPolicy: unhealthyPodEvictionPolicy ?? null,
  };
}

export const disruptionBudgetColumns: readonly Column<PodDisruptionBudget>[] = [
  nameColumn(),
  { name: 'Min Available', type: 'string', read: ({ spec }) => amountCell(spec.minAvailable) },
  { name: 'Max Unavailable', type: 'string', read: ({ spec }) => amountCell(spec.maxUnavailable) },
  { name: 'Allowed Disruptions', type: 'integer', read: ({ status }) => status.disruptionsAllowed ?? 0 },
  ageColumn(),
];

function amountCell(amount: number | string | undefined): string {
  return amount === undefined ? 'N/A' : String(amount);
}
