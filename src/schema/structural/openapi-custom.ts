// The schema of a custom resource as OpenAPI publishes it: what its author wrote, with the parts every object has.
// Swagger 2.0 loses what it, or kubectl reading it, cannot express.
import type { AnyField, AnySchema, StructSchema, ValueRules } from '#schema/build.ts';
import type { OpenApiSchema } from '#schema/openapi.ts';

export interface CustomTexts {
  /** Descriptions of apiVersion, kind and metadata. */
  readonly common: Readonly<Record<string, string>>;
  /** Reference to ObjectMeta. */
  readonly metadata: string;
}

/** The definition of a custom root object. */
export function customDefinition(schema: StructSchema, version: 2 | 3, texts: CustomTexts): OpenApiSchema {
  const source = schema.options.source ?? writtenOut(schema);
  if (version === 2 && source['x-kubernetes-preserve-unknown-fields'] === true) return { type: 'object' };
  const published = publish(version === 2 ? forSwagger(source) : source, version, texts);
  return inKeyOrder({ ...published, properties: sorted({ ...(published['properties'] as OpenApiSchema), ...objectFields(version, texts) }) });
}

/** apiVersion, kind and metadata. */
function objectFields(version: 2 | 3, { common, metadata }: CustomTexts): OpenApiSchema {
  const reference = version === 2 ? { $ref: metadata } : { allOf: [{ $ref: metadata }] };
  return {
    apiVersion: { description: common['apiVersion'], type: 'string' },
    kind: { description: common['kind'], type: 'string' },
    metadata: { description: common['metadata'], ...reference },
  };
}

function publish(schema: OpenApiSchema, version: 2 | 3, texts: CustomTexts): OpenApiSchema {
  const result: OpenApiSchema = { ...mapChildren(schema, (child) => publish(child, version, texts)) };
  if (schema['x-kubernetes-int-or-string'] === true && version === 3 && result['anyOf'] === undefined) {
    result['anyOf'] = [{ type: 'integer' }, { type: 'string' }];
  }
  const open = version === 2 && schema['x-kubernetes-preserve-unknown-fields'] === true;
  if (schema['x-kubernetes-embedded-resource'] === true && !open) {
    result['properties'] = sorted({ ...(result['properties'] as OpenApiSchema), ...objectFields(version, texts) });
    const required = (schema['required'] as string[] | undefined) ?? [];
    result['required'] = [...required, ...['kind', 'apiVersion'].filter((name) => !required.includes(name))];
  }
  return inKeyOrder(result);
}

/** No unions, no null, no default, and no structure where unknown fields may stand beside it. */
function forSwagger(schema: OpenApiSchema): OpenApiSchema {
  const { allOf: _a, anyOf: _b, oneOf: _c, not: _d, nullable, default: _e, ...kept } = schema;
  const open = kept['x-kubernetes-preserve-unknown-fields'] === true;
  const result: OpenApiSchema = { ...kept };
  if (nullable === true) delete result['type'];
  if (nullable === true || open) {
    delete result['items'];
    delete result['properties'];
  }
  if (result['type'] === 'array' && result['items'] === undefined) delete result['type'];
  if (open && result['type'] === 'object') delete result['type'];
  const required = stillRequired(result);
  if (required === undefined) delete result['required'];
  else result['required'] = required;
  return mapChildren(result, forSwagger);
}

/** A property that may be null cannot be required in a dialect without null. */
function stillRequired({ required, properties, additionalProperties }: OpenApiSchema): readonly string[] | undefined {
  if ((additionalProperties as OpenApiSchema | undefined)?.['nullable'] === true) return undefined;
  const fields = (properties ?? {}) as Readonly<Record<string, OpenApiSchema>>;
  const names = ((required ?? []) as string[]).filter((name) => fields[name]?.['nullable'] !== true);
  return names.length === 0 ? undefined : names;
}

function mapChildren(schema: OpenApiSchema, change: (child: OpenApiSchema) => OpenApiSchema): OpenApiSchema {
  const result = { ...schema };
  if (isSchema(schema['items'])) result['items'] = change(schema['items']);
  if (isSchema(schema['additionalProperties'])) result['additionalProperties'] = change(schema['additionalProperties']);
  if (isSchema(schema['properties'])) {
    const entries = Object.entries(schema['properties']) as [string, OpenApiSchema][];
    result['properties'] = sorted(Object.fromEntries(entries.map(([name, child]) => [name, change(child)])));
  }
  return result;
}

function isSchema(value: unknown): value is OpenApiSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function sorted(fields: OpenApiSchema): OpenApiSchema {
  return Object.fromEntries(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1)));
}

const keyOrder =
  'description type nullable format title default maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern maxItems minItems \
uniqueItems multipleOf enum maxProperties minProperties required items allOf oneOf anyOf not properties additionalProperties externalDocs example'.split(' ');

/** Keywords in the order upstream writes them, then the extensions by name. */
function inKeyOrder(schema: OpenApiSchema): OpenApiSchema {
  const place = (key: string): number => (keyOrder.includes(key) ? keyOrder.indexOf(key) : keyOrder.length);
  return Object.fromEntries(Object.entries(schema).sort(([a], [b]) => place(a) - place(b) || (a < b ? -1 : 1)));
}

/** A compiled schema in OpenAPI form again, where the text it came from is not at hand. */
function writtenOut(schema: AnySchema): OpenApiSchema {
  return { ...shapeOf(schema), ...(schema.rules !== undefined && keywordsOf(schema.rules)) };
}

function shapeOf(schema: AnySchema): OpenApiSchema {
  switch (schema.is) {
    case 'struct':
      return structShape(schema);
    case 'list':
      return { type: 'array', items: writtenOut(schema.item) };
    case 'map':
      return { type: 'object', additionalProperties: writtenOut(schema.value) };
    case 'int32':
    case 'int64':
      return { type: 'integer' };
    case 'double':
      return { type: 'number' };
    case 'boolean':
      return { type: 'boolean' };
    case 'intOrString':
      return { 'x-kubernetes-int-or-string': true };
    case 'json':
      return { 'x-kubernetes-preserve-unknown-fields': true };
    default:
      return { type: 'string' };
  }
}

function structShape({ fields, options }: StructSchema): OpenApiSchema {
  const entries = Object.entries(fields);
  const required = entries.filter(([, { presence }]) => presence === 'required').map(([name]) => name);
  return {
    type: 'object',
    ...(required.length > 0 && { required }),
    ...(entries.length > 0 && { properties: Object.fromEntries(entries.map(([name, field]) => [name, fieldShape(field)])) }),
    ...(options.atomic === true && { 'x-kubernetes-map-type': 'atomic' }),
    ...(options.preserveUnknown === true && { 'x-kubernetes-preserve-unknown-fields': true }),
    ...(options.embeddedResource === true && { 'x-kubernetes-embedded-resource': true }),
  };
}

function fieldShape({ schema, rules: { merge, atomic } }: AnyField): OpenApiSchema {
  const keys = typeof merge === 'object' ? merge.keys : undefined;
  return {
    ...writtenOut(schema),
    ...(keys !== undefined && { 'x-kubernetes-list-map-keys': keys }),
    ...(merge !== undefined && { 'x-kubernetes-list-type': keys === undefined ? merge : 'map' }),
    ...(atomic === true && { 'x-kubernetes-map-type': 'atomic' }),
  };
}

function keywordsOf({ junctors, validations, untyped: _untyped, ...keywords }: ValueRules): OpenApiSchema {
  return { ...keywords, ...junctors, ...(validations !== undefined && { 'x-kubernetes-validations': validations }) };
}
