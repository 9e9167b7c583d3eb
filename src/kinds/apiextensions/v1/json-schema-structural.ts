// What makes a schema structural: every value has a known type, and logical junctors only narrow what is specified outside of them.
import type { FieldErrors } from '#api/field-error.ts';
import type { JSONSchemaProps } from '#kinds/apiextensions/v1/json-schema-props.ts';
import { additionalOf, isSchema, itemsOf } from '#kinds/apiextensions/v1/json-schema-walk.ts';
import { patternProblem } from '#kinds/apiextensions/v1/schema-pattern-problems.ts';
import { semanticEqual } from '#kinds/rules/semantic-equal.ts';

type Level = 'root' | 'item' | 'field';

export function validateStructuralSchema(schema: JSONSchemaProps, path: string, errors: FieldErrors): void {
  validateInvariants(schema, 'root', path, errors);
  validateComplete(schema, schema, path, path, errors);
}

function validateInvariants(schema: JSONSchemaProps, level: Level, path: string, errors: FieldErrors): void {
  const items = itemsOf(schema);
  const additional = schema.additionalProperties;
  if (schema.type === 'array' && items === undefined) errors.required(`${path}.items`, 'must be specified');
  if (items !== undefined) validateInvariants(items, 'item', `${path}.items`, errors);
  for (const [name, property] of Object.entries(schema.properties ?? {})) validateInvariants(property, 'field', `${path}.properties[${name}]`, errors);
  if (additional !== undefined && level === 'root') errors.forbidden(`${path}.additionalProperties`, 'must not be used at the root');
  if (isSchema(additional)) validateInvariants(additional, 'field', `${path}.additionalProperties`, errors);
  validateExtensions(schema, path, errors);
  validateJunctors(schema, { anyOf: isIntOrString(schema.anyOf), firstAllOf: isIntOrString(schema.allOf?.[0]?.anyOf) }, path, errors);
  validateType(schema, level, path, errors);
  validateObjectMembers(schema, level, path, errors);
}

function validateExtensions(schema: JSONSchemaProps, path: string, errors: FieldErrors): void {
  if (!schema['x-kubernetes-int-or-string']) return;
  for (const other of ['x-kubernetes-preserve-unknown-fields', 'x-kubernetes-embedded-resource'] as const) {
    if (schema[other]) errors.invalid(`${path}.${other}`, true, 'must be false if x-kubernetes-int-or-string is true');
  }
}

const missingType: Readonly<Record<Level, string>> = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
};

function validateType(schema: JSONSchemaProps, level: Level, path: string, errors: FieldErrors): void {
  const { type = '' } = schema;
  const embedded = schema['x-kubernetes-embedded-resource'] === true;
  if (embedded && type !== 'object') {
    const text = 'must be object if x-kubernetes-embedded-resource is true';
    if (type === '') errors.required(`${path}.type`, text);
    else errors.invalid(`${path}.type`, type, text);
  } else if (type === '' && !schema['x-kubernetes-int-or-string'] && !schema['x-kubernetes-preserve-unknown-fields']) {
    errors.required(`${path}.type`, missingType[level]);
  }
  if (embedded && schema.additionalProperties !== undefined) {
    errors.forbidden(`${path}.additionalProperties`, 'must not be used if x-kubernetes-embedded-resource is set');
  }
  if (level === 'root' && type !== '' && type !== 'object') errors.invalid(`${path}.type`, type, 'must be object at the root');
}

/** kind, apiVersion and metadata of whole objects. */
function validateObjectMembers(schema: JSONSchemaProps, level: Level, path: string, errors: FieldErrors): void {
  const embedded = schema['x-kubernetes-embedded-resource'] === true;
  const { properties = {} } = schema;
  if (embedded && !schema['x-kubernetes-preserve-unknown-fields'] && Object.keys(properties).length === 0) {
    const text = 'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields';
    errors.required(`${path}.properties`, text);
  }
  if (!embedded && level !== 'root') return;
  for (const name of ['kind', 'apiVersion']) {
    const type = properties[name]?.type ?? '';
    if (properties[name] !== undefined && type !== 'string') errors.invalid(`${path}.properties[${name}].type`, type, 'must be string');
  }
  const { metadata } = properties;
  if (metadata === undefined) return;
  if (metadata.type !== 'object') errors.invalid(`${path}.properties[metadata].type`, metadata.type ?? '', 'must be object');
  if (level === 'root' && restrictsMore(metadata)) {
    const text = 'must not specify anything other than name and generateName, but metadata is implicitly specified';
    errors.forbidden(`${path}.properties[metadata]`, text);
  }
}

