import {
  MutatingWebhook,
  MutatingWebhookConfiguration,
  MutatingWebhookConfigurationList,
} from '#kinds/admissionregistration/v1/mutating-webhook-configuration.ts';
import { mutatingWebhooksStrategy, webhooksColumns } from '#kinds/admissionregistration/v1/webhook-configuration-strategy.ts';
import { defaultMutatingWebhook, defaultRule, defaultServiceReference } from '#kinds/admissionregistration/v1/admission-defaults.ts';
import { RuleWithOperations } from '#kinds/admissionregistration/v1/rule-with-operations.ts';
import { ServiceReference } from '#kinds/admissionregistration/v1/webhook-client-config.ts';
import { defineResource } from '#resource/definition.ts';
import { defaultsOf } from '#schema/defaults.ts';

export const mutatingwebhookconfigurations = defineResource<MutatingWebhookConfiguration>({
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  kind: 'MutatingWebhookConfiguration',
  plural: 'mutatingwebhookconfigurations',
  singular: 'mutatingwebhookconfiguration',
  namespaced: false,
  strategy: mutatingWebhooksStrategy,
  columns: webhooksColumns,
  schema: MutatingWebhookConfiguration,
  defaults: [
    defaultsOf(MutatingWebhook, defaultMutatingWebhook),
    defaultsOf(RuleWithOperations, defaultRule),
    defaultsOf(ServiceReference, defaultServiceReference),
  ],
  list: MutatingWebhookConfigurationList,
  categories: ['api-extensions'],
  storage: { version: 'v1', prefix: 'mutatingwebhookconfigurations', hash: 'Sqi0GUgDaX0=' },
  lifecycle: { introduced: '1.16' },
});
