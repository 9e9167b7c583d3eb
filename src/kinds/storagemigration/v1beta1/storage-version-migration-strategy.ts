// How migrations of stored objects are written and shown.
import { nameIsSubdomain } from '#api/formats.ts';
import { nameColumn } from '#kinds/rules/cells.ts';
import { validateConditions } from '#kinds/rules/conditions.ts';
import { validateObjectMeta, validateObjectMetaUpdate } from '#kinds/rules/object-meta.ts';
import { keepMetadataForStatus } from '#kinds/rules/status-updates.ts';
import type { StorageVersionMigration } from '#kinds/storagemigration/v1beta1/storage-version-migration.ts';
import type { Column } from '#resource/column.ts';
import type { Strategy } from '#resource/strategy.ts';

export const storageVersionMigrationStrategy: Strategy<StorageVersionMigration> = {
  allowUnconditionalUpdate: false,
  prepareForCreate(migration) {
    migration.status = {};
  },
  validate: ({ metadata }, errors) => validateObjectMeta(metadata, false, nameIsSubdomain, errors),
  prepareForUpdate(migration, old) {
    migration.status = old.status;
  },
  validateUpdate: ({ metadata }, old, errors) => validateObjectMetaUpdate(metadata, old.metadata, errors),
  subresources: {
    status: {
      resetFields: [['metadata'], ['spec']],
      prepareForUpdate(migration, old) {
        migration.spec = old.spec;
        keepMetadataForStatus(migration.metadata, old.metadata);
      },
      validateUpdate({ metadata, status }, old, errors) {
        validateObjectMetaUpdate(metadata, old.metadata, errors);
        validateConditions(status.conditions, 'status.conditions', errors);
      },
    },
  },
};

export const storageVersionMigrationColumns: readonly Column<StorageVersionMigration>[] = [
  { ...nameColumn<StorageVersionMigration>(), format: '' },
  { name: 'Resource', type: 'string', read: ({ spec: { resource } }) => (resource.group ? `${resource.resource}.${resource.group}` : resource.resource) },
  { name: 'Status', type: 'string', read: ({ status }) => stateOf(status) },
];

function stateOf({ conditions }: StorageVersionMigration['status']): string {
  const states = ['Running', 'Failed', 'Succeeded'];
  return conditions?.findLast(({ type, status }) => status === 'True' && states.includes(type))?.type ?? 'Unknown';
}
