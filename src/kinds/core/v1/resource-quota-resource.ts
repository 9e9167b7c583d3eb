import { defaultResourceQuota, resourceQuotaColumns, resourceQuotaStrategy } from '#kinds/core/v1/resource-quota-strategy.ts';
import { ResourceQuota, ResourceQuotaList } from '#kinds/core/v1/resource-quota.ts';
import { defineResource } from '#resource/definition.ts';
import { defaultsOf } from '#schema/defaults.ts';

export const resourcequotas = defineResource<ResourceQuota>({
  group: '',
  version: 'v1',
  kind: 'ResourceQuota',
  plural: 'resourcequotas',
  singular: 'resourcequota',
  namespaced: true,
  strategy: resourceQuotaStrategy,
  columns: resourceQuotaColumns,
  schema: ResourceQuota,
  defaults: [defaultsOf(ResourceQuota, defaultResourceQuota)],
  list: ResourceQuotaList,
  shortNames: ['quota'],
  storage: { version: 'v1', prefix: 'resourcequotas', hash: '8uhSgffRX6w=' },
  lifecycle: { introduced: '1.0' },
  subresources: [{ name: 'status', kind: 'ResourceQuota', verbs: ['get', 'patch', 'update'] }],
});
