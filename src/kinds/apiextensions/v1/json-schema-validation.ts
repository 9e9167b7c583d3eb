// The rules of schemas that hold whether or not they are structural: supported keywords, list and map types, validation rules.
import type { FieldErrors } from '#api/field-error.ts';
import { repeatedAt } from '#base/repeated.ts';
import { fieldPathProblem } from '#kinds/apiextensions/v1/schema-field-path.ts';
import { itemsForm } from '#kinds/apiextensions/v1/json-schema-form.ts';
import type { JSONSchemaProps, ValidationRule } from '#kinds/apiextensions/v1/json-schema-props.ts';
import { itemPlace, propertyPlace, type RulePlace, type SchemaRules, valuePlace } from '#kinds/apiextensions/v1/schema-rules-validation.ts';
import { additionalOf, isSchema, itemsOf } from '#kinds/apiextensions/v1/json-schema-walk.ts';
import { wasGivenEmpty } from '#schema/given-empty.ts';

interface Surroundings {
  readonly isRoot?: boolean;
  /** Why defaults are not allowed here. */
  readonly noDefaults?: string;
  readonly insideMeta?: boolean;
  /** Where its validation rules go; absent where there can be none. */
  readonly rules?: { readonly all: SchemaRules; readonly place: RulePlace } | undefined;
}

const types = ['array', 'boolean', 'integer', 'number', 'object', 'string'];

export function validateOpenApiSchema(schema: JSONSchemaProps, path: string, errors: FieldErrors, around: Surroundings): void {
  const before = errors.countSoFar;
  validateKeywords(schema, path, errors, around);
  validateAdditional(schema, path, errors, around);
  const { rules } = around;
  validateProperties(schema, path, errors, around);
  if (hasParts(schema)) {
    const inner: Surroundings = { ...around, isRoot: false, rules: undefined };
    for (const [at, part] of partsOf(schema, path)) {
      const isItems = rules !== undefined && part === schema.items;
      validateOpenApiSchema(part, at, errors, isItems ? { ...inner, rules: { all: rules.all, place: itemPlace(rules.place, schema, path) } } : inner);
    }
  }
  validateMapType(schema, path, errors);
  validateListType(schema, path, errors);
  validateListKeys(schema, path, errors);
  schema['x-kubernetes-validations']?.forEach((rule, index) => validateRule(rule, schema, `${path}.x-kubernetes-validations[${index}]`, errors));
  // What is wrong with the schema, here or below, would only confuse the compiler.
  if (rules !== undefined && schema['x-kubernetes-validations']?.length && errors.countSoFar === before) rules.all.check(schema, path, rules.place);
}

/** Of thousands of properties; nearly all of them share their surroundings. */
function validateProperties(schema: JSONSchemaProps, path: string, errors: FieldErrors, around: Surroundings): void {
  const { properties } = schema;
  if (properties === undefined) return;
  const { isRoot, rules } = around;
  const isWhole = isRoot === true || schema['x-kubernetes-embedded-resource'] === true;
  const inside: Surroundings = { ...around, isRoot: false, rules: rules && { all: rules.all, place: propertyPlace(rules.place, schema, path) } };
  for (const name of Object.keys(properties)) {
    const ofObject = isWhole && objectMembers.has(name);
    const own = ofObject ? { ...inside, insideMeta: true, ...(isRoot && { noDefaults: `in top-level ${name}` }) } : inside;
    validateOpenApiSchema(properties[name] as JSONSchemaProps, `${path}.properties[${name}]`, errors, own);
  }
}

const objectMembers = new Set(['metadata', 'kind', 'apiVersion']);

function hasParts({ not, allOf, oneOf, anyOf, definitions, items, dependencies }: JSONSchemaProps): boolean {
  return (not ?? allOf ?? oneOf ?? anyOf ?? definitions ?? items ?? dependencies) !== undefined;
}

function partsOf(schema: JSONSchemaProps, path: string): [string, JSONSchemaProps][] {
  const parts: [string, JSONSchemaProps][] = [];
  if (schema.not !== undefined) parts.push([`${path}.not`, schema.not]);
  for (const key of ['allOf', 'oneOf', 'anyOf'] as const) schema[key]?.forEach((part, index) => parts.push([`${path}.${key}[${index}]`, part]));
  for (const [name, part] of Object.entries(schema.definitions ?? {})) parts.push([`${path}.definitions[${name}]`, part]);
  if (isSchema(schema.items)) parts.push([`${path}.items`, schema.items]);
  else schema.items?.forEach((part, index) => parts.push([`${path}.items[${index}]`, part]));
  for (const [name, part] of Object.entries(schema.dependencies ?? {})) if (isSchema(part)) parts.push([`${path}.dependencies[${name}]`, part]);
  return parts;
}

