import { apiServiceColumns, apiServiceStrategy, defaultServiceReference } from '#kinds/apiregistration/v1/api-service-strategy.ts';
import { APIService, APIServiceList, ServiceReference } from '#kinds/apiregistration/v1/api-service.ts';
import { defineResource } from '#resource/definition.ts';
import { defaultsOf } from '#schema/defaults.ts';

export const apiservices = defineResource<APIService>({
  group: 'apiregistration.k8s.io',
  version: 'v1',
  kind: 'APIService',
  plural: 'apiservices',
  singular: 'apiservice',
  namespaced: false,
  strategy: apiServiceStrategy,
  columns: apiServiceColumns,
  schema: APIService,
  defaults: [defaultsOf(ServiceReference, defaultServiceReference)],
  list: APIServiceList,
  categories: ['api-extensions'],
  storage: { version: 'v1', prefix: 'apiregistration.k8s.io/apiservices', hash: 'InPBPD7+PqM=' },
  lifecycle: { introduced: '1.10' },
  subresources: [{ name: 'status', kind: 'APIService', verbs: ['get', 'patch', 'update'], tables: false }],
});
