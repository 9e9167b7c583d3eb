// Namespaces use no more than their quotas allow.
import type { AdmissionPlugin } from '#admission/admission.ts';
import { evaluatorOf } from '#admission/quota/evaluators.ts';
import type { QuotaEvaluator } from '#admission/quota/evaluator.ts';
import type { QuotaLedger } from '#admission/quota/ledger.ts';
import type { ResourceDefinition } from '#resource/definition.ts';

export function resourceQuota(ledger: QuotaLedger): AdmissionPlugin {
  const evaluators = new WeakMap<ResourceDefinition, { readonly evaluator: QuotaEvaluator | undefined }>();
  const evaluatorFor = (definition: ResourceDefinition) => {
    const known = evaluators.get(definition);
    if (known) return known.evaluator;
    const evaluator = evaluatorOf({ group: definition.group, resource: definition.plural });
    evaluators.set(definition, { evaluator });
    return evaluator;
  };
  return {
    name: 'ResourceQuota',
    validate(request) {
      const { namespace, operation, object, definition } = request;
      if (namespace === '' || object === undefined || (operation !== 'CREATE' && operation !== 'UPDATE')) return undefined;
      const evaluator = evaluatorFor(definition);
      return evaluator?.handles(request) ? ledger.charge(request, evaluator) : undefined;
    },
  };
}