function validateKeywords(schema: JSONSchemaProps, path: string, errors: FieldErrors, { noDefaults, insideMeta }: Surroundings): void {
  const { type = '' } = schema;
  if (type !== '' && !types.includes(type)) errors.notSupported(`${path}.type`, type, types);
  if (schema.default !== undefined && noDefaults !== undefined) errors.forbidden(`${path}.default`, `must not be set ${noDefaults}`);
  const fields = schema as Readonly<Record<string, unknown>>;
  for (const key of ['id', 'additionalItems', 'patternProperties', 'definitions', 'dependencies', '$ref']) {
    // Dependencies are not even allowed when there are none of them.
    if (fields[key] !== undefined || (key === 'dependencies' && wasGivenEmpty(schema, key))) errors.forbidden(`${path}.${key}`, `${key} is not supported`);
  }
  if (type === 'null') errors.forbidden(`${path}.type`, 'type cannot be set to null, use nullable as an alternative');
  if (Array.isArray(schema.items) && schema.items.length > 0) errors.forbidden(`${path}.items`, 'items must be a schema object and not an array');
  if (insideMeta && schema['x-kubernetes-embedded-resource']) {
    errors.forbidden(`${path}.x-kubernetes-embedded-resource`, 'must not be used inside of resource meta');
  }
  if (schema.uniqueItems) errors.forbidden(`${path}.uniqueItems`, 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic');
  if (fields['x-kubernetes-preserve-unknown-fields'] === false) {
    errors.invalid(`${path}.x-kubernetes-preserve-unknown-fields`, false, 'must be true or undefined');
  }
}

function validateAdditional(schema: JSONSchemaProps, path: string, errors: FieldErrors, around: Surroundings): void {
  const { additionalProperties, properties = {} } = schema;
  if (additionalProperties === undefined) return;
  if (Object.keys(properties).length > 0 && additionalProperties !== true) {
    errors.forbidden(`${path}.additionalProperties`, 'additionalProperties and properties are mutual exclusive');
  }
  const additional = additionalOf(schema);
  const noDefaults = around.insideMeta ? { noDefaults: 'inside additionalProperties applying to object metadata' } : {};
  if (additional !== undefined)
    validateOpenApiSchema(additional, `${path}.additionalProperties`, errors, {
      ...around,
      isRoot: false,
      ...noDefaults,
      ...(around.rules && { rules: { all: around.rules.all, place: valuePlace(around.rules.place, schema) } }),
    });
}

function validateMapType(schema: JSONSchemaProps, path: string, errors: FieldErrors): void {
  const mapType = schema['x-kubernetes-map-type'];
  if (mapType === undefined) return;
  demandType(schema, 'object', 'map-type', path, errors);
  if (mapType !== 'atomic' && mapType !== 'granular') errors.notSupported(`${path}.x-kubernetes-map-type`, mapType, ['atomic', 'granular']);
}

function demandType({ type = '' }: JSONSchemaProps, wanted: string, extension: string, path: string, errors: FieldErrors): boolean {
  if (type === wanted) return true;
  const text = `must be ${wanted} if x-kubernetes-${extension} is specified`;
  if (type === '') errors.required(`${path}.type`, text);
  else errors.invalid(`${path}.type`, type, text);
  return false;
}

function validateListType(schema: JSONSchemaProps, path: string, errors: FieldErrors): void {
  const listType = schema['x-kubernetes-list-type'];
  if (listType === undefined) return;
  const items = itemsOf(schema);
  if (demandType(schema, 'array', 'list-type', path, errors) && listType === 'set' && items !== undefined) validateSetItems(items, `${path}.items`, errors);
  if (!['atomic', 'set', 'map'].includes(listType)) errors.notSupported(`${path}.x-kubernetes-list-type`, listType, ['atomic', 'set', 'map']);
  if ((listType === 'set' || listType === 'map') && items?.nullable) {
    errors.forbidden(`${path}.items.nullable`, `cannot be nullable when x-kubernetes-list-type is ${listType}`);
  }
}

function validateSetItems(items: JSONSchemaProps, path: string, errors: FieldErrors): void {
  const text = 'must be atomic as item of a list with x-kubernetes-list-type=set';
  const listType = items['x-kubernetes-list-type'];
  if (items.type === 'array' && listType !== undefined && listType !== 'atomic') errors.invalid(`${path}.x-kubernetes-list-type`, listType, text);
  // The value shown is that of the list type: upstream's slip.
  if (items.type === 'object' && items['x-kubernetes-map-type'] !== 'atomic') errors.invalid(`${path}.x-kubernetes-map-type`, listType ?? null, text);
}

function validateListKeys(schema: JSONSchemaProps, path: string, errors: FieldErrors): void {
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const listType = schema['x-kubernetes-list-type'];
  const wantsMap = 'must be map if x-kubernetes-list-map-keys is non-empty';
  if (keys.length > 0 && listType === undefined) errors.required(`${path}.x-kubernetes-list-type`, wantsMap);
  else if (keys.length > 0 && listType !== 'map') errors.invalid(`${path}.x-kubernetes-list-type`, listType, wantsMap);
  if (listType !== 'map') return;
  if (keys.length === 0) errors.required(`${path}.x-kubernetes-list-map-keys`, 'must not be empty if x-kubernetes-list-type is map');
  const items = itemsOf(schema);
  if (schema.items === undefined) errors.required(`${path}.items`, 'must have a schema if x-kubernetes-list-type is map');
  else if (items === undefined) {
    errors.invalid(`${path}.items`, itemsForm(schema.items), 'must only have a single schema if x-kubernetes-list-type is map');
  } else if (items.type !== 'object') {
    errors.invalid(`${path}.items.type`, items.type ?? '', "must be object if parent array's x-kubernetes-list-type is map");
  } else validateKeysOfItems(keys, items, path, errors);
  if (items !== undefined) validateKeyProperties(keys, items, `${path}.items.properties`, errors);
}

function validateKeysOfItems(keys: readonly string[], { type, properties = {} }: JSONSchemaProps, path: string, errors: FieldErrors): void {
  const at = `${path}.x-kubernetes-list-map-keys`;
  const repeated = repeatedAt(keys);
  keys.forEach((key, index) => {
    const keyType = properties[key]?.type;
    if (properties[key] === undefined) errors.invalid(at, keys, 'entries must all be names of item properties');
    else if (keyType === 'array' || keyType === 'object') {
      errors.invalid(`${path}.items.properties[${key}].type`, type, "must be a scalar type if parent array's x-kubernetes-list-type is map");
    }
    if (repeated[index]) errors.invalid(at, keys, 'must not contain duplicate entries');
  });
}

function validateKeyProperties(keys: readonly string[], { properties = {}, required = [] }: JSONSchemaProps, path: string, errors: FieldErrors): void {
  const needed = new Set(required);
  for (const key of keys) {
    const property = properties[key];
    if (property === undefined) continue;
    const why = 'this property is in x-kubernetes-list-map-keys, so it';
    if (!needed.has(key) && property.default === undefined) {
      errors.required(`${path}[${key}].default`, `${why} must have a default or be a required property`);
    }
    if (property.nullable) errors.forbidden(`${path}[${key}].nullable`, `${why} cannot be nullable`);
  }
}

const reasons = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];

