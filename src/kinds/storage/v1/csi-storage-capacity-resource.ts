import { csiStorageCapacityStrategy } from '#kinds/storage/v1/csi-storage-capacity-strategy.ts';
import { CSIStorageCapacity, CSIStorageCapacityList } from '#kinds/storage/v1/csi-storage-capacity.ts';
import { defineResource } from '#resource/definition.ts';

export const csistoragecapacities = defineResource<CSIStorageCapacity>({
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'CSIStorageCapacity',
  plural: 'csistoragecapacities',
  singular: 'csistoragecapacity',
  namespaced: true,
  strategy: csiStorageCapacityStrategy,
  schema: CSIStorageCapacity,
  list: CSIStorageCapacityList,
  storage: { version: 'v1', prefix: 'csistoragecapacities', hash: 'xeVl+2Ly1kE=' },
  lifecycle: { introduced: '1.24' },
});
