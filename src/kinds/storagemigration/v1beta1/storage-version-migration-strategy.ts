// How migrations of stored objects are written and shown.
import type { FieldErrors } from '#api/field-error.ts';
import { dns1035LabelProblems, dns1123SubdomainProblems, nameIsSubdomain } from '#base/formats.ts';
import { Condition } from '#kinds/meta/v1/condition.ts';
import { nameColumn } from '#kinds/rules/cells.ts';
import { validateConditions } from '#kinds/rules/conditions.ts';
import { validateObjectMeta, validateObjectMetaUpdate } from '#kinds/rules/object-meta.ts';
import { semanticEqual } from '#kinds/rules/semantic-equal.ts';
import { keepMetadataForStatus } from '#kinds/rules/status-updates.ts';
import type { StorageVersionMigration } from '#kinds/storagemigration/v1beta1/storage-version-migration.ts';
import type { Column } from '#resource/column.ts';
import type { Strategy } from '#resource/strategy.ts';
import { arrange } from '#schema/json/arrange.ts';

export const storageVersionMigrationStrategy: Strategy<StorageVersionMigration> = {
  allowUnconditionalUpdate: false,
  prepareForCreate(migration) {
    migration.status = {};
  },
  validate({ metadata, spec }, errors) {
    validateObjectMeta(metadata, false, nameIsSubdomain, errors);
    validateResource(spec.resource, errors);
  },
  prepareForUpdate(migration, old) {
    migration.status = old.status;
  },
  validateUpdate({ metadata, spec }, old, errors) {
    validateObjectMetaUpdate(metadata, old.metadata, errors);
    if (!semanticEqual(spec, old.spec)) errors.invalid('spec', shownSpec(spec), 'field is immutable');
  },
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
        validateOutcome(status, old.status, errors);
      },
    },
  },
};

type Spec = StorageVersionMigration['spec'];
type Status = StorageVersionMigration['status'];

/** The resource is printed with its public names, the spec around it with those of Go. */
function shownSpec({ resource: { group = '', resource } }: Spec): object {
  return { Resource: { group, resource } };
}

function validateResource({ group = '', resource }: Spec['resource'], errors: FieldErrors): void {
  if (resource === '') errors.required('spec.resource.resource', 'resource is required to be set');
  else errors.invalidEach('spec.resource.resource', resource, dns1035LabelProblems(resource));
  if (group !== '') errors.invalidEach('spec.resource.group', group, dns1123SubdomainProblems(group));
}

/** Either outcome excludes the other and stays. */
function validateOutcome(status: Status, old: Status, errors: FieldErrors): void {
  validateVersion(status.resourceVersion, errors);
  const path = 'status.conditions';
  const conditions = status.conditions?.map((condition) => arrange(Condition, condition));
  if (isTrue(status, 'Succeeded') && isTrue(status, 'Failed')) {
    errors.invalid(path, conditions, 'Both success and failed conditions cannot be true at the same time');
  }
  if (isTrue(old, 'Succeeded') && !isTrue(status, 'Succeeded')) {
    errors.invalid(path, conditions ?? null, 'Success condition cannot be set to false once it is true');
  }
  if (isTrue(old, 'Failed') && !isTrue(status, 'Failed')) {
    errors.invalid(path, conditions ?? null, 'Failed condition cannot be set to false once it is true');
  }
  if (old.resourceVersion && status.resourceVersion !== old.resourceVersion) {
    errors.invalid('status.resourceVersion', status.resourceVersion ?? '', 'field is immutable');
  }
}

function validateVersion(version = '', errors: FieldErrors): void {
  if (version === '' || /^[1-9]\d*$/.test(version)) return;
  errors.invalid('status.resourceVersion', version, `resource version is not well formed: ${version}`);
}

function isTrue({ conditions }: Status, type: string): boolean {
  return conditions?.some((condition) => condition.type === type && condition.status === 'True') === true;
}

export const storageVersionMigrationColumns: readonly Column<StorageVersionMigration>[] = [
  { ...nameColumn<StorageVersionMigration>(), format: '' },
  { name: 'Resource', type: 'string', read: ({ spec: { resource } }) => (resource.group ? `${resource.resource}.${resource.group}` : resource.resource) },
  { name: 'Status', type: 'string', read: ({ status }) => stateOf(status) },
];

function stateOf({ conditions }: StorageVersionMigration['status']): string {
  const states = ['Running', 'Failed', 'Succeeded'];
  return conditions?.findLast(({ type, status }) => status === 'True' && states.includes(type))?.type ?? 'Unknown';
}
