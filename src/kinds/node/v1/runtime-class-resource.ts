import { runtimeClassColumns, runtimeClassStrategy } from '#kinds/node/v1/runtime-class-strategy.ts';
import { RuntimeClass, RuntimeClassList } from '#kinds/node/v1/runtime-class.ts';
import { defineResource } from '#resource/definition.ts';

export const runtimeclasses = defineResource<RuntimeClass>({
  group: 'node.k8s.io',
  version: 'v1',
  kind: 'RuntimeClass',
  plural: 'runtimeclasses',
  singular: 'runtimeclass',
  namespaced: false,
  strategy: runtimeClassStrategy,
  columns: runtimeClassColumns,
  schema: RuntimeClass,
  list: RuntimeClassList,
  storage: { version: 'v1', prefix: 'runtimeclasses', hash: 'WQTu1GL3T2Q=' },
  lifecycle: { introduced: '1.20' },
});
