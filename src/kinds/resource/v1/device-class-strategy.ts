// How device classes are written, judged and shown.
import type { FieldErrors } from '#api/field-error.ts';
import { validateConfigurations, validateDeviceSelectors } from '#kinds/resource/v1/device-claim-validation.ts';
import { type DeviceClass, DeviceClassSpec } from '#kinds/resource/v1/device-class.ts';
import { ageColumn, nameColumn } from '#kinds/rules/cells.ts';
import { startGeneration } from '#kinds/rules/generation.ts';
import { longName, validateObjectMeta, validateObjectMetaUpdate } from '#kinds/rules/object-meta.ts';
import { isExtendedResource } from '#kinds/rules/resource-names.ts';
import { semanticEqual, semanticEqualWithRawJson } from '#kinds/rules/semantic-equal.ts';
import type { Column } from '#resource/column.ts';
import type { Strategy } from '#resource/strategy.ts';

export const deviceClassStrategy: Strategy<DeviceClass> = {
  returnsDeleted: true,
  prepareForCreate({ metadata, spec }, { gate }) {
    startGeneration(metadata);
    if (!gate('DRAExtendedResource')) delete spec.extendedResourceName;
  },
  validate({ metadata, spec }, errors) {
    validateObjectMeta(metadata, false, longName, errors);
    validateSpec(spec, undefined, errors);
  },
  prepareForUpdate({ metadata, spec }, old, { gate }) {
    if (!gate('DRAExtendedResource') && old.spec.extendedResourceName === undefined) delete spec.extendedResourceName;
    if (!semanticEqualWithRawJson(DeviceClassSpec, spec, old.spec)) metadata.generation = (old.metadata.generation ?? 0) + 1;
  },
  validateUpdate({ metadata, spec }, old, errors) {
    validateObjectMeta(metadata, false, longName, errors);
    validateObjectMetaUpdate(metadata, old.metadata, errors);
    validateSpec(spec, old.spec, errors);
  },
};

function validateSpec({ selectors, config, extendedResourceName }: DeviceClassSpec, old: DeviceClassSpec | undefined, errors: FieldErrors): void {
  validateDeviceSelectors(selectors, 'spec.selectors', errors);
  validateConfigurations(config, 'spec.config', errors, old !== undefined && semanticEqual(config, old.config));
  if (extendedResourceName !== undefined && !isExtendedResource(extendedResourceName)) {
    errors.invalid('spec.extendedResourceName', extendedResourceName, 'must be a valid extended resource name');
  }
}

export const deviceClassColumns: readonly Column<DeviceClass>[] = [nameColumn(), ageColumn()];
