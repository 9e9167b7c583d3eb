import { MutatingWebhookConfiguration, MutatingWebhookConfigurationList } from '#kinds/admissionregistration/v1/mutating-webhook-configuration.ts';
import { mutatingWebhooksStrategy, webhooksColumns } from '#kinds/admissionregistration/v1/webhook-configuration-strategy.ts';
import { defineResource } from '#resource/definition.ts';

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
  list: MutatingWebhookConfigurationList,
  categories: ['api-extensions'],
  storage: { version: 'v1', prefix: 'mutatingwebhookconfigurations', hash: 'Sqi0GUgDaX0=' },
  lifecycle: { introduced: '1.16' },
});
