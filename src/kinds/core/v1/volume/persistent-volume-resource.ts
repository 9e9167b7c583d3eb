import { persistentVolumeColumns } from '#kinds/core/v1/volume/persistent-volume-columns.ts';
import { persistentVolumeStrategy } from '#kinds/core/v1/volume/persistent-volume-strategy.ts';
import { PersistentVolume, PersistentVolumeList } from '#kinds/core/v1/volume/persistent-volume.ts';
import { defineResource } from '#resource/definition.ts';

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
  list: PersistentVolumeList,
  shortNames: ['pv'],
  storage: { version: 'v1', prefix: 'persistentvolumes', hash: 'HN/zwEC+JgM=' },
  lifecycle: { introduced: '1.0' },
  subresources: [{ name: 'status', kind: 'PersistentVolume', verbs: ['get', 'patch', 'update'] }],
});
