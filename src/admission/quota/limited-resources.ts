// What may only be used where a quota covers it: the operator's configuration of ResourceQuota.
import type { AdmissionRequest } from '#admission/admission.ts';
import type { QuotaEvaluator, ScopeRequirement } from '#admission/quota/evaluator.ts';
import type { QuotaAccount } from '#admission/quota/quota-account.ts';
import type { Amounts } from '#admission/resource-list.ts';
import { refusal } from '#admission/request-subject.ts';
import { unclassified } from '#api/api-error.ts';
import type { KubernetesObject } from '#api/object.ts';
import { signOfQuantity } from '#base/quantity.ts';

export interface LimitedResource {
  readonly apiGroup: string;
  readonly resource: string;
  /** Parts of the names of limits. */
  readonly matchContains: readonly string[];
  readonly matchScopes: readonly ScopeRequirement[];
}

export interface Coverage {
  readonly request: AdmissionRequest;
  readonly evaluator: QuotaEvaluator;
  readonly usage: Amounts;
  /** All quotas of the namespace, and those that concern the object. */
  readonly accounts: readonly QuotaAccount[];
  readonly concerned: readonly QuotaAccount[];
}

export function refuseUncovered(limited: readonly LimitedResource[], coverage: Coverage): void {
  const { request, evaluator, concerned } = coverage;
  const covered = new Set(concerned.flatMap((account) => account.limitsFor(evaluator)));
  const uncovered = limitedNames(limited, coverage).filter((name) => !covered.has(name));
  if (uncovered.length > 0) throw refusal(request, `insufficient quota to consume: ${uncovered.join(',')}`);
  const scopes = uncoveredScopes(limited, coverage);
  // Go's way to print a list of structs is what the original answers with.
  if (scopes.length > 0) throw unclassified(`insufficient quota to match these scopes: [${scopes.map(goText).join(' ')}]`);
}

function limitedNames(limited: readonly LimitedResource[], { evaluator: { resource }, usage }: Coverage): readonly string[] {
  const rules = limited.filter((rule) => rule.resource === resource.resource && rule.apiGroup === resource.group);
  const parts = rules.flatMap(({ matchContains }) => matchContains);
  const used = [...usage].filter(([, amount]) => signOfQuantity(amount) > 0).map(([name]) => name);
  return used.filter((name) => parts.some((part) => name.includes(part))).toSorted();
}

/** Whatever resource a rule names, its scopes hold for every object that can be in them. */
function uncoveredScopes(limited: readonly LimitedResource[], { request, evaluator, accounts }: Coverage): readonly ScopeRequirement[] {
  const object = request.object as KubernetesObject;
  const matching = (scopes: readonly ScopeRequirement[]) => scopes.filter((scope) => evaluator.isInScope?.(scope, object, request) === true);
  const covered = new Set(accounts.flatMap(({ scopes }) => matching(scopes)).map(({ scopeName }) => scopeName));
  return limited.flatMap(({ matchScopes }) => matching(matchScopes)).filter(({ scopeName }) => !covered.has(scopeName));
}

function goText({ scopeName, operator, values = [] }: ScopeRequirement): string {
  return `{${scopeName} ${operator} [${values.join(' ')}]}`;
}
