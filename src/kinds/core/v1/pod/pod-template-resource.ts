import { podTemplateColumns, podTemplateStrategy } from '#kinds/core/v1/pod/pod-template-strategy.ts';
import { PodTemplate, PodTemplateList } from '#kinds/core/v1/pod/pod-template.ts';
import { podTemplateDefaults } from '#kinds/core/v1/pod/pod-defaults.ts';
import { defineResource } from '#resource/definition.ts';

export const podtemplates = defineResource<PodTemplate>({
  group: '',
  version: 'v1',
  kind: 'PodTemplate',
  plural: 'podtemplates',
  singular: 'podtemplate',
  namespaced: true,
  schema: PodTemplate,
  defaults: podTemplateDefaults,
  list: PodTemplateList,
  storage: { version: 'v1', prefix: 'podtemplates', hash: 'LIXB2x4IFpk=' },
  lifecycle: { introduced: '1.0' },
  strategy: podTemplateStrategy,
  columns: podTemplateColumns,
});
