// How slices are written and shown.
import { nameIsSubdomain } from '#base/formats.ts';
import { goQuote } from '#base/go-text.ts';
import { dropGatedSliceFields } from '#kinds/resource/v1/resource-slice-gates.ts';
import { validateSliceSpec } from '#kinds/resource/v1/resource-slice-validation.ts';
import type { ResourceSlice } from '#kinds/resource/v1/resource-slice.ts';
import { ageColumn, nameColumn } from '#kinds/rules/cells.ts';
import { countGeneration, startGeneration } from '#kinds/rules/generation.ts';
import { validateObjectMeta, validateObjectMetaUpdate } from '#kinds/rules/object-meta.ts';
import type { Column } from '#resource/column.ts';
import type { Strategy } from '#resource/strategy.ts';

export const resourceSliceStrategy: Strategy<ResourceSlice> = {
  returnsDeleted: true,
  selectableMetadata: ['metadata.name'],
  selectableFields: { 'spec.nodeName': ({ spec }) => spec.nodeName ?? '', 'spec.driver': ({ spec }) => spec.driver },
  unknownSelector: (field) => `field label not supported for resource.k8s.io/v1, Kind=ResourceSlice: ${field}`,

  prepareForCreate(slice, { gate }) {
    startGeneration(slice.metadata);
    dropGatedSliceFields(slice.spec, undefined, gate);
  },
  validate({ metadata, spec }, errors) {
    validateObjectMeta(metadata, false, nameIsSubdomain, errors);
    validateSliceSpec(spec, undefined, errors);
  },
  warnOnCreate: upperCaseWarnings,

  prepareForUpdate(slice, old, { gate }) {
    countGeneration(slice.metadata, old.metadata, slice.spec, old.spec);
    dropGatedSliceFields(slice.spec, old.spec, gate);
  },
  validateUpdate({ metadata, spec }, old, errors) {
    validateObjectMetaUpdate(metadata, old.metadata, errors);
    validateSliceSpec(spec, old.spec, errors);
  },
  warnOnUpdate: upperCaseWarnings,
};

function upperCaseWarnings({ spec: { driver } }: ResourceSlice): readonly string[] {
  if (driver === driver.toLowerCase()) return [];
  return [`spec.driver: driver names should be lowercase; ${goQuote(driver)} contains uppercase characters`];
}

export const resourceSliceColumns: readonly Column<ResourceSlice>[] = [
  nameColumn(),
  { name: 'Node', type: 'string', read: ({ spec }) => spec.nodeName ?? '' },
  { name: 'Driver', type: 'string', read: ({ spec }) => spec.driver },
  { name: 'Pool', type: 'string', read: ({ spec }) => spec.pool.name },
  ageColumn(),
];
