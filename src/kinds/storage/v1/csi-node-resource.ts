import { csiNodeColumns, csiNodeStrategy } from '#kinds/storage/v1/csi-node-strategy.ts';
import { CSINode, CSINodeList } from '#kinds/storage/v1/csi-node.ts';
import { defineResource } from '#resource/definition.ts';

export const csinodes = defineResource<CSINode>({
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'CSINode',
  plural: 'csinodes',
  singular: 'csinode',
  namespaced: false,
  strategy: csiNodeStrategy,
  columns: csiNodeColumns,
  schema: CSINode,
  list: CSINodeList,
  storage: { version: 'v1', prefix: 'csinodes', hash: 'Pe62DkZtjuo=' },
  lifecycle: { introduced: '1.17' },
});
