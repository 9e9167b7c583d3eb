import { defaultEndpointsPort, endpointsColumns, endpointsStrategy } from '#kinds/core/v1/service/endpoints-strategy.ts';
import { EndpointPort, Endpoints, EndpointsList } from '#kinds/core/v1/service/endpoints.ts';
import { defineResource } from '#resource/definition.ts';
import { defaultsOf } from '#schema/defaults.ts';

export const endpoints = defineResource<Endpoints>({
  group: '',
  version: 'v1',
  kind: 'Endpoints',
  plural: 'endpoints',
  singular: 'endpoints',
  namespaced: true,
  strategy: endpointsStrategy,
  columns: endpointsColumns,
  schema: Endpoints,
  defaults: [defaultsOf(EndpointPort, defaultEndpointsPort)],
  list: EndpointsList,
  shortNames: ['ep'],
  storage: { version: 'v1', prefix: 'services/endpoints', hash: 'fWeeMqaN/OA=' },
  lifecycle: { introduced: '1.0', deprecated: '1.33', replacement: 'discovery.k8s.io/v1/EndpointSlice' },
});
