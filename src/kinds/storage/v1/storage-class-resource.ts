import { defaultStorageClass, storageClassColumns, storageClassStrategy } from '#kinds/storage/v1/storage-class-strategy.ts';
import { StorageClass, StorageClassList } from '#kinds/storage/v1/storage-class.ts';
import { defineResource } from '#resource/definition.ts';
import { defaultsOf } from '#schema/defaults.ts';

export const storageclasses = defineResource<StorageClass>({
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'StorageClass',
  plural: 'storageclasses',
  singular: 'storageclass',
  namespaced: false,
  strategy: storageClassStrategy,
  columns: storageClassColumns,
  schema: StorageClass,
  defaults: [defaultsOf(StorageClass, defaultStorageClass)],
  list: StorageClassList,
  shortNames: ['sc'],
  storage: { version: 'v1', prefix: 'storageclasses', hash: 'K+m6uJwbjGY=' },
  lifecycle: { introduced: '1.6' },
});
