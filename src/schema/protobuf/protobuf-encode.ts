// From a schema to a function that writes its objects the way the original's generated code does: fields in ascending order,
// values that cannot be absent always there, map entries sorted by key.
import { parseDuration } from '#base/time/duration.ts';
import type { AnyField, AnySchema, ListSchema, MapSchema, ScalarSchema, StructSchema } from '#schema/build.ts';
import { writeJson as escapedJson } from '#schema/json/json-text.ts';
import { jsonText } from '#schema/protobuf/protobuf-json.ts';
import { zeroOf as zeroInMemory } from '#schema/struct-plan.ts';

/** What objects are written to, from the last byte to the first: see ProtobufWriter. */
export interface ProtobufSink {
  /** Only the difference between two lengths counts. */
  readonly length: number;
  key(tag: number, wireType: number): void;
  close(tag: number, before: number): void;
  boolean(value: boolean): void;
  varint(value: number | bigint): void;
  double(value: number): void;
  bytes(value: Uint8Array): void;
  text(value: string): void;
}

type Fields = Readonly<Record<string, unknown>>;

/** Writes the fields of an object, without length. */
export type WriteFields = (writer: ProtobufSink, object: Fields) => void;

/** Writes one present value with its tag. */
type WriteValue = (writer: ProtobufSink, tag: number, value: unknown) => void;

interface Part {
  readonly tag: number;
  readonly write: WriteFields;
}

const compiled = new WeakMap<StructSchema, WriteFields>();

export function fieldWriterOf(schema: StructSchema): WriteFields {
  const known = compiled.get(schema);
  if (known !== undefined) return known;
  let parts: readonly Part[] | undefined;
  const write: WriteFields = (writer, object) => {
    parts ??= partsOf(schema);
    for (const part of parts) part.write(writer, object);
  };
  compiled.set(schema, write);
  return write;
}

/** In descending order of tags, because the writer goes backwards. */
function partsOf(schema: StructSchema): Part[] {
  const parts = new Map<number, Part>();
  for (const [name, field] of Object.entries(schema.fields)) {
    const tag = field.via?.tag ?? field.tag;
    if (tag === 0) throw new Error(`${schema.name} has no protobuf form`);
    if (!parts.has(tag)) parts.set(tag, { tag, write: field.via === undefined ? ordinary(name, field) : embedded(field.via) });
  }
  return [...parts.values()].sort((a, b) => b.tag - a.tag);
}

/** The fields of an embedded Go struct stand in the object itself, but in a message of their own. */
function embedded({ tag, struct }: NonNullable<AnyField['via']>): WriteFields {
  const write = fieldWriterOf(struct);
  return (writer, object) => {
    const before = writer.length;
    write(writer, object);
    writer.close(tag, before);
  };
}

function ordinary(name: string, { tag, schema, presence }: AnyField): WriteFields {
  const write = writerOf(schema);
  const absent = presence === 'pointer' ? undefined : zeroOf(schema);
  const isTime = schema.is === 'time' || schema.is === 'microTime';
  return (writer, object) => {
    const given = object[name];
    const value = given === null && isTime ? null : (given ?? absent);
    if (value !== undefined) write(writer, tag, value);
  };
}

/** What stands for a Go value that was not set; undefined for what is nil then. */
function zeroOf(schema: AnySchema): unknown {
  if (schema.is === 'struct') return {};
  if (schema.is === 'time' || schema.is === 'microTime' || schema.is === 'rawExtension') return null;
  return zeroInMemory(schema);
}

function writerOf(schema: AnySchema): WriteValue {
  if (schema.is === 'list') return schema.wrapped === undefined ? repeated(schema) : wrapped(schema);
  if (schema.is === 'map') return mapEntries(schema);
  if (schema.is === 'struct') return message(schema);
  return scalarWriters[schema.is](schema);
}

const scalarWriters: Readonly<Record<ScalarSchema['is'], (schema: ScalarSchema) => WriteValue>> = {
  string: () => writeText,
  boolean: () => writeBoolean,
  int32: () => writeInteger,
  int64: () => writeInteger,
  double: () => writeDouble,
  bytes: () => writeBase64,
  quantity: () => nested((writer, value) => writeText(writer, 1, value)),
  intOrString: () => nested(writeIntOrString),
  time: () => nested(writeTime),
  microTime: () => nested(writeMicroTime),
  duration: () => nested((writer, value) => writeInteger(writer, 1, parseDuration(value as string))),
  rawExtension: () => nested(writeRaw),
  fieldsV1: () => nested(writeJson),
  json: () => nested(writeJson),
  schemaOrArray: (schema) => nested(writeUnion(schema, 1, 2)),
  schemaOrBool: (schema) => nested(writeUnion(schema, 2, 1)),
  schemaOrStringArray: (schema) => nested(writeUnion(schema, 1, 2)),
};

