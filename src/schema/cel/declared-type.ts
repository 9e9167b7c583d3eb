// Schemas as CEL types. A declared type knows what the checker needs (types of fields by their names in expressions) and what the cost
// estimator needs (how large a value can be, given its schema and the size of a request), as upstream's SchemaDeclType does.
import { maximumRequestBytes } from '#cel/cost/limits.ts';
import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  dynType,
  intType,
  listType,
  mapType,
  objectType,
  stringType,
  timestampType,
  type Type,
  type TypeProvider,
} from '#cel/type.ts';
import type { AnySchema, ListSchema, MapSchema, ScalarSchema, StructSchema } from '#schema/build.ts';
import { celName } from '#schema/cel/property-names.ts';
import { describedValue, type OpenApiSource, valueFromOpenApi } from '#schema/structural/from-openapi.ts';

export interface DeclaredType {
  readonly type: Type;
  /** The least bytes a value takes in JSON: how many fit into a request follows from it. */
  readonly minBytes: number;
  /** The most elements, entries, characters or bytes a value can have; 0 for values without a size. */
  readonly maxElements: number;
  readonly element?: DeclaredType;
  readonly key?: DeclaredType;
  /** By their names in expressions. */
  readonly fields?: ReadonlyMap<string, DeclaredType>;
}

const quotes = 2;
const minText = quotes;
const minDuration = 3;
const minDateTime = 21;
const dateLength = 12;
const maxTimeLength = 32;

/** Undefined where the schema says too little for an expression to look into. `name` is the type name of objects, their members' are below it. */
export function declaredType(schema: AnySchema, name: string, isRoot = false): DeclaredType | undefined {
  switch (schema.is) {
    case 'intOrString':
      return { type: dynType, minBytes: 1, maxElements: textSize(schema.rules?.maxLength) };
    case 'list':
      return listOf(schema, name);
    case 'map':
      return mapOf(schema, name);
    case 'struct':
      return schema.rules?.untyped === true ? undefined : objectOf(schema, name, isRoot || schema.options.embeddedResource === true);
    case 'string':
      return textOf(schema);
    case 'boolean':
      return { type: boolType, minBytes: 4, maxElements: 0 };
    case 'double':
      return { type: doubleType, minBytes: 1, maxElements: 0 };
    case 'int32':
    case 'int64':
      return { type: intType, minBytes: 1, maxElements: 0 };
    default:
      return undefined;
  }
}

function listOf(schema: ListSchema, name: string): DeclaredType | undefined {
  const element = declaredType(schema.item, `${name}.@idx`);
  if (element === undefined) return undefined;
  const room = Math.floor((maximumRequestBytes - quotes) / (element.minBytes + 1));
  return { type: listType(element.type), minBytes: 2, maxElements: Math.max(Number(schema.rules?.maxItems ?? room), 0), element };
}

const mapKey: DeclaredType = { type: stringType, minBytes: minText, maxElements: 0 };

function mapOf(schema: MapSchema, name: string): DeclaredType | undefined {
  const value = describedValue(schema);
  // Of `additionalProperties: true` an expression sees an object without properties.
  if (value === undefined) return { type: objectType(name), minBytes: 2, maxElements: 0, fields: new Map() };
  const element = declaredType(value, `${name}.@elem`);
  if (element === undefined) return undefined;
  // `"":v,`: quotes and colon of the shortest key, and a comma.
  const room = Math.floor((maximumRequestBytes - quotes) / (element.minBytes + 6));
  return { type: mapType(stringType, element.type), minBytes: 2, maxElements: Math.max(Number(schema.rules?.maxProperties ?? room), 0), element, key: mapKey };
}

