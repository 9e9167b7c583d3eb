import { ResourceSlice, ResourceSliceList } from '#kinds/resource/v1beta2/resource-slice.ts';
import { defineResource } from '#resource/definition.ts';

export const resourceslices = defineResource<ResourceSlice>({
  group: 'resource.k8s.io',
  version: 'v1beta2',
  kind: 'ResourceSlice',
  plural: 'resourceslices',
  singular: 'resourceslice',
  namespaced: false,
  schema: ResourceSlice,
  list: ResourceSliceList,
  storage: { version: 'v1', prefix: 'resourceslices', hash: 'KsC072WgaEY=' },
  enabled: false,
  lifecycle: { introduced: '1.33', deprecated: '1.36', removed: '1.39' },
});
