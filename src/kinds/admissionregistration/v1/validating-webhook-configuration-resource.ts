import {
  ValidatingWebhook,
  ValidatingWebhookConfiguration,
  ValidatingWebhookConfigurationList,
} from '#kinds/admissionregistration/v1/validating-webhook-configuration.ts';
import { validatingWebhooksStrategy, webhooksColumns } from '#kinds/admissionregistration/v1/webhook-configuration-strategy.ts';
import { defaultRule, defaultServiceReference, defaultValidatingWebhook } from '#kinds/admissionregistration/v1/admission-defaults.ts';
import { RuleWithOperations } from '#kinds/admissionregistration/v1/rule-with-operations.ts';
import { ServiceReference } from '#kinds/admissionregistration/v1/webhook-client-config.ts';
import { defineResource } from '#resource/definition.ts';
import { defaultsOf } from '#schema/defaults.ts';

export const validatingwebhookconfigurations = defineResource<ValidatingWebhookConfiguration>({
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  kind: 'ValidatingWebhookConfiguration',
  plural: 'validatingwebhookconfigurations',
  singular: 'validatingwebhookconfiguration',
  namespaced: false,
  strategy: validatingWebhooksStrategy,
  columns: webhooksColumns,
  schema: ValidatingWebhookConfiguration,
  defaults: [
    defaultsOf(ValidatingWebhook, defaultValidatingWebhook),
    defaultsOf(RuleWithOperations, defaultRule),
    defaultsOf(ServiceReference, defaultServiceReference),
  ],
  list: ValidatingWebhookConfigurationList,
  categories: ['api-extensions'],
  storage: { version: 'v1', prefix: 'validatingwebhookconfigurations', hash: 'B0wHjQmsGNk=' },
  lifecycle: { introduced: '1.16' },
});
