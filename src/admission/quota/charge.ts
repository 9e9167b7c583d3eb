// What a request adds to which quotas, or why it may not.
import type { AdmissionRequest } from '#admission/admission.ts';
import type { QuotaEvaluator } from '#admission/quota/evaluator.ts';
import { type LimitedResource, refuseUncovered } from '#admission/quota/limited-resources.ts';
import { isInScopes, type QuotaAccount } from '#admission/quota/quota-account.ts';
import { type Amounts, growth } from '#admission/resource-list.ts';
import { refusal } from '#admission/request-subject.ts';
import { addQuantities, compareQuantities, formatQuantity, type Quantity, quantityOf, signOfQuantity } from '#base/quantity.ts';
import type { KubernetesObject } from '#api/object.ts';

/** By the name of the quota. */
export type Charge = ReadonlyMap<string, Amounts>;

const nothing: Amounts = new Map();

export interface ChargeRules {
  readonly evaluator: QuotaEvaluator;
  readonly limited: readonly LimitedResource[];
}

/** Throws the refusal; changes nothing. */
export function chargeOf(request: AdmissionRequest, { evaluator, limited }: ChargeRules, accounts: readonly QuotaAccount[]): Charge {
  const object = request.object as KubernetesObject;
  const concerned = accounts.filter((account) => account.limitsFor(evaluator).length > 0 && isInScopes(account.scopes, evaluator, object, request));
  for (const account of concerned) refuseUnlessCountable(request, evaluator, account);
  const usage = evaluator.usage(object, request);
  refuseNegative(request, usage);
  if (limited.length > 0 && adds(request, evaluator, usage)) refuseUncovered(limited, { request, evaluator, usage, accounts, concerned });
  const charge = new Map<string, Amounts>();
  for (const account of concerned) {
    const added = addedTo(account, request, evaluator, usage);
    if (added.size === 0) continue;
    if (request.subresource !== 'status') refuseExcess(request, account, added);
    charge.set(account.name, added);
  }
  return charge;
}

/** An update that takes no more than before needs no quota. */
function adds(request: AdmissionRequest, evaluator: QuotaEvaluator, usage: Amounts): boolean {
  return growth(usage, request.old === undefined ? nothing : evaluator.usage(request.old, request)).size > 0;
}

function refuseUnlessCountable(request: AdmissionRequest, evaluator: QuotaEvaluator, account: QuotaAccount): void {
  const limits = account.limitsFor(evaluator);
  const lacking = evaluator.lacks?.(request.object as KubernetesObject, limits, request);
  if (lacking !== undefined) throw refusal(request, `failed quota: ${account.name}: ${lacking}`);
  if (limits.some((limit) => !account.used.has(limit))) throw refusal(request, `status unknown for quota: ${account.name}, resources: ${limits.join(',')}`);
}

function refuseNegative(request: AdmissionRequest, usage: Amounts): void {
  for (const amount of usage.values()) {
    if (signOfQuantity(amount) >= 0) continue;
    const negative = [...usage].filter(([, one]) => signOfQuantity(one) < 0).map(([name]) => name);
    throw refusal(request, `quota usage is negative for resource(s): ${negative.toSorted().join(',')}`);
  }
}

/** Of an update only what it adds, unless the object was not counted there before. */
function addedTo(account: QuotaAccount, request: AdmissionRequest, evaluator: QuotaEvaluator, usage: Amounts): Amounts {
  const { old } = request;
  const countedBefore = request.operation === 'UPDATE' && old !== undefined && isInScopes(account.scopes, evaluator, old, request);
  return growth(usage, countedBefore ? evaluator.usage(old, request) : nothing, account.limitsFor(evaluator));
}

function refuseExcess(request: AdmissionRequest, { name: quota, hard, used }: QuotaAccount, added: Amounts): void {
  const exceeds = (name: string) => compareQuantities(addQuantities(amountOf(used, name), amountOf(added, name)), amountOf(hard, name)) > 0;
  if (!anyOf(added.keys(), exceeds)) return;
  const exceeded = [...added.keys()].filter(exceeds).toSorted();
  const shown = (amounts: Amounts) => exceeded.map((name) => `${name}=${formatQuantity(amountOf(amounts, name))}`).join(',');
  throw refusal(request, `exceeded quota: ${quota}, requested: ${shown(added)}, used: ${shown(used)}, limited: ${shown(hard)}`);
}

function anyOf(names: Iterable<string>, test: (name: string) => boolean): boolean {
  for (const name of names) if (test(name)) return true;
  return false;
}

const zero = quantityOf(0);

function amountOf(amounts: Amounts, name: string): Quantity {
  return amounts.get(name) ?? zero;
}
