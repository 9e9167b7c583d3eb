import type { FieldErrors } from '#api/field-error.ts';
import { nameIsSubdomain } from '#base/formats.ts';
import { ageColumn, nameColumn } from '#kinds/rules/cells.ts';
import { validateObjectMeta, validateObjectMetaUpdate } from '#kinds/rules/object-meta.ts';
import { semanticEqual } from '#kinds/rules/semantic-equal.ts';
import { validateParameters, validateProvisioner } from '#kinds/storage/v1/class-rules.ts';
import type { VolumeAttributesClass } from '#kinds/storage/v1/volume-attributes-class.ts';
import type { Column } from '#resource/column.ts';
import type { Strategy } from '#resource/strategy.ts';

export const volumeAttributesClassStrategy: Strategy<VolumeAttributesClass> = {
  returnsDeleted: true,
  validate: validateAttributesClass,
  validateUpdate(attributes, old, errors) {
    validateObjectMetaUpdate(attributes.metadata, old.metadata, errors);
    for (const field of ['driverName', 'parameters'] as const) {
      if (!semanticEqual(attributes[field], old[field])) errors.forbidden(field, `updates to ${field} are forbidden.`);
    }
    validateAttributesClass(attributes, errors);
  },
};

function validateAttributesClass({ metadata, driverName, parameters }: VolumeAttributesClass, errors: FieldErrors): void {
  validateObjectMeta(metadata, false, nameIsSubdomain, errors);
  validateProvisioner(driverName, 'driverName', errors);
  validateParameters(parameters, 'parameters', errors);
  if (Object.keys(parameters ?? {}).length === 0) errors.required('parameters', 'must contain at least one key/value pair');
}

export const volumeAttributesClassColumns: readonly Column<VolumeAttributesClass>[] = [
  nameColumn(),
  { name: 'DriverName', type: 'string', read: ({ driverName }) => driverName },
  ageColumn(),
];
