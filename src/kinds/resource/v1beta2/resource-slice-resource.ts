import { Device, ResourceSlice, ResourceSliceList } from '#kinds/resource/v1beta2/resource-slice.ts';
import { defaultDevice, defaultDeviceTaint } from '#kinds/resource/v1/device-defaults.ts';
import { DeviceTaint } from '#kinds/resource/v1beta2/device-taint.ts';
import { defineResource } from '#resource/definition.ts';
import { defaultsOf } from '#schema/defaults.ts';

export const resourceslices = defineResource<ResourceSlice>({
  group: 'resource.k8s.io',
  version: 'v1beta2',
  kind: 'ResourceSlice',
  plural: 'resourceslices',
  singular: 'resourceslice',
  namespaced: false,
  schema: ResourceSlice,
  defaults: [defaultsOf(Device, defaultDevice), defaultsOf(DeviceTaint, defaultDeviceTaint)],
  list: ResourceSliceList,
  storage: { version: 'v1', prefix: 'resourceslices', hash: 'KsC072WgaEY=' },
  enabled: false,
  lifecycle: { introduced: '1.33', deprecated: '1.36', removed: '1.39' },
});
