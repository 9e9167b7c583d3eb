import { resourceSliceColumns, resourceSliceStrategy } from '#kinds/resource/v1/resource-slice-strategy.ts';
import { ResourceSlice, ResourceSliceList } from '#kinds/resource/v1/resource-slice.ts';
import { defineResource } from '#resource/definition.ts';

export const resourceslices = defineResource<ResourceSlice>({
  group: 'resource.k8s.io',
  version: 'v1',
  kind: 'ResourceSlice',
  plural: 'resourceslices',
  singular: 'resourceslice',
  namespaced: false,
  strategy: resourceSliceStrategy,
  columns: resourceSliceColumns,
  schema: ResourceSlice,
  list: ResourceSliceList,
  storage: { version: 'v1', prefix: 'resourceslices', hash: 'KsC072WgaEY=' },
  lifecycle: { introduced: '1.34' },
});
