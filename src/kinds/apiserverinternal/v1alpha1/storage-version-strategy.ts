// How the storage versions that servers report are written and shown.
import type { StorageVersion } from '#kinds/apiserverinternal/v1alpha1/storage-version.ts';
import { storageVersionNameProblems, validateStorageVersionStatus } from '#kinds/apiserverinternal/v1alpha1/storage-version-validation.ts';
import { ageColumn, nameColumn } from '#kinds/rules/cells.ts';
import { validateObjectMeta } from '#kinds/rules/object-meta.ts';
import { keepMetadataForStatus } from '#kinds/rules/status-updates.ts';
import type { Column } from '#resource/column.ts';
import type { Strategy } from '#resource/strategy.ts';

export const storageVersionStrategy: Strategy<StorageVersion> = {
  allowUnconditionalUpdate: false,
  prepareForCreate(version) {
    version.status = {};
  },
  validate(version, errors) {
    validateObjectMeta(version.metadata, false, storageVersionNameProblems, errors);
    validateStorageVersionStatus(version, errors);
  },
  prepareForUpdate(version, old) {
    version.status = old.status;
  },
  subresources: {
    status: {
      resetFields: [['metadata'], ['spec']],
      prepareForUpdate(version, old) {
        version.spec = old.spec;
        keepMetadataForStatus(version.metadata, old.metadata);
      },
      validateUpdate: (version, _old, errors) => validateStorageVersionStatus(version, errors),
    },
  },
};

export const storageVersionColumns: readonly Column<StorageVersion>[] = [
  nameColumn(),
  { name: 'CommonEncodingVersion', type: 'string', read: ({ status }) => status.commonEncodingVersion ?? '<unset>' },
  { name: 'StorageVersions', type: 'string', read: ({ status }) => versionsCell(status.storageVersions ?? []) },
  ageColumn(),
];

function versionsCell(versions: readonly { readonly apiServerID: string; readonly encodingVersion: string }[]): string {
  if (versions.length === 0) return '<unset>';
  const shown = versions.map(({ apiServerID, encodingVersion }) => `${apiServerID}=${encodingVersion}`);
  return shown.length > 3 ? `${shown.slice(0, 3).join(',')} + ${shown.length - 3} more...` : shown.join(',');
}
