// Schemas as OpenAPI definitions, in the two dialects clients ask for: Swagger 2.0 and OpenAPI 3.0.
// Every struct and every scalar with a name becomes one definition; anything else is written in place.
// Custom resources have no such names: openapi-custom.ts publishes those.
import type { AnyField, AnySchema, FieldRules, FieldTable, ScalarSchema, StructSchema } from '#schema/build.ts';

/** An OpenAPI schema in its JSON form. */
export type OpenApiSchema = { [key: string]: unknown };

/**
 * The texts of a struct: its own under the empty name, those of its fields under theirs.
 * The struct with the empty name has the texts of what all objects and lists have: apiVersion, kind, metadata, listMetadata, items.
 */
export type Descriptions = Readonly<Record<string, Readonly<Record<string, string>>>>;

export interface Dialect {
  readonly version: 2 | 3;
  readonly descriptions: Descriptions;
  /** Which group-version-kinds this document shows of a definition that has several. Default: all. */
  readonly shows?: (gvk: Gvk) => boolean;
  /** Called with every schema that the result refers to. */
  readonly refersTo: (schema: AnySchema) => void;
}

export type Gvk = readonly [group: string, version: string, kind: string];

/** The definition of a struct or of a scalar with a name. */
export function openApiDefinition(schema: AnySchema, dialect: Dialect): OpenApiSchema {
  if (schema.is === 'struct') return structDefinition(schema, dialect);
  const description = dialect.descriptions[nameOf(schema) ?? '']?.[''];
  return { ...described(description), ...scalarDefinition(schema, dialect) };
}

/** The name under which others refer to a schema; undefined when it is written in place. */
export function nameOf(schema: AnySchema): string | undefined {
  return (schema.is === 'struct' || 'name' in schema) && schema.name !== '' ? schema.name : undefined;
}

export function refTo(name: string, version: 2 | 3): string {
  return version === 2 ? `#/definitions/${name}` : `#/components/schemas/${name}`;
}

/** `x-kubernetes-group-version-kind` of a definition. */
export function gvkExtension(gvks: readonly Gvk[]): OpenApiSchema {
  if (gvks.length === 0) return {};
  return { 'x-kubernetes-group-version-kind': gvks.map(([group, version, kind]) => ({ group, kind, version })) };
}

function structDefinition(schema: StructSchema, dialect: Dialect): OpenApiSchema {
  const { atomic, unions, gvks = [] } = schema.options;
  const mandatory = Object.entries(schema.fields)
    .filter(([, field]) => isMandatory(field))
    .map(([name]) => name);
  return {
    ...described(dialect.descriptions[schema.name]?.[''] ?? listText(schema)),
    type: 'object',
    ...(mandatory.length > 0 && { required: mandatory }),
    ...properties(schema, dialect),
    ...gvkExtension(dialect.shows === undefined || gvks.length < 2 ? gvks : gvks.filter(dialect.shows)),
    ...(atomic === true && { 'x-kubernetes-map-type': 'atomic' }),
    ...(unions !== undefined && { 'x-kubernetes-unions': unions }),
  };
}

function listText({ name, fields }: StructSchema): string | undefined {
  const kind = /\.(\w+)List$/.exec(name)?.[1];
  return kind !== undefined && fields['items'] !== undefined ? `A list of objects of kind ${kind}.` : undefined;
}

function isMandatory({ presence, rules }: AnyField): boolean {
  return presence === 'required' || rules.mandatory === true;
}

function properties(schema: StructSchema, dialect: Dialect): OpenApiSchema {
  const texts = dialect.descriptions[schema.name] ?? {};
  const fields: FieldTable = schema.fields;
  const names = [...Object.keys(fields), ...(schema.options.root === true ? ['apiVersion', 'kind'] : [])].sort(compareText);
  if (names.length === 0) return {};
  const common = dialect.descriptions[''] ?? {};
  const published = names.map((name) => {
    const field = fields[name];
    const text = texts[name] ?? (schema.options.root === true ? common[commonKey(name, field)] : undefined);
    return [name, field === undefined ? { ...described(text), type: 'string' } : property(field, text, dialect)];
  });
  return { properties: Object.fromEntries(published) };
}

function commonKey(name: string, field: AnyField | undefined): string {
  return name === 'metadata' && nameOf(field?.schema ?? { is: 'json' })?.endsWith('.ListMeta') === true ? 'listMetadata' : name;
}

function property(field: AnyField, text: string | undefined, dialect: Dialect): OpenApiSchema {
  const { rules, schema } = field;
  const shape = valueOf(schema, dialect, rules.enum);
  const value = dialect.version === 3 ? publishedDefault(field) : undefined;
  return withRef({ ...described(text), ...withDefault(shape, value), ...fieldExtensions(rules) }, dialect.version);
}