function objectOf(schema: StructSchema, name: string, isWhole: boolean): DeclaredType {
  const fields = new Map<string, DeclaredType>();
  let minBytes = 2;
  const required = new Set(schema.rules?.required ?? []);
  const add = (property: string, of: AnySchema, declared: DeclaredType | undefined) => {
    if (declared === undefined) return;
    const escaped = celName(property);
    if (escaped !== undefined) fields.set(escaped, declared);
    if (required.has(property) && of.rules?.default === undefined) minBytes += property.length + declared.minBytes + 4;
  };
  const implied = isWhole ? membersOf(schema) : none;
  for (const [property, { schema: of }] of Object.entries(schema.fields)) {
    if (!implied.has(property)) add(property, of, declaredType(of, `${name}.${property}`));
  }
  for (const [property, of] of implied) add(property, of, declaredType(of, `${name}.${property}`));
  return { type: objectType(name), minBytes, maxElements: 0, fields };
}

const plainText: AnySchema = { is: 'string' };
const nameOnly: StructSchema = {
  is: 'struct',
  name: '',
  options: {},
  fields: {
    name: { tag: 0, schema: plainText, presence: 'pointer', rules: {} },
    generateName: { tag: 0, schema: plainText, presence: 'pointer', rules: {} },
  },
};

/** What rules may look at in every whole object, whatever its schema says: of metadata the names alone. */
const wholeObject: ReadonlyMap<string, AnySchema> = new Map<string, AnySchema>([
  ['apiVersion', plainText],
  ['kind', plainText],
  ['metadata', nameOnly],
]);

export const objectMembers = wholeObject;
const none: typeof wholeObject = new Map();

/** A schema that declares all of them, down to both names, is taken at its word: it may say how long a name can be. */
function membersOf({ fields, options }: StructSchema): typeof wholeObject {
  const source = options.root === true ? (options.source?.['properties'] as Readonly<Record<string, OpenApiSource>> | undefined)?.['metadata'] : undefined;
  const metadata = source === undefined ? fields['metadata']?.schema : valueFromOpenApi(source);
  const [apiVersion, kind] = [fields['apiVersion']?.schema, fields['kind']?.schema];
  if (metadata?.is !== 'struct' || apiVersion?.is !== 'string' || kind?.is !== 'string') return wholeObject;
  const names = [metadata.fields['name'], metadata.fields['generateName']];
  const declared: typeof wholeObject = new Map<string, AnySchema>([
    ['apiVersion', apiVersion],
    ['kind', kind],
    ['metadata', metadata],
  ]);
  return metadata.name === '' && names.every((field) => field?.schema.is === 'string') ? declared : wholeObject;
}

function textOf({ rules = {} }: ScalarSchema): DeclaredType {
  const { format, maxLength, enum: choices } = rules;
  switch (format) {
    case 'byte':
      return { type: bytesType, minBytes: minText, maxElements: Math.max(Number(maxLength ?? maximumRequestBytes - quotes), 0) };
    case 'duration':
      return { type: durationType, minBytes: minDuration, maxElements: maxTimeLength };
    case 'date':
      return { type: timestampType, minBytes: dateLength, maxElements: dateLength };
    case 'date-time':
      return { type: timestampType, minBytes: minDateTime, maxElements: maxTimeLength };
    default:
      return { type: stringType, minBytes: minText, maxElements: maxLength === undefined && choices?.length ? longest(choices) : textSize(maxLength) };
  }
}

/** A character may take four bytes, and is counted so. */
function textSize(maxLength: number | undefined): number {
  return maxLength === undefined ? maximumRequestBytes - quotes : Math.max(Number(maxLength), 0) * 4;
}

function longest(choices: readonly unknown[]): number {
  return Math.max(0, ...choices.map((choice) => (typeof choice === 'string' ? Buffer.byteLength(choice) : 0)));
}

/** The object types of a declared type, by name. */
export function typeProvider(root: DeclaredType): TypeProvider {
  const objects = new Map<string, DeclaredType>();
  const visit = (declared: DeclaredType) => {
    if (declared.fields !== undefined) objects.set(declared.type.name, declared);
    for (const member of declared.fields?.values() ?? []) visit(member);
    if (declared.element !== undefined) visit(declared.element);
  };
  visit(root);
  return {
    findType: (name) => objects.get(name)?.type,
    findField: (name, field) => objects.get(name)?.fields?.get(field)?.type,
  };
}
