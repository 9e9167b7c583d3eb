// Defaults in a schema must be what the schema itself would take.
import type { FieldErrors } from '#api/field-error.ts';
import type { JSONSchemaProps } from '#kinds/apiextensions/v1/json-schema-props.ts';
import { additionalOf, itemsOf } from '#kinds/apiextensions/v1/json-schema-walk.ts';
import { type OpenApiSource, valueFromOpenApi } from '#schema/structural/from-openapi.ts';
import { prune } from '#schema/structural/prune.ts';
import { validateStructural } from '#schema/structural/validate.ts';

export function validateSchemaDefaults(schema: JSONSchemaProps, path: string, errors: FieldErrors, insideMeta = false): void {
  if (schema.default !== undefined) validateDefault(schema, `${path}.default`, errors, insideMeta);
  const items = itemsOf(schema);
  if (items !== undefined) validateSchemaDefaults(items, `${path}.items`, errors, insideMeta);
  const wholeObject = schema['x-kubernetes-embedded-resource'] === true;
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const meta = wholeObject ? name === 'metadata' : insideMeta;
    validateSchemaDefaults(property, `${path}.properties[${name}]`, errors, meta);
  }
  const additional = additionalOf(schema);
  if (additional !== undefined) validateSchemaDefaults(additional, `${path}.additionalProperties`, errors, insideMeta);
}

function validateDefault(schema: JSONSchemaProps, path: string, errors: FieldErrors, insideMeta: boolean): void {
  const value = schema.default;
  const judged = valueFromOpenApi(schema as unknown as OpenApiSource);
  if (!insideMeta && prune(judged, value).dropped.length > 0) errors.invalid(path, value, 'must not have unknown fields');
  if (schema['x-kubernetes-embedded-resource'] === true) validateEmbedded(value, path, errors);
  if (schema.type && !knownTypes.has(schema.type)) validateOfUnknownType(schema, value, path, errors);
  else validateStructural(judged, value, errors, { at: path });
}

/** Of no type that there is: text and lists pass with any format, other values are blamed for their format first. */
function validateOfUnknownType({ type = '', format = '' }: JSONSchemaProps, value: unknown, path: string, errors: FieldErrors): void {
  const given = jsonTypeOf(value);
  const refuse = (wanted: string, shown: string) => errors.typeInvalid(path, shown, ` in body must be of type ${wanted}: "${shown}"`);
  if (format === '') return refuse(type, given);
  if (given === 'string' || given === 'array') return;
  const ownFormat = formatsOfTypes[given] ?? '';
  if (given !== 'null' && ownFormat !== format) refuse(format, ownFormat);
  else refuse(type, given);
}

const formatsOfTypes: Readonly<Record<string, string>> = { integer: 'int64', number: 'float64' };

const knownTypes = new Set(['array', 'boolean', 'integer', 'number', 'object', 'string']);

function jsonTypeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'number' ? (Number.isInteger(value) ? 'integer' : 'number') : typeof value;
}

function validateEmbedded(value: unknown, path: string, errors: FieldErrors): void {
  const { apiVersion, kind } = (value ?? {}) as { readonly apiVersion?: unknown; readonly kind?: unknown };
  if (!apiVersion) errors.required(`${path}.apiVersion`, 'must not be empty');
  if (!kind) errors.required(`${path}.kind`, 'must not be empty');
}
