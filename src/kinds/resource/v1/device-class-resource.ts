import { deviceClassColumns, deviceClassStrategy } from '#kinds/resource/v1/device-class-strategy.ts';
import { DeviceClass, DeviceClassList } from '#kinds/resource/v1/device-class.ts';
import { defineResource } from '#resource/definition.ts';

export const deviceclasses = defineResource<DeviceClass>({
  group: 'resource.k8s.io',
  version: 'v1',
  kind: 'DeviceClass',
  plural: 'deviceclasses',
  singular: 'deviceclass',
  namespaced: false,
  strategy: deviceClassStrategy,
  columns: deviceClassColumns,
  schema: DeviceClass,
  list: DeviceClassList,
  storage: { version: 'v1', prefix: 'deviceclasses', hash: 'Yk2PTc1Ybxk=' },
  lifecycle: { introduced: '1.34' },
});
