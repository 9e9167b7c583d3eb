import { RuleWithOperations } from '#kinds/admissionregistration/v1/rule-with-operations.ts';
import { LabelSelector } from '#kinds/meta/v1/label-selector.ts';
import { type Infer, inline, list, optional, pointer, ref, string, struct } from '#schema/build.ts';

export const MatchResources = struct(
  'io.k8s.api.admissionregistration.v1alpha1.MatchResources',
  () => ({
    namespaceSelector: pointer(1, ref<LabelSelector>(LabelSelector)),
    objectSelector: pointer(2, ref<LabelSelector>(LabelSelector)),
    resourceRules: optional(3, list(ref<NamedRuleWithOperations>(NamedRuleWithOperations)), { merge: 'atomic' }),
    excludeResourceRules: optional(4, list(ref<NamedRuleWithOperations>(NamedRuleWithOperations)), { merge: 'atomic' }),
    matchPolicy: pointer(7, string, { enum: ['Equivalent', 'Exact'], goType: 'v1alpha1.MatchPolicyType' }),
  }),
  { atomic: true },
);
export interface MatchResources extends Infer<typeof MatchResources> {}

export const NamedRuleWithOperations = struct(
  'io.k8s.api.admissionregistration.v1alpha1.NamedRuleWithOperations',
  () => ({
    resourceNames: optional(1, list(string), { merge: 'atomic' }),
    ...inline(2, 'ruleWithOperations', RuleWithOperations),
  }),
  { atomic: true },
);
export interface NamedRuleWithOperations extends Infer<typeof NamedRuleWithOperations> {}
