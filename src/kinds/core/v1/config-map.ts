import { ListMeta } from '#kinds/meta/v1/list-meta.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { configMapColumns, configMapStrategy } from '#kinds/core/v1/config-map-strategy.ts';
import { defineResource } from '#resource/definition.ts';
import { boolean, bytes, embedded, type Infer, list, map, optional, pointer, ref, required, rootStruct, string } from '#schema/build.ts';

export const ConfigMap = rootStruct(
  'io.k8s.api.core.v1.ConfigMap',
  () => ({
    metadata: embedded(1, ref<ObjectMeta>(ObjectMeta)),
    immutable: pointer(4, boolean),
    data: optional(2, map(string)),
    binaryData: optional(3, map(bytes)),
  }),
  { gvks: [['', 'v1', 'ConfigMap']] },
);
export interface ConfigMap extends Infer<typeof ConfigMap> {}

export const ConfigMapList = rootStruct(
  'io.k8s.api.core.v1.ConfigMapList',
  () => ({
    metadata: embedded(1, ref<ListMeta>(ListMeta)),
    items: required(2, list(ref<ConfigMap>(ConfigMap))),
  }),
  { gvks: [['', 'v1', 'ConfigMapList']] },
);
export interface ConfigMapList extends Infer<typeof ConfigMapList> {}

export const configmaps = defineResource<ConfigMap>({
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  singular: 'configmap',
  namespaced: true,
  strategy: configMapStrategy,
  columns: configMapColumns,
  schema: ConfigMap,
  list: ConfigMapList,
  shortNames: ['cm'],
  storage: { version: 'v1', prefix: 'configmaps', hash: 'qFsyl6wFWjQ=' },
  lifecycle: { introduced: '1.2' },
});
