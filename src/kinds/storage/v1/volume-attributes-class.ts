import { ListMeta } from '#kinds/meta/v1/list-meta.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { volumeAttributesClassColumns, volumeAttributesClassStrategy } from '#kinds/storage/v1/volume-attributes-class-strategy.ts';
import { defineResource } from '#resource/definition.ts';
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

export const volumeattributesclasses = defineResource<VolumeAttributesClass>({
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'VolumeAttributesClass',
  plural: 'volumeattributesclasses',
  singular: 'volumeattributesclass',
  namespaced: false,
  strategy: volumeAttributesClassStrategy,
  columns: volumeAttributesClassColumns,
  schema: VolumeAttributesClass,
  list: VolumeAttributesClassList,
  shortNames: ['vac'],
  storage: { version: 'v1', prefix: 'volumeattributesclasses', hash: 'tIjydgKBC5w=' },
  lifecycle: { introduced: '1.34' },
});
