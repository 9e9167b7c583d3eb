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
    matches: ({ operation, definition }) => (operation === 'CREATE' || operation === 'UPDATE') && rulesOf(definition) !== undefined,
    validate(request) {
      const { namespace, object, definition } = request;
      const rules = namespace === '' || object === undefined ? undefined : rulesOf(definition);
      return rules?.evaluator.handles(request) ? ledger.charge(request, rules) : undefined;
    },
  };
}

/** Undefined for what never counts. */
function rememberedRules(limited: readonly LimitedResource[]): (definition: ResourceDefinition) => ChargeRules | undefined {
  const remembered = new WeakMap<ResourceDefinition, ChargeRules | undefined>();
  return (definition) => {
    if (remembered.has(definition)) return remembered.get(definition);
    const evaluator = evaluatorOf({ group: definition.group, resource: definition.plural });
    const rules = evaluator && { evaluator, limited };
    remembered.set(definition, rules);
    return rules;
  };
}
