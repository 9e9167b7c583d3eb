import { csiDriverColumns, csiDriverStrategy, defaultCsiDriverSpec } from '#kinds/storage/v1/csi-driver-strategy.ts';
import { CSIDriver, CSIDriverList, CSIDriverSpec } from '#kinds/storage/v1/csi-driver.ts';
import { defineResource } from '#resource/definition.ts';
import { defaultsOf } from '#schema/defaults.ts';

export const csidrivers = defineResource<CSIDriver>({
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'CSIDriver',
  plural: 'csidrivers',
  singular: 'csidriver',
  namespaced: false,
  strategy: csiDriverStrategy,
  columns: csiDriverColumns,
  schema: CSIDriver,
  defaults: [defaultsOf(CSIDriverSpec, defaultCsiDriverSpec)],
  list: CSIDriverList,
  storage: { version: 'v1', prefix: 'csidrivers', hash: 'hL6j/rwBV5w=' },
  lifecycle: { introduced: '1.18' },
});
