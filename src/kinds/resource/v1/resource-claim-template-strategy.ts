// How templates of claims are written, judged and shown.
import type { FieldErrors } from '#api/field-error.ts';
import { nameIsSubdomain } from '#base/formats.ts';
import { refuseAdminRequests } from '#kinds/resource/v1/admin-access.ts';
import { validateTemplateMetadata } from '#kinds/core/v1/volume/persistent-volume-claim-spec-validation.ts';
import { dropGatedClaimFields } from '#kinds/resource/v1/device-claim-gates.ts';
import { validateDeviceClaim } from '#kinds/resource/v1/device-claim-validation.ts';
import type { ResourceClaimTemplate } from '#kinds/resource/v1/resource-claim-template.ts';
import { ageColumn, nameColumn } from '#kinds/rules/cells.ts';
import { internalForm, type SchemaSource } from '#kinds/rules/internal-form.ts';
import { validateObjectMeta, validateObjectMetaUpdate } from '#kinds/rules/object-meta.ts';
import { semanticEqualWithRawJson } from '#kinds/rules/semantic-equal.ts';
import type { Column } from '#resource/column.ts';
import type { Strategy, StrategyContext } from '#resource/strategy.ts';

/** `table` is that of the spec, for messages that show it. */
export const resourceClaimTemplateStrategy = (table: SchemaSource): Strategy<ResourceClaimTemplate> => ({
  returnsDeleted: true,
  prepareForCreate: ({ spec }, { gate }) => dropGatedClaimFields(spec.spec, undefined, gate),
  validate(template, errors, context) {
    refuseAdminRequests(template.spec.spec.devices?.requests, template.metadata.namespace, errors, context);
    validateTemplate(template, errors, context);
  },
  prepareForUpdate: ({ spec }, old, { gate }) => dropGatedClaimFields(spec.spec, old.spec.spec, gate),
  validateUpdate(template, old, errors, context) {
    const { metadata, spec } = template;
    validateTemplate(template, errors, context);
    validateObjectMetaUpdate(metadata, old.metadata, errors);
    if (!semanticEqualWithRawJson(table(), spec, old.spec)) errors.invalid('spec', internalForm(table(), spec), 'field is immutable');
  },
});

function validateTemplate({ metadata, spec }: ResourceClaimTemplate, errors: FieldErrors, context: StrategyContext): void {
  validateObjectMeta(metadata, true, nameIsSubdomain, errors);
  validateTemplateMetadata(spec.metadata, 'spec.metadata', errors);
  validateDeviceClaim(spec.spec.devices, 'spec.spec.devices', errors, context);
}

export const resourceClaimTemplateColumns: readonly Column<ResourceClaimTemplate>[] = [nameColumn(), ageColumn()];
