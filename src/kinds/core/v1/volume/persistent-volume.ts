import { PersistentVolumeSpec } from '#kinds/core/v1/volume/persistent-volume-spec.ts';
import { ListMeta } from '#kinds/meta/v1/list-meta.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { embedded, type Infer, list, optional, pointer, ref, required, rootStruct, string, struct, time } from '#schema/build.ts';

export const PersistentVolume = rootStruct(
  'io.k8s.api.core.v1.PersistentVolume',
  () => ({
    metadata: embedded(1, ref<ObjectMeta>(ObjectMeta)),
    spec: embedded(2, ref<PersistentVolumeSpec>(PersistentVolumeSpec)),
    status: embedded(3, ref<PersistentVolumeStatus>(PersistentVolumeStatus)),
  }),
  { gvks: [['', 'v1', 'PersistentVolume']] },
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
