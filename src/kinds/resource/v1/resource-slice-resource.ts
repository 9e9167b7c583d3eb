import { resourceSliceColumns, resourceSliceStrategy } from '#kinds/resource/v1/resource-slice-strategy.ts';
import { Device, DeviceTaint, ResourceSlice, ResourceSliceList } from '#kinds/resource/v1/resource-slice.ts';
import { defaultDevice, defaultDeviceTaint } from '#kinds/resource/v1/device-defaults.ts';
import { defineResource } from '#resource/definition.ts';
import { defaultsOf } from '#schema/defaults.ts';

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
  defaults: [defaultsOf(Device, defaultDevice), defaultsOf(DeviceTaint, defaultDeviceTaint)],
  list: ResourceSliceList,
  storage: { version: 'v1', prefix: 'resourceslices', hash: 'KsC072WgaEY=' },
  lifecycle: { introduced: '1.34' },
});
