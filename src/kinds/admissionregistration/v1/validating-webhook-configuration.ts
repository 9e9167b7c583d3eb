import { MatchCondition } from '#kinds/admissionregistration/v1/match-condition.ts';
import { RuleWithOperations } from '#kinds/admissionregistration/v1/rule-with-operations.ts';
import { WebhookClientConfig } from '#kinds/admissionregistration/v1/webhook-client-config.ts';
import { LabelSelector } from '#kinds/meta/v1/label-selector.ts';
import { ListMeta } from '#kinds/meta/v1/list-meta.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { embedded, type Infer, int32, list, optional, pointer, ref, required, rootStruct, string, struct } from '#schema/build.ts';

export const ValidatingWebhookConfiguration = rootStruct(
  'io.k8s.api.admissionregistration.v1.ValidatingWebhookConfiguration',
  () => ({
    metadata: embedded(1, ref<ObjectMeta>(ObjectMeta)),
    webhooks: optional(2, list(ref<ValidatingWebhook>(ValidatingWebhook)), {
      merge: { keys: ['name'] },
      patch: { strategy: 'merge', key: 'name' },
      protoName: 'Webhooks',
    }),
  }),
  { gvks: [['admissionregistration.k8s.io', 'v1', 'ValidatingWebhookConfiguration']] },
);
export interface ValidatingWebhookConfiguration extends Infer<typeof ValidatingWebhookConfiguration> {}

export const ValidatingWebhookConfigurationList = rootStruct(
  'io.k8s.api.admissionregistration.v1.ValidatingWebhookConfigurationList',
  () => ({
    metadata: embedded(1, ref<ListMeta>(ListMeta)),
    items: required(2, list(ref<ValidatingWebhookConfiguration>(ValidatingWebhookConfiguration))),
  }),
  { gvks: [['admissionregistration.k8s.io', 'v1', 'ValidatingWebhookConfigurationList']] },
);
export interface ValidatingWebhookConfigurationList extends Infer<typeof ValidatingWebhookConfigurationList> {}

export const ValidatingWebhook = struct('io.k8s.api.admissionregistration.v1.ValidatingWebhook', () => ({
  name: required(1, string),
  clientConfig: required(2, ref<WebhookClientConfig>(WebhookClientConfig)),
  rules: optional(3, list(ref<RuleWithOperations>(RuleWithOperations)), { merge: 'atomic' }),
  failurePolicy: pointer(4, string, { enum: ['Fail', 'Ignore'], goType: 'v1.FailurePolicyType' }),
  matchPolicy: pointer(9, string, { enum: ['Equivalent', 'Exact'], goType: 'v1.MatchPolicyType' }),
  namespaceSelector: pointer(5, ref<LabelSelector>(LabelSelector)),
  objectSelector: pointer(10, ref<LabelSelector>(LabelSelector)),
  sideEffects: pointer(6, string, { written: 'always', mandatory: true, enum: ['None', 'NoneOnDryRun', 'Some', 'Unknown'], goType: 'v1.SideEffectClass' }),
  timeoutSeconds: pointer(7, int32),
  admissionReviewVersions: required(8, list(string), { merge: 'atomic' }),
  matchConditions: optional(11, list(ref<MatchCondition>(MatchCondition)), { merge: { keys: ['name'] }, patch: { strategy: 'merge', key: 'name' } }),
}));
export interface ValidatingWebhook extends Infer<typeof ValidatingWebhook> {}
