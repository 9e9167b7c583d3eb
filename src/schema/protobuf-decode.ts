// From a schema to a function that reads its objects from protobuf into the canonical form: required values are filled in,
// optional ones that are zero are left out, fields that nobody declared are passed over.
import type { AnyField, AnySchema, ListSchema, MapSchema, ScalarSchema, StructSchema } from '#schema/build.ts';
import { setMember } from '#schema/clone.ts';
import { readDuration, readIntOrString, readMessage, readMicroTime, readQuantity, readRawJson, readTime } from '#schema/protobuf-types.ts';
import { ProtobufError, type ProtobufReader } from '#schema/protobuf-reader.ts';

type Fields = Record<string, unknown>;

export interface StructReader {
  /** An object with everything that is there even when the message is empty. */
  readonly create: () => Fields;
  /** Reads the fields up to the end of the (nested) message; may be called twice for one object, the later field wins. */
  readonly readInto: (reader: ProtobufReader, object: Fields) => void;
}

/** Reads one field's value into the object. */
type ReadField = (reader: ProtobufReader, wireType: number, object: Fields) => void;

/** Reads one value; `earlier` is what the same field said before. */
interface ValueReader {
  readonly wireType: number;
  readonly read: (reader: ProtobufReader, earlier: unknown) => unknown;
  /** What an entry of a map or a field that cannot be absent holds when the message does not say; undefined: nothing. */
  readonly zero: () => unknown;
}

const compiled = new WeakMap<StructSchema, StructReader>();

export function structReaderOf(schema: StructSchema): StructReader {
  const known = compiled.get(schema);
  if (known !== undefined) return known;
  let fields: ReadonlyMap<number, ReadField> | undefined;
  let present: readonly (readonly [name: string, zero: () => unknown])[] | undefined;
  const shortName = schema.name.slice(schema.name.lastIndexOf('.') + 1);
  const reader: StructReader = {
    create: () => {
      const object: Fields = {};
      present ??= presentFields(schema);
      for (const [name, zero] of present) object[name] = zero();
      return object;
    },
    readInto: (wire, object) => {
      fields ??= fieldsOf(schema);
      while (!wire.done) {
        const key = wire.key(shortName);
        const read = fields.get(key >>> 3);
        if (read === undefined) wire.skip(key & 7);
        else read(wire, key & 7, object);
      }
    },
  };
  compiled.set(schema, reader);
  return reader;
}

/** Fields that Go holds by value and writes: they are there whatever the message says. */
function presentFields(schema: StructSchema): (readonly [string, () => unknown])[] {
  return Object.entries(schema.fields)
    .filter(([, field]) => isAlwaysPresent(field))
    .map(([name, field]) => [name, valueReaderOf(field.schema).zero] as const);
}

const held = new Set<AnySchema['is']>(['struct', 'quantity', 'intOrString', 'duration']);
const plain = new Set<AnySchema['is']>(['string', 'boolean', 'int32', 'int64', 'double']);

function isAlwaysPresent(field: AnyField): boolean {
  return field.presence !== 'pointer' && (held.has(field.schema.is) || (plain.has(field.schema.is) && isWrittenWhenZero(field)));
}

function isWrittenWhenZero({ presence, rules }: AnyField): boolean {
  return rules.written === 'always' || (presence === 'required' && rules.written !== 'nonempty');
}

function fieldsOf(schema: StructSchema): Map<number, ReadField> {
  const fields = new Map<number, ReadField>();
  for (const [name, field] of Object.entries(schema.fields)) {
    const tag = field.via?.tag ?? field.tag;
    if (tag === 0) throw new Error(`${schema.name} has no protobuf form`);
    if (!fields.has(tag)) fields.set(tag, field.via === undefined ? readerOf(name, field) : embedded(field.via));
  }
  return fields;
}

/** The message of an embedded Go struct: its fields belong to the object itself. */
function embedded({ protoName, struct }: NonNullable<AnyField['via']>): ReadField {
  const { readInto } = structReaderOf(struct);
  return (reader, wireType, object) => {
    expectWireType(wireType, 2, protoName);
    reader.nested((inner) => readInto(inner, object));
  };
}

function readerOf(name: string, field: AnyField): ReadField {
  const { schema } = field;
  if (schema.is === 'list' && schema.wrapped === undefined) return repeated(name, schema);
  if (schema.is === 'map') return mapEntry(name, schema);
  const { wireType, read } = valueReaderOf(schema);
  const keepsZero = field.presence === 'pointer' || held.has(schema.is) || isWrittenWhenZero(field);
  return (reader, found, object) => {
    expectWireType(found, wireType, name);
    const value = read(reader, object[name]);
    if (value === null || (!keepsZero && isZero(value))) delete object[name];
    else object[name] = value;
  };
}

function isZero(value: unknown): boolean {
  return value === '' || value === 0 || value === false;
}

function repeated(name: string, { item }: ListSchema): ReadField {
  const { wireType, read } = valueReaderOf(item);
  return (reader, found, object) => {
    object[name] ??= [];
    const list = object[name] as unknown[];
    if (found === 2 && wireType === 0) {
      reader.nested((inner) => {
        while (!inner.done) list.push(read(inner, undefined));
      });
      return;
    }
    expectWireType(found, wireType, name);
    list.push(read(reader, undefined));
  };
}