/** What a value of a Go type that cannot be absent looks like when nobody sets it. */
function publishedDefault({ presence, rules, schema }: AnyField): unknown {
  if (rules.published !== undefined) return rules.published ?? undefined;
  if (rules.default !== undefined) return rules.default;
  if (presence === 'pointer') return undefined;
  const written = rules.written === 'always' || (presence === 'required' && rules.written === undefined);
  return written || schema.is === 'struct' ? zeroOf(schema) : undefined;
}

function zeroOf(schema: AnySchema): unknown {
  switch (schema.is) {
    case 'struct':
      return {};
    case 'string':
      return '';
    case 'boolean':
      return false;
    case 'int32':
    case 'int64':
    case 'double':
      return 0;
    default:
      return undefined;
  }
}

function fieldExtensions({ merge, atomic, patch }: FieldRules): OpenApiSchema {
  const keys = typeof merge === 'object' ? merge.keys : undefined;
  return {
    ...(keys !== undefined && { 'x-kubernetes-list-map-keys': keys }),
    ...(merge !== undefined && { 'x-kubernetes-list-type': keys === undefined ? merge : 'map' }),
    ...(atomic !== undefined && { 'x-kubernetes-map-type': atomic ? 'atomic' : 'granular' }),
    ...(patch?.key !== undefined && { 'x-kubernetes-patch-merge-key': patch.key }),
    ...(patch?.strategy !== undefined && { 'x-kubernetes-patch-strategy': patch.strategy }),
  };
}

/** The shape of a value; `allowed` goes to the innermost scalar. */
function valueOf(schema: AnySchema, dialect: Dialect, allowed?: readonly string[]): OpenApiSchema {
  const name = nameOf(schema);
  if (name !== undefined) {
    dialect.refersTo(schema);
    return { $ref: refTo(name, dialect.version) };
  }
  if (schema.is === 'list') return { type: 'array', items: elementOf(schema.item, dialect, allowed) };
  if (schema.is === 'map') return { type: 'object', additionalProperties: elementOf(schema.value, dialect, allowed) };
  if (schema.is === 'struct') return structDefinition(schema, dialect);
  return { ...scalarDefinition(schema, dialect), ...(allowed !== undefined && { enum: [...allowed].sort(compareText) }) };
}

/** List items and map values are always there, so their zero value is published. */
function elementOf(schema: AnySchema, dialect: Dialect, allowed: readonly string[] | undefined): OpenApiSchema {
  const shape = valueOf(schema, dialect, allowed);
  return withRef(withDefault(shape, dialect.version === 3 ? zeroOf(schema) : undefined), dialect.version);
}

function scalarDefinition(schema: AnySchema, { version }: Dialect): OpenApiSchema {
  const forms: Partial<Record<AnySchema['is'], OpenApiSchema>> = version === 2 ? { ...scalarForms, ...scalarForms2 } : scalarForms;
  return { ...forms[schema.is] };
}

const scalarForms: Readonly<Record<ScalarSchema['is'], OpenApiSchema>> = {
  string: { type: 'string' },
  boolean: { type: 'boolean' },
  int32: { type: 'integer', format: 'int32' },
  int64: { type: 'integer', format: 'int64' },
  double: { type: 'number', format: 'double' },
  bytes: { type: 'string', format: 'byte' },
  quantity: { oneOf: [{ type: 'string' }, { type: 'number' }] },
  intOrString: { format: 'int-or-string', oneOf: [{ type: 'integer' }, { type: 'string' }] },
  time: { type: 'string', format: 'date-time' },
  microTime: { type: 'string', format: 'date-time' },
  duration: { type: 'string' },
  rawExtension: { type: 'object' },
  fieldsV1: { type: 'object' },
  json: {},
  schemaOrArray: {},
  schemaOrBool: {},
  schemaOrStringArray: {},
};

/** Swagger 2.0 has no unions. */
const scalarForms2: Partial<Record<ScalarSchema['is'], OpenApiSchema>> = {
  quantity: { type: 'string' },
  intOrString: { type: 'string', format: 'int-or-string' },
};

/** OpenAPI 3 ignores what stands beside a `$ref`, so the reference moves into an `allOf`. */
function withRef(schema: OpenApiSchema, version: 2 | 3): OpenApiSchema {
  const { $ref, ...beside } = schema;
  if ($ref === undefined || version === 2 || Object.keys(beside).length === 0) return schema;
  const { description, default: value, ...extensions } = beside;
  return { ...described(description), ...(value !== undefined && { default: value }), allOf: [{ $ref }], ...extensions };
}

/** Where the default stands among the other keys: behind type and format, before the rest. */
function withDefault(schema: OpenApiSchema, value: unknown): OpenApiSchema {
  if (value === undefined) return schema;
  const { type, format, ...rest } = schema;
  return { ...(type !== undefined && { type }), ...(format !== undefined && { format }), default: value, ...rest };
}

function described(description: unknown): OpenApiSchema {
  return description === undefined ? {} : { description };
}

export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
