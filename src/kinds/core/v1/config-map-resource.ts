import { configMapColumns, configMapStrategy } from '#kinds/core/v1/config-map-strategy.ts';
import { ConfigMap, ConfigMapList } from '#kinds/core/v1/config-map.ts';
import { defineResource } from '#resource/definition.ts';

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
