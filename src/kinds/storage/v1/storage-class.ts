import { TopologySelectorTerm } from '#kinds/core/v1/volume/topology-selector-term.ts';
import { ListMeta } from '#kinds/meta/v1/list-meta.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { boolean, embedded, type Infer, list, map, optional, pointer, ref, required, rootStruct, string } from '#schema/build.ts';

export const StorageClass = rootStruct(
  'io.k8s.api.storage.v1.StorageClass',
  () => ({
    metadata: embedded(1, ref<ObjectMeta>(ObjectMeta)),
    provisioner: required(2, string),
    parameters: optional(3, map(string)),
    reclaimPolicy: pointer(4, string, { enum: ['Delete', 'Recycle', 'Retain'], goType: 'v1.PersistentVolumeReclaimPolicy' }),
    mountOptions: optional(5, list(string), { merge: 'atomic' }),
    allowVolumeExpansion: pointer(6, boolean),
    volumeBindingMode: pointer(7, string, { enum: ['Immediate', 'WaitForFirstConsumer'], goType: 'v1.VolumeBindingMode' }),
    allowedTopologies: optional(8, list(ref<TopologySelectorTerm>(TopologySelectorTerm)), { merge: 'atomic' }),
  }),
  { gvks: [['storage.k8s.io', 'v1', 'StorageClass']] },
);
export interface StorageClass extends Infer<typeof StorageClass> {}

export const StorageClassList = rootStruct(
  'io.k8s.api.storage.v1.StorageClassList',
  () => ({
    metadata: embedded(1, ref<ListMeta>(ListMeta)),
    items: required(2, list(ref<StorageClass>(StorageClass))),
  }),
  { gvks: [['storage.k8s.io', 'v1', 'StorageClassList']] },
);
export interface StorageClassList extends Infer<typeof StorageClassList> {}