function mapEntry(name: string, { value }: MapSchema): ReadField {
  const { wireType, read, zero } = valueReaderOf(value);
  return (reader, found, object) => {
    expectWireType(found, 2, name);
    object[name] ??= {};
    let key = '';
    let entry: unknown;
    reader.nested((inner) => {
      while (!inner.done) {
        const tag = inner.key(name);
        if (tag >>> 3 === 1) key = inner.text();
        else if (tag >>> 3 === 2 && (tag & 7) === wireType) entry = read(inner, entry);
        else inner.skip(tag & 7);
      }
    });
    setMember(object[name] as Fields, key, entry ?? zero() ?? null);
  };
}

function valueReaderOf(schema: AnySchema): ValueReader {
  if (schema.is === 'struct') return structValue(schema);
  if (schema.is === 'list') return wrappedList(schema);
  if (schema.is === 'map') throw new Error('protobuf has no map of maps');
  return scalarReaders[schema.is](schema);
}

function structValue(schema: StructSchema): ValueReader {
  const { create, readInto } = structReaderOf(schema);
  const read = (reader: ProtobufReader, earlier: unknown): unknown => {
    const object = (earlier as Fields | undefined) ?? create();
    reader.nested((inner) => readInto(inner, object));
    return object;
  };
  return { wireType: 2, read, zero: create };
}

function wrappedList({ item }: ListSchema): ValueReader {
  const readItem = repeated('items', { is: 'list', item });
  const zero = (): Fields => ({ items: [] });
  const read = (reader: ProtobufReader): unknown => {
    const holder = readMessage(reader, 'items', zero(), (inner, tag, wireType, collected) => {
      if (tag !== 1) return false;
      readItem(inner, wireType, collected);
      return true;
    });
    return holder['items'];
  };
  return { wireType: 2, read, zero: () => [] };
}

const scalarReaders: Readonly<Record<ScalarSchema['is'], (schema: ScalarSchema) => ValueReader>> = {
  string: () => ({ wireType: 2, read: (reader) => reader.text(), zero: () => '' }),
  boolean: () => ({ wireType: 0, read: (reader) => reader.boolean(), zero: () => false }),
  int32: () => ({ wireType: 0, read: (reader) => reader.int32(), zero: () => 0 }),
  int64: () => ({ wireType: 0, read: (reader) => reader.int64(), zero: () => 0 }),
  double: () => ({ wireType: 1, read: (reader) => reader.double(), zero: () => 0 }),
  bytes: () => ({ wireType: 2, read: (reader) => reader.bytes().toString('base64'), zero: () => '' }),
  quantity: () => ({ wireType: 2, read: readQuantity, zero: () => '0' }),
  intOrString: () => ({ wireType: 2, read: readIntOrString, zero: () => 0 }),
  time: () => ({ wireType: 2, read: readTime, zero: nothing }),
  microTime: () => ({ wireType: 2, read: readMicroTime, zero: nothing }),
  duration: () => ({ wireType: 2, read: readDuration, zero: () => '0s' }),
  rawExtension: () => ({ wireType: 2, read: readRawJson, zero: nothing }),
  fieldsV1: () => ({ wireType: 2, read: readRawJson, zero: nothing }),
  json: () => ({ wireType: 2, read: readRawJson, zero: nothing }),
  schemaOrArray: schemaOrOther,
  schemaOrBool: schemaOrOther,
  schemaOrStringArray: schemaOrOther,
};

function nothing(): undefined {
  return undefined;
}

/** One of the unions inside JSONSchemaProps: which tag is the schema depends on the union. */
function schemaOrOther({ is, of }: ScalarSchema): ValueReader {
  if (of === undefined) throw new Error('a union of schemas without its struct');
  const { wireType, read: readSchema } = structValue(of());
  const schemaTag = is === 'schemaOrBool' ? 2 : 1;
  const read = (reader: ProtobufReader): unknown => {
    const parts: { schema?: unknown; allows?: boolean; list?: unknown[] } = {};
    readMessage(reader, is, parts, (inner, tag, found) => {
      if (tag === schemaTag && found === wireType) parts.schema = readSchema(inner, parts.schema);
      else if (is === 'schemaOrBool' && tag === 1 && found === 0) parts.allows = inner.boolean();
      else if (is === 'schemaOrArray' && tag === 2 && found === 2) (parts.list ??= []).push(readSchema(inner, undefined));
      else if (is === 'schemaOrStringArray' && tag === 2 && found === 2) (parts.list ??= []).push(inner.text());
      else return false;
      return true;
    });
    if (is === 'schemaOrBool') return parts.schema ?? parts.allows ?? false;
    return (parts.list ?? parts.schema) || null;
  };
  return { wireType: 2, read, zero: nothing };
}

function expectWireType(found: number, wanted: number, field: string): void {
  if (found !== wanted) throw new ProtobufError(`proto: wrong wireType = ${found} for field ${field.charAt(0).toUpperCase()}${field.slice(1)}`);
}
