// The rules of topology spread constraints.
import { FieldErrors } from '#api/field-error.ts';
import { repeatedAt } from '#base/repeated.ts';
import { validateLabelKeys } from '#kinds/core/v1/container/affinity-validation.ts';
import type { PodRules } from '#kinds/core/v1/pod/pod-rules.ts';
import type { TopologySpreadConstraint } from '#kinds/core/v1/container/topology-spread-constraint.ts';
import { validateLabelSelector } from '#kinds/rules/label-selectors.ts';
import { validatePositive } from '#kinds/rules/values.ts';
import { validateLabelKey } from '#resource/metadata-rules.ts';

export function validateTopologySpread(constraints: readonly TopologySpreadConstraint[] | undefined, path: string, errors: FieldErrors, rules: PodRules): void {
  if (constraints === undefined) return;
  const pairs = constraints.map(({ topologyKey, whenUnsatisfiable }) => `{${topologyKey}, ${whenUnsatisfiable}}`);
  const repeatedLater = repeatedAt(pairs.toReversed()).toReversed();
  constraints.forEach((constraint, index) => {
    const at = `${path}[${index}]`;
    validateConstraint(constraint, at, errors, rules);
    if (repeatedLater[index]) errors.duplicate(`${at}.{topologyKey, whenUnsatisfiable}`, pairs[index]);
  });
}

function validateConstraint(constraint: TopologySpreadConstraint, path: string, errors: FieldErrors, rules: PodRules): void {
  const { topologyKey, whenUnsatisfiable: action, minDomains } = constraint;
  validatePositive(constraint.maxSkew, `${path}.maxSkew`, errors);
  if (topologyKey === '') errors.required(`${path}.topologyKey`, 'can not be empty');
  const actions = ['DoNotSchedule', 'ScheduleAnyway'];
  if (!actions.includes(action)) errors.notSupported(`${path}.whenUnsatisfiable`, action, actions);
  if (minDomains !== undefined) validatePositive(minDomains, `${path}.minDomains`, errors);
  if (minDomains !== undefined && action !== 'DoNotSchedule') {
    errors.invalid(`${path}.minDomains`, minDomains, `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${action}`);
  }
  validateNodePolicy(constraint.nodeAffinityPolicy, `${path}.nodeAffinityPolicy`, errors);
  validateNodePolicy(constraint.nodeTaintsPolicy, `${path}.nodeTaintsPolicy`, errors);
  if (mergesKeys(rules)) validateLabelKeys(constraint, path, errors);
  else validatePlainKeys(constraint, `${path}.matchLabelKeys`, errors);
  if (!rules.anySpreadSelector) validateLabelSelector(constraint.labelSelector, `${path}.labelSelector`, errors);
}

function validateNodePolicy(policy: string | undefined, path: string, errors: FieldErrors): void {
  if (policy !== undefined && policy !== 'Honor' && policy !== 'Ignore') errors.notSupported(path, policy, ['Honor', 'Ignore']);
}

/** A stored constraint that breaks the rules of today is held to those of the other mode. */
function mergesKeys({ matchLabelKeys, anyMatchLabelKeys }: PodRules): boolean {
  if (matchLabelKeys === 'off') return false;
  return (matchLabelKeys === 'merged') !== anyMatchLabelKeys;
}

function validatePlainKeys({ matchLabelKeys = [], labelSelector }: TopologySpreadConstraint, path: string, errors: FieldErrors): void {
  if (matchLabelKeys.length === 0) return;
  if (labelSelector === undefined) errors.forbidden(path, 'must not be specified when labelSelector is not set');
  const selected = new Set(Object.keys(labelSelector?.matchLabels ?? {}));
  for (const { key } of labelSelector?.matchExpressions ?? []) selected.add(key);
  matchLabelKeys.forEach((key, index) => {
    validateLabelKey(key, `${path}[${index}]`, errors);
    if (selected.has(key)) errors.invalid(`${path}[${index}]`, key, 'exists in both matchLabelKeys and labelSelector');
  });
}

export function violatesMatchLabelKeys(constraints: readonly TopologySpreadConstraint[] | undefined, mode: 'plain' | 'merged'): boolean {
  const errors = new FieldErrors();
  for (const constraint of constraints ?? []) {
    if (mode === 'merged') validateLabelKeys(constraint, '', errors);
    else validatePlainKeys(constraint, '', errors);
  }
  return !errors.empty;
}
