import { VolumeAttributesClass, VolumeAttributesClassList } from '#kinds/storage/v1beta1/volume-attributes-class.ts';
import { defineResource } from '#resource/definition.ts';

export const volumeattributesclasses = defineResource<VolumeAttributesClass>({
  group: 'storage.k8s.io',
  version: 'v1beta1',
  kind: 'VolumeAttributesClass',
  plural: 'volumeattributesclasses',
  singular: 'volumeattributesclass',
  namespaced: false,
  schema: VolumeAttributesClass,
  list: VolumeAttributesClassList,
  shortNames: ['vac'],
  storage: { version: 'v1', prefix: 'volumeattributesclasses', hash: 'tIjydgKBC5w=' },
  enabled: false,
  lifecycle: { introduced: '1.31', deprecated: '1.34', replacement: 'storage.k8s.io/v1/VolumeAttributesClass', removed: '1.37' },
});