/** Whether rule and message expression compile is a question for the CEL layer. */
function validateRule(rule: ValidationRule, schema: JSONSchemaProps, path: string, errors: FieldErrors): void {
  const { message = '', messageExpression = '', reason, fieldPath = '' } = rule;
  if (rule.rule.trim() === '') errors.required(`${path}.rule`, 'rule is not specified');
  else if (message !== '' && message.trim() === '') errors.invalid(`${path}.message`, message, 'must be non-empty if specified');
  else if (hasLineBreak(message.trim())) errors.invalid(`${path}.message`, message, 'must not contain line breaks');
  else if (hasLineBreak(rule.rule.trim()) && message.trim() === '')
    errors.required(`${path}.message`, 'message must be specified if rule contains line breaks');
  if (messageExpression !== '' && messageExpression.trim() === '') {
    errors.required(`${path}.messageExpression`, 'messageExpression must be non-empty if specified');
  }
  if (reason !== undefined && !reasons.includes(reason)) errors.notSupported(`${path}.reason`, reason, reasons);
  if (fieldPath === '') return;
  if (fieldPath.trim() === '') errors.invalid(`${path}.fieldPath`, fieldPath, 'must be non-empty if specified');
  if (hasLineBreak(fieldPath)) errors.invalid(`${path}.fieldPath`, fieldPath, 'must not contain line breaks');
  if (fieldPathProblem(fieldPath, schema) !== undefined) errors.invalid(`${path}.fieldPath`, fieldPath, 'must be a valid path');
}

function hasLineBreak(text: string): boolean {
  return /[\n\r]/.test(text);
}
