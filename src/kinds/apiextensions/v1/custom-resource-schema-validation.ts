// Whether a schema can be accepted for a version, and the fields of it that may be selected by.
import { FieldError, FieldErrors } from '#api/field-error.ts';
import type { MaybePromise } from '#base/maybe-promise.ts';
import type { CustomResourceValidation, SelectableField } from '#kinds/apiextensions/v1/custom-resource-definition.ts';
import { defaultProblems } from '#kinds/apiextensions/v1/json-schema-defaults-validation.ts';
import { schemaForm } from '#kinds/apiextensions/v1/json-schema-form.ts';
import type { JSONSchemaProps } from '#kinds/apiextensions/v1/json-schema-props.ts';
import { validateStructuralSchema } from '#kinds/apiextensions/v1/json-schema-structural.ts';
import { validateOpenApiSchema } from '#kinds/apiextensions/v1/json-schema-validation.ts';
import { surveyOf } from '#kinds/apiextensions/v1/json-schema-survey.ts';
import { rootPlace, SchemaRules, type SchemaRulesOptions } from '#kinds/apiextensions/v1/schema-rules-validation.ts';
import { findSchemaField } from '#kinds/apiextensions/v1/schema-field-path.ts';

/** What is wrong with the defaults of schemas, by schema; paths begin below it. */
export type DefaultProblems = ReadonlyMap<JSONSchemaProps, readonly FieldError[]>;

export interface AcceptedSchemaOptions extends SchemaRulesOptions {
  readonly hasStatus: boolean;
  readonly defaults: DefaultProblems;
}

/** Only defaults of structural schemas are judged. To be waited for where their rules take long. */
export function schemaDefaultProblems(schema: JSONSchemaProps): MaybePromise<readonly FieldError[]> {
  const { statesDefaults, obstacle } = surveyOf(schema);
  if (!statesDefaults || obstacle !== undefined) return [];
  const found = new FieldErrors();
  validateStructuralSchema(schema, '', found);
  return found.empty ? defaultProblems(schema) : [];
}

export function validateAcceptedSchema(
  { openAPIV3Schema: schema }: CustomResourceValidation,
  options: AcceptedSchemaOptions,
  at: string,
  errors: FieldErrors,
): void {
  if (schema === undefined) return;
  const path = `${at}.openAPIV3Schema`;
  // A schema may have as many properties as a body has room for: each walk through it has a turn of its own.
  let seen = 0;
  let obstacle: string | undefined;
  let isSound = false;
  errors.later((found) => {
    if (options.hasStatus) validateRootOfStatus(schema, path, found);
    if (schema.nullable) found.forbidden(`${path}.nullable`, 'nullable cannot be true at the root');
    seen = found.countSoFar;
  });
  errors.later((found) => {
    ({ obstacle } = surveyOf(schema));
    if (obstacle !== undefined) return;
    validateStructuralSchema(schema, path, found);
    const defaults = options.defaults.get(schema) ?? [];
    found.add(...defaults.map(({ reason, field, value, detail }) => new FieldError(reason, `${path}${field}`, value, detail)));
    isSound = found.empty;
  });
  errors.later((found) => {
    // Rules are compiled only where the schema they stand in, its defaults included, is sound.
    const rules = isSound ? new SchemaRules(options) : undefined;
    validateOpenApiSchema(schema, path, found, { isRoot: true, ...(rules && { rules: { all: rules, place: rootPlace } }) });
    rules?.report(path, found);
    if (obstacle !== undefined && seen + found.countSoFar === 0) found.invalid(path, '', obstacle);
  });
}

const rootKeywords = [
  'description',
  'type',
  'format',
  'title',
  'maximum',
  'exclusiveMaximum',
  'minimum',
  'exclusiveMinimum',
  'maxLength',
  'minLength',
  'pattern',
  'maxItems',
  'minItems',
  'uniqueItems',
  'multipleOf',
  'required',
  'items',
  'properties',
  'externalDocs',
  'example',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-validations',
];

/** With a status subresource the root may say little, because status is judged on its own. */
function validateRootOfStatus(schema: JSONSchemaProps, path: string, errors: FieldErrors): void {
  if (schema.type !== undefined && schema.type !== 'object') {
    const text = 'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
    errors.invalid(`${path}.type`, schema.type, text);
  }
  const given = Object.entries(schema).filter(([, value]) => value !== undefined);
  if (given.every(([key]) => rootKeywords.includes(key))) return;
  const names = rootKeywords.map(goName).join(' ');
  errors.invalid(path, schemaForm(schema), `only [${names}] fields are allowed at the root of the schema if the status subresource is enabled`);
}

function goName(keyword: string): string {
  const words = keyword.replace(/^x-kubernetes-/, 'x-').split('-');
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

const maxSelectableFields = 8;

export function validateSelectableFields(fields: readonly SelectableField[], schema: JSONSchemaProps, path: string, errors: FieldErrors): void {
  const seen = new Set<string>();
  fields.forEach(({ jsonPath }, index) => {
    const at = `${path}[${index}].jsonPath`;
    if (jsonPath === '') return errors.required(at);
    const found = findSchemaField(jsonPath, schema, false);
    if ('problem' in found) return errors.invalid(at, jsonPath, `is an invalid path: ${found.problem}`);
    if (found.steps[0] === 'metadata') errors.invalid(at, jsonPath, 'must not point to fields in metadata');
    if (!['string', 'boolean', 'integer'].includes(found.schema.type ?? '')) {
      errors.invalid(at, jsonPath, 'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.');
    }
    const identity = JSON.stringify(found.steps);
    if (seen.has(identity)) errors.duplicate(at, jsonPath);
    seen.add(identity);
  });
  if (seen.size > maxSelectableFields) errors.tooMany(path, seen.size, maxSelectableFields);
}
