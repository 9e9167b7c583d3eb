import { ResourceClaimTemplate, ResourceClaimTemplateList } from '#kinds/resource/v1beta2/resource-claim-template.ts';
import { resourceClaimDefaults } from '#kinds/resource/v1beta2/resource-claim-defaults.ts';
import { defineResource } from '#resource/definition.ts';

export const resourceclaimtemplates = defineResource<ResourceClaimTemplate>({
  group: 'resource.k8s.io',
  version: 'v1beta2',
  kind: 'ResourceClaimTemplate',
  plural: 'resourceclaimtemplates',
  singular: 'resourceclaimtemplate',
  namespaced: true,
  schema: ResourceClaimTemplate,
  defaults: resourceClaimDefaults,
  list: ResourceClaimTemplateList,
  storage: { version: 'v1', prefix: 'resourceclaimtemplates', hash: 'TuzjC49aUfM=' },
  enabled: false,
  lifecycle: { introduced: '1.33', deprecated: '1.36', removed: '1.39' },
});
