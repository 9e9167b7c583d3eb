import { resourceClaimTemplateColumns, resourceClaimTemplateStrategy } from '#kinds/resource/v1/resource-claim-template-strategy.ts';
import { ResourceClaimTemplate, ResourceClaimTemplateList, ResourceClaimTemplateSpec } from '#kinds/resource/v1/resource-claim-template.ts';
import { resourceClaimDefaults } from '#kinds/resource/v1/resource-claim-defaults.ts';
import { defineResource } from '#resource/definition.ts';

export const resourceclaimtemplates = defineResource<ResourceClaimTemplate>({
  group: 'resource.k8s.io',
  version: 'v1',
  kind: 'ResourceClaimTemplate',
  plural: 'resourceclaimtemplates',
  singular: 'resourceclaimtemplate',
  namespaced: true,
  strategy: resourceClaimTemplateStrategy(() => ResourceClaimTemplateSpec),
  columns: resourceClaimTemplateColumns,
  schema: ResourceClaimTemplate,
  defaults: resourceClaimDefaults,
  list: ResourceClaimTemplateList,
  storage: { version: 'v1', prefix: 'resourceclaimtemplates', hash: 'TuzjC49aUfM=' },
  lifecycle: { introduced: '1.34' },
});
