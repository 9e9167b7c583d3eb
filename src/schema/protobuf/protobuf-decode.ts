// From a schema to a function that reads its objects from protobuf into the canonical form: required values are filled in,
// optional ones that are zero are left out, fields that nobody declared are passed over.
import type { AnyField, AnySchema, ListSchema, MapSchema, ScalarSchema, StructSchema } from '#schema/build.ts';
import { setMember } from '#schema/clone.ts';
import { defineFields } from '#schema/fields-text/fields-text.ts';
import { keepSet, recognizedSet } from '#schema/fields-text/recognized-set.ts';
import { jsonValue } from '#schema/protobuf/protobuf-json.ts';
import { type FieldPlan, planOf, pointsToTime, zeroOf } from '#schema/struct-plan.ts';
import { readDuration, readIntOrString, readMessage, readMicroTime, readQuantity, readRaw, readRawJson, readTime } from '#schema/protobuf/protobuf-types.ts';
import { ProtobufError, type ProtobufReader } from '#base/protobuf/protobuf-reader.ts';

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
}

const compiled = new WeakMap<StructSchema, StructReader>();

export function structReaderOf(schema: StructSchema): StructReader {
  const known = compiled.get(schema);
  if (known !== undefined) return known;
  let fields: ReadonlyMap<number, ReadField> | undefined;
  const shortName = schema.name.slice(schema.name.lastIndexOf('.') + 1);
  const reader: StructReader = {
    create: () => zeroOf(schema) as Fields,
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

function fieldsOf(schema: StructSchema): Map<number, ReadField> {
  const fields = new Map<number, ReadField>();
  for (const [name, field] of Object.entries(schema.fields)) {
    const tag = field.via?.tag ?? field.tag;
    if (tag === 0) throw new Error(`${schema.name} has no protobuf form`);
    const plan = planOf(schema).fields.get(name);
    if (!fields.has(tag)) fields.set(tag, field.via === undefined ? readerOf(name, field.schema, plan) : embedded(field.via));
  }
  return fields;
}

/** The message of an embedded Go struct: its fields belong to the object itself. */
function embedded({ protoName, struct }: NonNullable<AnyField['via']>): ReadField {
  const { readInto } = structReaderOf(struct);
  return (reader, wireType, object) => {
    expectWireType(wireType, 2, protoName);
    const outer = reader.enter();
    readInto(reader, object);
    reader.leave(outer);
  };
}

function readerOf(name: string, schema: AnySchema, plan: FieldPlan | undefined): ReadField {
  if (schema.is === 'list' && schema.wrapped === undefined) return repeated(name, schema);
  if (schema.is === 'map') return mapEntry(name, schema);
  if (schema.is === 'fieldsV1') return fieldSet(name);
  const { wireType, read } = valueReaderOf(schema);
  const dropsEmpty = plan?.dropsEmpty === true;
  const keepsNull = plan !== undefined && pointsToTime(plan);
  // Of other values the last one counts, and the object need not be asked for the one before.
  const continues = schema.is === 'struct';
  return (reader, found, object) => {
    expectWireType(found, wireType, name);
    const value = read(reader, continues ? object[name] : undefined);
    if ((keepsNull || value !== null) && !(dropsEmpty && isEmpty(value))) object[name] = value;
    else if (object[name] !== undefined) delete object[name];
  };
}

/** Stays the text it is where that text is known. */
function fieldSet(name: string): ReadField {
  return (reader, found, object) => {
    expectWireType(found, 2, name);
    const raw = readRaw(reader);
    const text = recognizedSet(raw);
    if (text !== undefined) return defineFields(object, text);
    const value = jsonValue(raw);
    keepSet(raw, value);
    if (value !== null) object[name] = value;
    else if (object[name] !== undefined) delete object[name];
  };
}

function isEmpty(value: unknown): boolean {
  return value === '' || value === 0 || value === false || (Array.isArray(value) && value.length === 0);
}

/** An item counts twice: a list may be no longer than in JSON, where only fields that are not empty count. */
function repeated(name: string, { item }: ListSchema): ReadField {
  const { wireType, read } = valueReaderOf(item);
  return (reader, found, object) => {
    object[name] ??= [];
    const list = object[name] as unknown[];
    if (found === 2 && wireType === 0) {
      reader.nested((inner) => {
        while (!inner.done) {
          inner.count();
          inner.count();
          list.push(read(inner, undefined));
        }
      });
      return;
    }
    expectWireType(found, wireType, name);
    reader.count();
    list.push(read(reader, undefined));
  };
}

function mapEntry(name: string, { value }: MapSchema): ReadField {
  const { wireType, read } = valueReaderOf(value);
  return (reader, found, object) => {
    expectWireType(found, 2, name);
    object[name] ??= {};
    let key = '';
    let entry: unknown;
    const outer = reader.enter();
    while (!reader.done) {
      const tag = reader.key(name);
      if (tag >>> 3 === 1) key = reader.text();
      else if (tag >>> 3 === 2 && (tag & 7) === wireType) entry = read(reader, entry);
      else reader.skip(tag & 7);
    }
    reader.leave(outer);
    setMember(object[name] as Fields, key, entry ?? zeroEntry(value));
  };
}

/** An entry whose value is not in the message. */
function zeroEntry(schema: AnySchema): unknown {
  if (schema.is === 'bytes') return '';
  return schema.is === 'list' ? [] : (zeroOf(schema) ?? null);
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
    const outer = reader.enter();
    readInto(reader, object);
    reader.leave(outer);
    return object;
  };
  return { wireType: 2, read };
}

function wrappedList({ item }: ListSchema): ValueReader {
  const readItem = repeated('items', { is: 'list', item });
  const read = (reader: ProtobufReader): unknown => {
    const holder = readMessage<Fields>(reader, 'items', { items: [] }, (inner, tag, wireType, collected) => {
      if (tag !== 1) return false;
      readItem(inner, wireType, collected);
      return true;
    });
    return holder['items'];
  };
  return { wireType: 2, read };
}

const scalarReaders: Readonly<Record<ScalarSchema['is'], (schema: ScalarSchema) => ValueReader>> = {
  string: () => ({ wireType: 2, read: (reader) => reader.text() }),
  boolean: () => ({ wireType: 0, read: (reader) => reader.boolean() }),
  int32: () => ({ wireType: 0, read: (reader) => reader.int32() }),
  int64: () => ({ wireType: 0, read: (reader) => reader.int64() }),
  double: () => ({ wireType: 1, read: (reader) => reader.double() }),
  bytes: () => ({ wireType: 2, read: (reader) => reader.bytes().toString('base64') }),
  quantity: () => ({ wireType: 2, read: readQuantity }),
  intOrString: () => ({ wireType: 2, read: readIntOrString }),
  time: () => ({ wireType: 2, read: readTime }),
  microTime: () => ({ wireType: 2, read: readMicroTime }),
  duration: () => ({ wireType: 2, read: readDuration }),
  rawExtension: () => ({ wireType: 2, read: readRawJson }),
  fieldsV1: () => ({ wireType: 2, read: readRawJson }),
  json: () => ({ wireType: 2, read: readRawJson }),
  schemaOrArray: schemaOrOther,
  schemaOrBool: schemaOrOther,
  schemaOrStringArray: schemaOrOther,
};

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
  return { wireType: 2, read };
}

function expectWireType(found: number, wanted: number, field: string): void {
  if (found !== wanted) throw new ProtobufError(`proto: wrong wireType = ${found} for field ${field.charAt(0).toUpperCase()}${field.slice(1)}`);
}
