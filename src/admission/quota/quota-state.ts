// A quota while requests are charged against it.
import type { EvaluationFacts, QuotaEvaluator, ScopeRequirement } from '#admission/quota/evaluator.ts';
import { type Amounts, parseAmounts, type ResourceList } from '#admission/resource-list.ts';
import type { KubernetesObject } from '#api/object.ts';
import type { ResourceQuota } from '#kinds/core/v1/resource-quota.ts';

export type StoredQuota = ResourceQuota & KubernetesObject;

export interface QuotaState {
  readonly stored: StoredQuota;
  readonly hard: Amounts;
  used: Amounts;
}

export function stateOf(stored: StoredQuota): QuotaState {
  return { stored, hard: parseAmounts(stored.status?.hard as ResourceList), used: parseAmounts(stored.status?.used as ResourceList) };
}

export function scopesOf({ spec }: StoredQuota): readonly ScopeRequirement[] {
  const plain = (spec.scopes ?? []).map((scopeName) => ({ scopeName, operator: 'Exists' }));
  return [...plain, ...((spec.scopeSelector?.matchExpressions ?? []) as readonly ScopeRequirement[])];
}

export function coversAny({ status }: StoredQuota, evaluator: QuotaEvaluator): boolean {
  for (const limit in status?.hard) if (evaluator.covers(limit)) return true;
  return false;
}

export function isScopedTo(quota: StoredQuota, evaluator: QuotaEvaluator, object: KubernetesObject, facts: EvaluationFacts): boolean {
  return scopesOf(quota).every((scope) => evaluator.isInScope?.(scope, object, facts) === true);
}
