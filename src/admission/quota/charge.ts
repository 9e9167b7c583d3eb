// What a request adds to which quotas, or why it may not.
import type { AdmissionRequest } from '#admission/admission.ts';
import type { QuotaEvaluator } from '#admission/quota/evaluator.ts';
import { coversAny, isScopedTo, type QuotaState } from '#admission/quota/quota-state.ts';
import { type Amounts, addTo, growth } from '#admission/resource-list.ts';
import { refusal } from '#admission/request-subject.ts';
import { compareQuantities, formatQuantity, type Quantity, signOfQuantity } from '#api/quantity.ts';
import type { KubernetesObject } from '#api/object.ts';

/** By the name of the quota. */
export type Charge = ReadonlyMap<string, Amounts>;

/** Throws the refusal; changes nothing. */
export function chargeOf(request: AdmissionRequest, evaluator: QuotaEvaluator, quotas: readonly QuotaState[]): Charge {
  const object = request.object as KubernetesObject;
  const concerned = quotas.filter((quota) => coversAny(quota.stored, evaluator) && isScopedTo(quota.stored, evaluator, object, request));
  for (const quota of concerned) refuseUnlessCountable(request, evaluator, quota);
  const usage = evaluator.usage(object, request);
  const negative = [...usage].filter(([, amount]) => signOfQuantity(amount) < 0).map(([name]) => name);
  if (negative.length > 0) throw refusal(request, `quota usage is negative for resource(s): ${negative.toSorted().join(',')}`);
  const charge = new Map<string, Amounts>();
  for (const quota of concerned) {
    const added = addedTo(quota, request, evaluator, usage);
    if (added.size === 0) continue;
    if (request.subresource !== 'status') refuseExcess(request, quota, added);
    charge.set(quota.stored.metadata.name ?? '', added);
  }
  return charge;
}

function refuseUnlessCountable(request: AdmissionRequest, evaluator: QuotaEvaluator, { stored, hard, used }: QuotaState): void {
  const { name } = stored.metadata;
  const limits = [...hard.keys()].filter(evaluator.covers).toSorted();
  const lacking = evaluator.lacks?.(request.object as KubernetesObject, limits, request);
  if (lacking !== undefined) throw refusal(request, `failed quota: ${name}: ${lacking}`);
  if (limits.some((limit) => !used.has(limit))) throw refusal(request, `status unknown for quota: ${name}, resources: ${limits.join(',')}`);
}

/** Of an update only what it adds, unless the object was not counted there before. */
function addedTo({ stored, hard }: QuotaState, request: AdmissionRequest, evaluator: QuotaEvaluator, usage: Amounts): Amounts {
  const { old } = request;
  const countedBefore = request.operation === 'UPDATE' && old !== undefined && isScopedTo(stored, evaluator, old, request);
  const added = growth(usage, countedBefore ? evaluator.usage(old, request) : new Map());
  for (const name of added.keys()) if (!hard.has(name)) added.delete(name);
  return added;
}

function refuseExcess(request: AdmissionRequest, { stored, hard, used }: QuotaState, added: Amounts): void {
  const after: Amounts = new Map(used);
  addTo(after, added);
  const exceeded = [...added.keys()].filter((name) => compareQuantities(amountOf(after, name), amountOf(hard, name)) > 0).toSorted();
  if (exceeded.length === 0) return;
  const shown = (amounts: Amounts) => exceeded.map((name) => `${name}=${formatQuantity(amountOf(amounts, name))}`).join(',');
  throw refusal(request, `exceeded quota: ${stored.metadata.name}, requested: ${shown(added)}, used: ${shown(used)}, limited: ${shown(hard)}`);
}

function amountOf(amounts: Amounts, name: string): Quantity {
  return amounts.get(name) as Quantity;
}