function nested(content: (writer: ProtobufSink, value: unknown) => void): WriteValue {
  return (writer, tag, value) => {
    const before = writer.length;
    content(writer, value);
    writer.close(tag, before);
  };
}

function writeText(writer: ProtobufSink, tag: number, value: unknown): void {
  const before = writer.length;
  writer.text(value as string);
  writer.close(tag, before);
}

function writeBoolean(writer: ProtobufSink, tag: number, value: unknown): void {
  writer.boolean(value as boolean);
  writer.key(tag, 0);
}

function writeInteger(writer: ProtobufSink, tag: number, value: unknown): void {
  writer.varint(value as number | bigint);
  writer.key(tag, 0);
}

function writeDouble(writer: ProtobufSink, tag: number, value: unknown): void {
  writer.double(Number(value));
  writer.key(tag, 1);
}

function writeBase64(writer: ProtobufSink, tag: number, value: unknown): void {
  const before = writer.length;
  writer.bytes(Buffer.from(value as string, 'base64'));
  writer.close(tag, before);
}

function writeIntOrString(writer: ProtobufSink, value: unknown): void {
  const isText = typeof value === 'string';
  writeText(writer, 3, isText ? value : '');
  writeInteger(writer, 2, isText ? 0 : value);
  writeInteger(writer, 1, isText ? 1 : 0);
}

/** The zero time is an empty message. */
function writeTime(writer: ProtobufSink, value: unknown): void {
  if (value === null) return;
  writeInteger(writer, 2, 0);
  writeInteger(writer, 1, Date.parse(value as string) / 1000);
}

function writeMicroTime(writer: ProtobufSink, value: unknown): void {
  if (value === null) return;
  const text = value as string;
  writeInteger(writer, 2, Number(text.slice(20, 26)) * 1000);
  writeInteger(writer, 1, Date.parse(`${text.slice(0, 19)}Z`) / 1000);
}

function writeJson(writer: ProtobufSink, value: unknown): void {
  if (value !== null) writeText(writer, 1, jsonText(value));
}

/** With the escapes that Go's encoder makes: kube-controller-manager compares the bytes of a ControllerRevision with what it would write. */
function writeRaw(writer: ProtobufSink, value: unknown): void {
  if (value !== null) writeText(writer, 1, escapedJson(value));
}

/** JSONSchemaProps on one side; a list of them, a list of texts or a boolean on the other. */
function writeUnion({ of }: ScalarSchema, schemaTag: number, otherTag: number): (writer: ProtobufSink, value: unknown) => void {
  if (of === undefined) throw new Error('a union of schemas without its struct');
  const write = message(of());
  return (writer, value) => {
    if (typeof value === 'boolean') writeBoolean(writer, otherTag, value);
    else if (Array.isArray(value)) backwards(value, (item) => (typeof item === 'string' ? writeText(writer, otherTag, item) : write(writer, otherTag, item)));
    else {
      write(writer, schemaTag, value);
      // A schema in the place of a boolean counts as true.
      if (otherTag < schemaTag) writeBoolean(writer, otherTag, true);
    }
  };
}

function message(schema: StructSchema): WriteValue {
  const write = fieldWriterOf(schema);
  return (writer, tag, value) => {
    const before = writer.length;
    write(writer, value as Fields);
    writer.close(tag, before);
  };
}

function repeated({ item }: ListSchema): WriteValue {
  const write = writerOf(item);
  const absent = zeroOf(item);
  return (writer, tag, value) => backwards(value as unknown[], (element) => write(writer, tag, element ?? absent ?? null));
}

function wrapped({ item }: ListSchema): WriteValue {
  const write = repeated({ is: 'list', item });
  return nested((writer, value) => write(writer, 1, value));
}

function mapEntries({ value: schema }: MapSchema): WriteValue {
  const write = writerOf(schema);
  const absent = zeroOf(schema);
  return (writer, tag, value) => {
    const entries = value as Fields;
    backwards(sortedKeys(entries), (key) => {
      const before = writer.length;
      const own = entries[key] ?? absent;
      if (own !== undefined) write(writer, 2, own);
      writeText(writer, 1, key);
      writer.close(tag, before);
    });
  };
}

const beyondAscii = /[^\0-\x7f]/;

/** In the order of their UTF-8 bytes, which is that of UTF-16 only for plain texts. */
function sortedKeys(entries: Fields): string[] {
  const keys = Object.keys(entries);
  return keys.some((key) => beyondAscii.test(key)) ? keys.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))) : keys.sort();
}

function backwards<T>(list: readonly T[], visit: (item: T) => void): void {
  for (let i = list.length - 1; i >= 0; i--) visit(list[i] as T);
}
