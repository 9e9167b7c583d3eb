import { DeviceClass, DeviceClassList } from '#kinds/resource/v1beta2/device-class.ts';
import { defineResource } from '#resource/definition.ts';

export const deviceclasses = defineResource<DeviceClass>({
  group: 'resource.k8s.io',
  version: 'v1beta2',
  kind: 'DeviceClass',
  plural: 'deviceclasses',
  singular: 'deviceclass',
  namespaced: false,
  schema: DeviceClass,
  list: DeviceClassList,
  storage: { version: 'v1', prefix: 'deviceclasses', hash: 'Yk2PTc1Ybxk=' },
  enabled: false,
  lifecycle: { introduced: '1.33', deprecated: '1.36', removed: '1.39' },
});
