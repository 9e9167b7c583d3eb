// The OpenAPI schema of a custom resource becomes the same structure that built-in kinds are declared in.
// Its parts are compiled when somebody looks at them: a definition that nobody uses costs nothing.
import type {
  AnyField,
  AnySchema,
  FieldRules,
  FieldTable,
  ListSchema,
  MapSchema,
  ScalarSchema,
  StructOptions,
  StructSchema,
  ValueRules,
} from '#schema/build.ts';

/** JSONSchemaProps as JSON has it; the same keys that kinds/apiextensions/v1/json-schema-props.ts declares. */
export interface OpenApiSource {
  readonly [keyword: string]: unknown;
}

/** A whole custom object. `metadata` is the table of ObjectMeta, which every object has whatever its schema says. */
export function schemaFromOpenApi(source: OpenApiSource, metadata: StructSchema): StructSchema {
  const fields = lazily(() => ({ ...fieldsOf(source), metadata: { tag: 0, schema: metadata, presence: 'pointer' as const, rules: {} } }));
  return structOf(source, fields, { root: true, source });
}

/** Any part of such a schema, also one inside allOf, anyOf, oneOf and not, where types are not repeated. */
export function valueFromOpenApi(source: OpenApiSource): AnySchema {
  const rules = rulesOf(source);
  if (source['x-kubernetes-int-or-string'] === true) return { is: 'intOrString', rules };
  switch (source['type'] ?? shapeOf(source)) {
    case 'object':
      return source['additionalProperties'] === undefined
        ? structOf(
            source,
            lazily(() => fieldsOf(source)),
          )
        : mapOf(source, rules);
    case 'array':
      return listOf(source, rules);
    case 'string':
      return { is: 'string', rules };
    case 'boolean':
      return { is: 'boolean', rules };
    case 'integer':
      return { is: 'int64', rules };
    case 'number':
      return { is: 'double', rules };
    default:
      return { is: 'json', rules };
  }
}

/** What a schema without type talks about. */
function shapeOf(source: OpenApiSource): 'object' | 'array' | undefined {
  if (source['properties'] !== undefined || source['additionalProperties'] !== undefined) return 'object';
  return source['items'] === undefined ? undefined : 'array';
}

function structOf(source: OpenApiSource, fields: () => FieldTable, options: StructOptions = {}): StructSchema {
  const struct = {
    is: 'struct' as const,
    name: '',
    options: {
      ...options,
      ...(source['x-kubernetes-preserve-unknown-fields'] === true && { preserveUnknown: true }),
      ...(source['x-kubernetes-embedded-resource'] === true && { embeddedResource: true }),
      ...(source['x-kubernetes-map-type'] === 'atomic' && { atomic: true }),
    },
    rules: rulesOf(source),
    get fields() {
      return fields();
    },
  };
  return struct;
}

function fieldsOf(source: OpenApiSource): FieldTable {
  const required = new Set((source['required'] ?? []) as readonly string[]);
  const fields: [string, AnyField][] = Object.entries((source['properties'] ?? {}) as Record<string, OpenApiSource>).map(([name, property]) => [
    name,
    { tag: 0, schema: valueFromOpenApi(property), presence: required.has(name) ? 'required' : 'pointer', rules: fieldRulesOf(property) },
  ]);
  return Object.fromEntries(fields);
}

function fieldRulesOf(source: OpenApiSource): FieldRules {
  const merge = mergeOf(source);
  const mapType = source['x-kubernetes-map-type'];
  return { ...(merge !== undefined && { merge }), ...(mapType !== undefined && { atomic: mapType === 'atomic' }) };
}

function mergeOf(source: OpenApiSource): FieldRules['merge'] {
  switch (source['x-kubernetes-list-type']) {
    case 'map':
      return { keys: (source['x-kubernetes-list-map-keys'] ?? []) as readonly string[] };
    case 'set':
      return 'set';
    case 'atomic':
      return 'atomic';
    default:
      return undefined;
  }
}

function mapOf(source: OpenApiSource, rules: ValueRules): AnySchema {
  const values = source['additionalProperties'];
  return {
    is: 'map',
    rules: values === false ? { ...rules, closed: true } : rules,
    ...(source['x-kubernetes-map-type'] === 'atomic' && { atomic: true }),
    value: typeof values === 'object' && values !== null ? valueFromOpenApi(values as OpenApiSource) : unspecified,
  };
}

/** `additionalProperties: true`: values of any type, but nothing is known about the members of objects. */
const unspecified: StructSchema = { is: 'struct', name: '', fields: {}, options: {}, rules: { untyped: true } };

/** The schema of a map's values; undefined where `additionalProperties` says no more than that there may be some. */
export function describedValue({ value }: MapSchema): AnySchema | undefined {
  return value === unspecified ? undefined : value;
}

function listOf(source: OpenApiSource, rules: ValueRules): ListSchema {
  const merge = mergeOf(source);
  const items = source['items'];
  const item = typeof items === 'object' && items !== null ? valueFromOpenApi(withPreserved(source, items as OpenApiSource)) : anything;
  return { is: 'list', rules, item, ...(merge !== undefined && { merge }) };
}

const anything: ScalarSchema = { is: 'json', rules: { untyped: true } };

/** A list that preserves unknown fields does so for its items. */
function withPreserved(list: OpenApiSource, item: OpenApiSource): OpenApiSource {
  const preserves = list['x-kubernetes-preserve-unknown-fields'] === true;
  return preserves ? { ...item, 'x-kubernetes-preserve-unknown-fields': true } : item;
}

const keywords = `default enum format pattern minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength
  minItems maxItems uniqueItems minProperties maxProperties required`.split(/\s+/);
const junctors = ['allOf', 'anyOf', 'oneOf', 'not'] as const;

function rulesOf(source: OpenApiSource): ValueRules {
  const found = junctors.filter((name) => source[name] !== undefined);
  const validations = source['x-kubernetes-validations'] as readonly unknown[] | undefined;
  return {
    ...(source['type'] === undefined && source['x-kubernetes-int-or-string'] !== true && { untyped: true }),
    ...(source['nullable'] === true && { nullable: true }),
    ...Object.fromEntries(keywords.filter((name) => source[name] !== undefined).map((name) => [name, source[name]])),
    ...(found.length > 0 && { junctors: Object.fromEntries(found.map((name) => [name, source[name]])) }),
    ...(validations !== undefined && { validations }),
  };
}

function lazily<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
