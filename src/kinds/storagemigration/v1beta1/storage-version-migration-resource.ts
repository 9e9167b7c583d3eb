import { storageVersionMigrationColumns, storageVersionMigrationStrategy } from '#kinds/storagemigration/v1beta1/storage-version-migration-strategy.ts';
import { StorageVersionMigration, StorageVersionMigrationList } from '#kinds/storagemigration/v1beta1/storage-version-migration.ts';
import { defineResource } from '#resource/definition.ts';

export const storageversionmigrations = defineResource<StorageVersionMigration>({
  group: 'storagemigration.k8s.io',
  version: 'v1beta1',
  kind: 'StorageVersionMigration',
  plural: 'storageversionmigrations',
  singular: 'storageversionmigration',
  namespaced: false,
  strategy: storageVersionMigrationStrategy,
  columns: storageVersionMigrationColumns,
  schema: StorageVersionMigration,
  list: StorageVersionMigrationList,
  storage: { version: 'v1beta1', prefix: 'storageversionmigrations', hash: 'pCjmmKOkLy4=' },
  enabled: false,
  featureGate: 'StorageVersionMigrator',
  lifecycle: { introduced: '1.35', deprecated: '1.38', removed: '1.41' },
  subresources: [{ name: 'status', kind: 'StorageVersionMigration', verbs: ['get', 'patch', 'update'], featureGate: 'StorageVersionMigrator' }],
});
