import { statusRequestColumns } from '#kinds/resource/v1alpha3/resource-pool-status-request-columns.ts';
import { defaultStatusRequestSpec, statusRequestStrategy } from '#kinds/resource/v1alpha3/resource-pool-status-request-strategy.ts';
import {
  ResourcePoolStatusRequest,
  ResourcePoolStatusRequestList,
  ResourcePoolStatusRequestSpec,
} from '#kinds/resource/v1alpha3/resource-pool-status-request.ts';
import { defineResource } from '#resource/definition.ts';
import { defaultsOf } from '#schema/defaults.ts';

export const resourcepoolstatusrequests = defineResource<ResourcePoolStatusRequest>({
  group: 'resource.k8s.io',
  version: 'v1alpha3',
  kind: 'ResourcePoolStatusRequest',
  plural: 'resourcepoolstatusrequests',
  singular: 'resourcepoolstatusrequest',
  namespaced: false,
  strategy: statusRequestStrategy,
  columns: statusRequestColumns,
  schema: ResourcePoolStatusRequest,
  defaults: [defaultsOf(ResourcePoolStatusRequestSpec, defaultStatusRequestSpec)],
  list: ResourcePoolStatusRequestList,
  storage: { version: 'v1alpha3', prefix: 'resourcepoolstatusrequests', hash: 'iy583CtMwdY=' },
  enabled: false,
  lifecycle: { introduced: '1.36', deprecated: '1.39', removed: '1.42' },
  subresources: [{ name: 'status', kind: 'ResourcePoolStatusRequest', verbs: ['get', 'patch', 'update'], tables: false }],
});
