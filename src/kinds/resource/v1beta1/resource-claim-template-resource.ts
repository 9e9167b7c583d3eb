import { claimTemplateConversion } from '#kinds/resource/v1beta1/resource-claim-conversion.ts';
import { ResourceClaimTemplate, ResourceClaimTemplateList } from '#kinds/resource/v1beta1/resource-claim-template.ts';
import { resourceClaimDefaults } from '#kinds/resource/v1beta1/resource-claim-defaults.ts';
import { defineResource } from '#resource/definition.ts';

export const resourceclaimtemplates = defineResource<ResourceClaimTemplate>({
  group: 'resource.k8s.io',
  version: 'v1beta1',
  kind: 'ResourceClaimTemplate',
  plural: 'resourceclaimtemplates',
  singular: 'resourceclaimtemplate',
  namespaced: true,
  schema: ResourceClaimTemplate,
  defaults: resourceClaimDefaults,
  list: ResourceClaimTemplateList,
  storage: { version: 'v1', prefix: 'resourceclaimtemplates', hash: 'TuzjC49aUfM=' },
  conversion: claimTemplateConversion,
  enabled: false,
  lifecycle: { introduced: '1.32', deprecated: '1.35', removed: '1.38' },
});
