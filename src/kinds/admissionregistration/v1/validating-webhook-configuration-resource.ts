import { ValidatingWebhookConfiguration, ValidatingWebhookConfigurationList } from '#kinds/admissionregistration/v1/validating-webhook-configuration.ts';
import { validatingWebhooksStrategy, webhooksColumns } from '#kinds/admissionregistration/v1/webhook-configuration-strategy.ts';
import { defineResource } from '#resource/definition.ts';

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
  list: ValidatingWebhookConfigurationList,
  categories: ['api-extensions'],
  storage: { version: 'v1', prefix: 'validatingwebhookconfigurations', hash: 'B0wHjQmsGNk=' },
  lifecycle: { introduced: '1.16' },
});
