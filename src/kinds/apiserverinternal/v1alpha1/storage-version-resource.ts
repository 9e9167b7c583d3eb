import { storageVersionColumns, storageVersionStrategy } from '#kinds/apiserverinternal/v1alpha1/storage-version-strategy.ts';
import { StorageVersion, StorageVersionList } from '#kinds/apiserverinternal/v1alpha1/storage-version.ts';
import { defineResource } from '#resource/definition.ts';

export const storageversions = defineResource<StorageVersion>({
  group: 'internal.apiserver.k8s.io',
  version: 'v1alpha1',
  kind: 'StorageVersion',
  plural: 'storageversions',
  singular: 'storageversion',
  namespaced: false,
  strategy: storageVersionStrategy,
  columns: storageVersionColumns,
  schema: StorageVersion,
  list: StorageVersionList,
  storage: { version: 'v1alpha1', prefix: 'storageversions', hash: 'c8YZt5U0nPk=' },
  enabled: false,
  subresources: [{ name: 'status', kind: 'StorageVersion', verbs: ['get', 'patch', 'update'] }],
});
