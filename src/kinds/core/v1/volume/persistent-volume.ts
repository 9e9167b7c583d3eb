import { PersistentVolumeSpec } from '#kinds/core/v1/volume/persistent-volume-spec.ts';
import { ListMeta } from '#kinds/meta/v1/list-meta.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { persistentVolumeColumns } from '#kinds/core/v1/volume/persistent-volume-columns.ts';
import { defaultPersistentVolume, persistentVolumeStrategy } from '#kinds/core/v1/volume/persistent-volume-strategy.ts';
import { defineResource } from '#resource/definition.ts';
import { embedded, type Infer, list, optional, pointer, ref, required, rootStruct, string, struct, time } from '#schema/build.ts';

export const PersistentVolume = rootStruct(
  'io.k8s.api.core.v1.PersistentVolume',
  () => ({
    metadata: embedded(1, ref<ObjectMeta>(ObjectMeta)),
    spec: embedded(2, ref<PersistentVolumeSpec>(PersistentVolumeSpec)),
    status: embedded(3, ref<PersistentVolumeStatus>(PersistentVolumeStatus)),
  }),
  { gvks: [['', 'v1', 'PersistentVolume']], defaults: defaultPersistentVolume },
);
export interface PersistentVolume extends Infer<typeof PersistentVolume> {}

export const PersistentVolumeList = rootStruct(
  'io.k8s.api.core.v1.PersistentVolumeList',
  () => ({
    metadata: embedded(1, ref<ListMeta>(ListMeta)),
    items: required(2, list(ref<PersistentVolume>(PersistentVolume))),
  }),
  { gvks: [['', 'v1', 'PersistentVolumeList']] },
);
export interface PersistentVolumeList extends Infer<typeof PersistentVolumeList> {}

export const PersistentVolumeStatus = struct('io.k8s.api.core.v1.PersistentVolumeStatus', () => ({
  phase: optional(1, string, { enum: ['Available', 'Bound', 'Failed', 'Pending', 'Released'], goType: 'v1.PersistentVolumePhase' }),
  message: optional(2, string),
  reason: optional(3, string),
  lastPhaseTransitionTime: pointer(4, time),
}));
export interface PersistentVolumeStatus extends Infer<typeof PersistentVolumeStatus> {}

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
