import { volumeAttributesClassColumns, volumeAttributesClassStrategy } from '#kinds/storage/v1/volume-attributes-class-strategy.ts';
import { VolumeAttributesClass, VolumeAttributesClassList } from '#kinds/storage/v1/volume-attributes-class.ts';
import { defineResource } from '#resource/definition.ts';

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
