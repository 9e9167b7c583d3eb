// Namespaces use no more than their quotas allow.
import type { AdmissionPlugin } from '#admission/admission.ts';
import type { ChargeRules } from '#admission/quota/charge.ts';
import { evaluatorOf } from '#admission/quota/evaluators.ts';
import type { QuotaLedger } from '#admission/quota/ledger.ts';
import type { LimitedResource } from '#admission/quota/limited-resources.ts';
import type { ResourceDefinition } from '#resource/definition.ts';

/** `limited` may only be used where a quota covers it. */
export function resourceQuota(ledger: QuotaLedger, limited: readonly LimitedResource[] = []): AdmissionPlugin {
  const rulesOf = rememberedRules(limited);
  return {
    name: 'ResourceQuota',
    validate(request) {
      const { namespace, operation, object, definition } = request;
      if (namespace === '' || object === undefined || (operation !== 'CREATE' && operation !== 'UPDATE')) return undefined;
      const rules = rulesOf(definition);
      return rules !== 'never counted' && rules.evaluator.handles(request) ? ledger.charge(request, rules) : undefined;
    },
  };
}

function rememberedRules(limited: readonly LimitedResource[]): (definition: ResourceDefinition) => ChargeRules | 'never counted' {
  const remembered = new WeakMap<ResourceDefinition, ChargeRules | 'never counted'>();
  return (definition) => {
    const known = remembered.get(definition);
    if (known) return known;
    const evaluator = evaluatorOf({ group: definition.group, resource: definition.plural });
    const rules = evaluator ? { evaluator, limited } : 'never counted';
    remembered.set(definition, rules);
    return rules;
  };
}
