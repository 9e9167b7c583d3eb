import { defaultEndpointPort, endpointSliceColumns, endpointSliceStrategy } from '#kinds/discovery/v1/endpoint-slice-strategy.ts';
import { EndpointPort, EndpointSlice, EndpointSliceList } from '#kinds/discovery/v1/endpoint-slice.ts';
import { defineResource } from '#resource/definition.ts';
import { defaultsOf } from '#schema/defaults.ts';

export const endpointslices = defineResource<EndpointSlice>({
  group: 'discovery.k8s.io',
  version: 'v1',
  kind: 'EndpointSlice',
  plural: 'endpointslices',
  singular: 'endpointslice',
  namespaced: true,
  strategy: endpointSliceStrategy,
  columns: endpointSliceColumns,
  schema: EndpointSlice,
  defaults: [defaultsOf(EndpointPort, defaultEndpointPort)],
  list: EndpointSliceList,
  storage: { version: 'v1', prefix: 'endpointslices', hash: 'qgS0xkrxYAI=' },
  lifecycle: { introduced: '1.21' },
});
