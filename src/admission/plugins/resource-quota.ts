// Namespaces use no more than their quotas allow.
import type { AdmissionPlugin, AdmissionRequest } from '#admission/admission.ts';
import { evaluatorOf } from '#admission/quota/evaluators.ts';
import type { QuotaEvaluator } from '#admission/quota/evaluator.ts';
import type { QuotaLedger } from '#admission/quota/ledger.ts';
import { coversAny, type StoredQuota } from '#admission/quota/quota-state.ts';
import { resourceOf } from '#admission/request-subject.ts';

const resourceQuotas = { group: '', resource: 'resourcequotas' };

export function resourceQuota(ledger: QuotaLedger): AdmissionPlugin {
  return {
    name: 'ResourceQuota',
    validate(request) {
      const { namespace, operation, object } = request;
      if (namespace === '' || object === undefined || (operation !== 'CREATE' && operation !== 'UPDATE')) return undefined;
      const evaluator = evaluatorOf(resourceOf(request));
      return evaluator?.handles(request) ? chargeIfLimited(request, evaluator, ledger) : undefined;
    },
  };
}

/** Most requests are of no interest to any quota; they do not wait for those that are. */
async function chargeIfLimited(request: AdmissionRequest, evaluator: QuotaEvaluator, ledger: QuotaLedger): Promise<void> {
  const quotas = await request.lister.list<StoredQuota>(resourceQuotas, request.namespace);
  if (quotas.some((quota) => coversAny(quota, evaluator))) await ledger.charge(request, evaluator);
}
