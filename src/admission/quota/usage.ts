// What a namespace uses of what a quota limits, counted from what is stored.
import type { EvaluationFacts, QuotaEvaluator } from '#admission/quota/evaluator.ts';
import { evaluatorsFor } from '#admission/quota/evaluators.ts';
import { isInScopes, scopesOf, type StoredQuota } from '#admission/quota/quota-account.ts';
import { type Amounts, addTo } from '#admission/resource-list.ts';
import { nextTurn } from '#base/next-turn.ts';
import type { GroupResource } from '#api/names.ts';
import type { KubernetesObject } from '#api/object.ts';
import { quantityOf } from '#base/quantity.ts';
import { repeatedAt } from '#base/repeated.ts';

const objectsPerTurn = 200;

/** Undefined for a resource that is not served. */
export type ListObjects = (resource: GroupResource) => Promise<readonly KubernetesObject[] | undefined>;

/** The resources that a quota must be counted anew for. */
export function resourcesOf({ spec }: StoredQuota): readonly GroupResource[] {
  return evaluatorsOf(spec.hard).map(({ resource }) => resource);
}

export async function usageOf(quota: StoredQuota, list: ListObjects, facts: EvaluationFacts): Promise<Amounts> {
  const hard = quota.spec.hard ?? {};
  const scopes = scopesOf(quota);
  const used: Amounts = new Map();
  for (const evaluator of evaluatorsOf(hard)) {
    const objects = await list(evaluator.resource);
    if (objects === undefined) continue;
    const limits = Object.keys(hard).filter(evaluator.covers);
    addTo(used, new Map(limits.map((name) => [name, quantityOf(0)])));
    for (const [index, object] of objects.entries()) {
      if (index > 0 && index % objectsPerTurn === 0) await nextTurn();
      if (isInScopes(scopes, evaluator, object, facts)) addTo(used, only(evaluator.usage(object, facts), limits));
    }
  }
  return used;
}

function evaluatorsOf(hard: object | undefined): readonly QuotaEvaluator[] {
  const all = Object.keys(hard ?? {}).flatMap(evaluatorsFor);
  const repeated = repeatedAt(all.map(({ resource }) => `${resource.resource}.${resource.group}`));
  return all.filter((_, index) => !repeated[index]);
}

function only(usage: Amounts, limits: readonly string[]): Amounts {
  return new Map(limits.flatMap((name) => (usage.has(name) ? [[name, usage.get(name) as NonNullable<ReturnType<Amounts['get']>>] as const] : [])));
}