function restrictsMore({ type: _type, default: _default, properties = {}, externalDocs: _docs, example: _example, ...rest }: JSONSchemaProps): boolean {
  const others = Object.keys(properties).filter((name) => name !== 'name' && name !== 'generateName');
  return others.length > 0 || Object.values(rest).some((value) => value !== undefined);
}

interface Skipped {
  readonly anyOf: boolean;
  readonly firstAllOf: boolean;
}

const nothingSkipped: Skipped = { anyOf: false, firstAllOf: false };

/** The one pattern in which junctors may repeat types. */
function isIntOrString(anyOf: readonly JSONSchemaProps[] | undefined): boolean {
  return anyOf?.length === 2 && semanticEqual(anyOf, [{ type: 'integer' }, { type: 'string' }]);
}

function validateJunctors(schema: JSONSchemaProps, skipped: Skipped, path: string, errors: FieldErrors): void {
  if (!skipped.anyOf) schema.anyOf?.forEach((part, index) => validateNested(part, nothingSkipped, `${path}.anyOf[${index}]`, errors));
  schema.allOf?.forEach((part, index) => {
    validateNested(part, { anyOf: skipped.firstAllOf && index === 0, firstAllOf: false }, `${path}.allOf[${index}]`, errors);
  });
  schema.oneOf?.forEach((part, index) => validateNested(part, nothingSkipped, `${path}.oneOf[${index}]`, errors));
  if (schema.not !== undefined) validateNested(schema.not, nothingSkipped, `${path}.not`, errors);
  const problem = patternProblem(schema);
  if (problem !== undefined) errors.invalid(`${path}.pattern`, schema.pattern, `must be a valid regular expression, but isn't: ${problem}`);
}

const forbiddenInside: readonly (readonly [key: keyof JSONSchemaProps, wanted: string])[] = [
  ['type', 'empty'],
  ['additionalProperties', 'undefined'],
  ['default', 'undefined'],
  ['title', 'empty'],
  ['description', 'empty'],
  ['nullable', 'false'],
  ['x-kubernetes-preserve-unknown-fields', 'false'],
  ['x-kubernetes-embedded-resource', 'false'],
  ['x-kubernetes-int-or-string', 'false'],
  ['x-kubernetes-list-map-keys', 'empty'],
  ['x-kubernetes-list-type', 'undefined'],
  ['x-kubernetes-map-type', 'undefined'],
  ['x-kubernetes-validations', 'empty'],
];

function validateNested(schema: JSONSchemaProps, skipped: Skipped, path: string, errors: FieldErrors): void {
  validateJunctors(schema, skipped, path, errors);
  const items = itemsOf(schema);
  if (items !== undefined) validateNested(items, nothingSkipped, `${path}.items`, errors);
  for (const [name, property] of Object.entries(schema.properties ?? {})) validateNested(property, nothingSkipped, `${path}.properties[${name}]`, errors);
  for (const [key, wanted] of forbiddenInside) {
    if (schema[key] !== undefined && schema[key] !== false) errors.forbidden(`${path}.${key}`, `must be ${wanted} to be structural`);
  }
  if (schema.properties?.['metadata'] !== undefined) errors.forbidden(`${path}.properties[metadata]`, 'must not be specified in a nested context');
}

/** Whatever a junctor speaks of must be specified outside; only the root's junctors are followed, as upstream does. */
function validateComplete(junctors: JSONSchemaProps, schema: JSONSchemaProps, path: string, at: string, errors: FieldErrors): void {
  if (junctors.not !== undefined) validateCounterpart(junctors.not, schema, path, `${at}.not`, errors);
  for (const key of ['allOf', 'anyOf', 'oneOf'] as const) {
    junctors[key]?.forEach((part, index) => validateCounterpart(part, schema, path, `${at}.${key}[${index}]`, errors));
  }
}

function validateCounterpart(part: JSONSchemaProps, schema: JSONSchemaProps | undefined, path: string, at: string, errors: FieldErrors): void {
  if (schema === undefined) return errors.required(path, `because it is defined in ${at}`);
  validateComplete(part, schema, path, at, errors);
  const [items, additional] = [itemsOf(part), additionalOf(part)];
  if (items !== undefined) validateCounterpart(items, itemsOf(schema), `${path}.items`, `${at}.items`, errors);
  for (const [name, property] of Object.entries(part.properties ?? {})) {
    validateCounterpart(property, schema.properties?.[name], `${path}.properties[${name}]`, `${at}.properties[${name}]`, errors);
  }
  if (additional !== undefined) validateCounterpart(additional, additionalOf(schema), `${path}.additionalProperties`, `${at}.additionalProperties`, errors);
}
