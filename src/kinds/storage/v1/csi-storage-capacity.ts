import { LabelSelector } from '#kinds/meta/v1/label-selector.ts';
import { ListMeta } from '#kinds/meta/v1/list-meta.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { embedded, type Infer, list, pointer, quantity, ref, required, rootStruct, string } from '#schema/build.ts';

export const CSIStorageCapacity = rootStruct(
  'io.k8s.api.storage.v1.CSIStorageCapacity',
  () => ({
    metadata: embedded(1, ref<ObjectMeta>(ObjectMeta)),
    nodeTopology: pointer(2, ref<LabelSelector>(LabelSelector)),
    storageClassName: required(3, string),
    capacity: pointer(4, quantity),
    maximumVolumeSize: pointer(5, quantity),
  }),
  { gvks: [['storage.k8s.io', 'v1', 'CSIStorageCapacity']] },
);
export interface CSIStorageCapacity extends Infer<typeof CSIStorageCapacity> {}

export const CSIStorageCapacityList = rootStruct(
  'io.k8s.api.storage.v1.CSIStorageCapacityList',
  () => ({
    metadata: embedded(1, ref<ListMeta>(ListMeta)),
    items: required(2, list(ref<CSIStorageCapacity>(CSIStorageCapacity))),
  }),
  { gvks: [['storage.k8s.io', 'v1', 'CSIStorageCapacityList']] },
);
export interface CSIStorageCapacityList extends Infer<typeof CSIStorageCapacityList> {}
