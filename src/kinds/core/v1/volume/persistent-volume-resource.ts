import { persistentVolumeColumns } from '#kinds/core/v1/volume/persistent-volume-columns.ts';
import { defaultPersistentVolume, persistentVolumeStrategy } from '#kinds/core/v1/volume/persistent-volume-strategy.ts';
import { PersistentVolume, PersistentVolumeList } from '#kinds/core/v1/volume/persistent-volume.ts';
import { hostPathDefaults } from '#kinds/core/v1/volume/volume-defaults.ts';
import { defineResource } from '#resource/definition.ts';
import { defaultsOf } from '#schema/defaults.ts';

export const persistentvolumes = defineResource<PersistentVolume>({
  group: '',
  version: 'v1',
  kind: 'PersistentVolume',
  plural: 'persistentvolumes',
  singular: 'persistentvolume',
  namespaced: false,
  strategy: persistentVolumeStrategy,
  columns: persistentVolumeColumns,
  schema: PersistentVolume,
  defaults: [...hostPathDefaults, defaultsOf(PersistentVolume, defaultPersistentVolume)],
  list: PersistentVolumeList,
  shortNames: ['pv'],
  storage: { version: 'v1', prefix: 'persistentvolumes', hash: 'HN/zwEC+JgM=' },
  lifecycle: { introduced: '1.0' },
  subresources: [{ name: 'status', kind: 'PersistentVolume', verbs: ['get', 'patch', 'update'] }],
});
