import { ListMeta } from '#kinds/meta/v1/list-meta.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { embedded, type Infer, list, map, optional, ref, required, rootStruct, string } from '#schema/build.ts';

export const VolumeAttributesClass = rootStruct(
  'io.k8s.api.storage.v1.VolumeAttributesClass',
  () => ({
    metadata: embedded(1, ref<ObjectMeta>(ObjectMeta)),
    driverName: required(2, string),
    parameters: optional(3, map(string)),
  }),
  { gvks: [['storage.k8s.io', 'v1', 'VolumeAttributesClass']] },
);
export interface VolumeAttributesClass extends Infer<typeof VolumeAttributesClass> {}

export const VolumeAttributesClassList = rootStruct(
  'io.k8s.api.storage.v1.VolumeAttributesClassList',
  () => ({
    metadata: embedded(1, ref<ListMeta>(ListMeta)),
    items: required(2, list(ref<VolumeAttributesClass>(VolumeAttributesClass))),
  }),
  { gvks: [['storage.k8s.io', 'v1', 'VolumeAttributesClassList']] },
);
export interface VolumeAttributesClassList extends Infer<typeof VolumeAttributesClassList> {}
