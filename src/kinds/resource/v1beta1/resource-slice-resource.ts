import { sliceConversion } from '#kinds/resource/v1beta1/resource-slice-conversion.ts';
import { BasicDevice, DeviceTaint, ResourceSlice, ResourceSliceList } from '#kinds/resource/v1beta1/resource-slice.ts';
import { defaultDevice, defaultDeviceTaint } from '#kinds/resource/v1/device-defaults.ts';
import { defineResource } from '#resource/definition.ts';
import { defaultsOf } from '#schema/defaults.ts';

export const resourceslices = defineResource<ResourceSlice>({
  group: 'resource.k8s.io',
  version: 'v1beta1',
  kind: 'ResourceSlice',
  plural: 'resourceslices',
  singular: 'resourceslice',
  namespaced: false,
  schema: ResourceSlice,
  defaults: [defaultsOf(BasicDevice, defaultDevice), defaultsOf(DeviceTaint, defaultDeviceTaint)],
  list: ResourceSliceList,
  storage: { version: 'v1', prefix: 'resourceslices', hash: 'KsC072WgaEY=' },
  conversion: sliceConversion,
  enabled: false,
  lifecycle: { introduced: '1.32', deprecated: '1.35', removed: '1.38' },
});
