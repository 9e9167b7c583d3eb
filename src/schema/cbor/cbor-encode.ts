// From a schema to a function that writes its values as CBOR, in the form JSON shows them: the same fields, the same nulls. Bytes are bytes,
// tagged as meant for base64, and floating-point fields stay floating-point numbers.
import type { AnySchema, ListSchema, MapSchema, ScalarSchema, StructSchema } from '#schema/build.ts';
import { knownFieldsText } from '#schema/fields-text/fields-text.ts';
import { perSchema } from '#schema/per-schema.ts';
import { isCustom, planOf } from '#schema/struct-plan.ts';
import { major } from '#schema/cbor/item-end.ts';
import { CborWriter } from '#schema/cbor/cbor-writer.ts';

type Fields = Readonly<Record<string, unknown>>;
type Write = (writer: CborWriter, value: unknown) => void;

const expectedBase64 = 0xd6;
const nothing = 0xf6;

/** Writes values of a schema; without one whatever it is given, where bytes stand for CBOR that is written already. */
export const cborWriterOf = perSchema(compile);

function compile(schema: AnySchema): Write {
  switch (schema.is) {
    case 'struct':
      return isCustom(schema) ? customStruct(schema) : struct(schema);
    case 'list':
      return list(schema);
    case 'map':
      return map(schema);
    default:
      return scalar(schema);
  }
}

interface Member {
  readonly name: string;
  /** The name as it is written. */
  readonly key: Buffer;
  readonly write: Write;
  readonly writtenAsNull: boolean;
  readonly isFieldSet: boolean;
}

function struct(schema: StructSchema): Write {
  let members: readonly Member[] | undefined;
  return (writer, value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return writeUntyped(writer, value);
    members ??= membersOf(schema);
    writeStruct(writer, value as Fields, members);
  };
}

function membersOf(schema: StructSchema): readonly Member[] {
  return [...planOf(schema).fields.values()]
    .map(({ name, schema: of, writtenAsNull }) => ({ name, key: keyBytes(name), write: cborWriterOf(of), writtenAsNull, isFieldSet: of.is === 'fieldsV1' }))
    .sort((a, b) => Buffer.compare(a.key, b.key));
}

function keyBytes(name: string): Buffer {
  const writer = new CborWriter();
  writer.text(name);
  return Buffer.from(writer.take());
}

function writeStruct(writer: CborWriter, object: Fields, members: readonly Member[]): void {
  let known = 0;
  let nulls = 0;
  for (const { name, writtenAsNull } of members) {
    if (isThere(object, name)) known++;
    else if (writtenAsNull) nulls++;
  }
  const unknown = countOf(object) === known ? none : unknownKeys(object, members);
  writer.head(major.map, known + nulls + unknown.length);
  for (const member of members) {
    const there = isThere(object, member.name);
    if (!there && !member.writtenAsNull) continue;
    writer.raw(member.key);
    if (!there) writer.byte(nothing);
    else if (member.isFieldSet) writeFieldSet(writer, object);
    else writePresent(writer, object[member.name], member.write);
  }
  for (const key of unknown) {
    writer.text(key);
    writeUntyped(writer, object[key]);
  }
}

const none: readonly string[] = [];

function countOf(object: Fields): number {
  let count = 0;
  for (const name in object) if (isThere(object, name)) count++;
  return count;
}

/** Does not read a field set, which would parse it for good. */
function isThere(object: Fields, name: string): boolean {
  return name === 'fieldsV1' ? name in object : object[name] !== undefined;
}

/** A set that nobody has looked into stays text. */
function writeFieldSet(writer: CborWriter, entry: Fields): void {
  const text = knownFieldsText(entry);
  writeUntyped(writer, text === undefined ? entry['fieldsV1'] : JSON.parse(text));
}

/** Of structs that keep what their table does not know. */
function unknownKeys(object: Fields, members: readonly Member[]): readonly string[] {
  const known = new Set(members.map(({ name }) => name));
  return Object.keys(object)
    .filter((key) => object[key] !== undefined && !known.has(key))
    .sort(byKeyBytes);
}

function writePresent(writer: CborWriter, value: unknown, write: Write): void {
  if (value === null || value === undefined) writer.byte(nothing);
  else write(writer, value);
}

function list(schema: ListSchema): Write {
  const write = cborWriterOf(schema.item);
  return (writer, value) => (Array.isArray(value) ? writeItems(writer, value, write) : writeUntyped(writer, value));
}

function writeItems(writer: CborWriter, items: readonly unknown[], write: Write): void {
  writer.head(major.array, items.length);
  for (const item of items) writePresent(writer, item, write);
}

function map(schema: MapSchema): Write {
  const write = cborWriterOf(schema.value);
  return (writer, value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return writeUntyped(writer, value);
    writeMembers(writer, value as Fields, write);
  };
}

/** Only metadata has a table. */
function customStruct(schema: StructSchema): Write {
  let typed: ReadonlyMap<string, Write> | undefined;
  return (writer, value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return writeUntyped(writer, value);
    typed ??= typedMembers(schema);
    const object = value as Fields;
    for (const key of openMap(writer, object)) {
      writer.text(key);
      writePresent(writer, object[key], typed.get(key) ?? writeUntyped);
    }
  };
}

function typedMembers(schema: StructSchema): ReadonlyMap<string, Write> {
  return new Map(
    Object.entries(schema.fields).flatMap(([name, { schema: of }]) => (of.is === 'struct' && !isCustom(of) ? [[name, cborWriterOf(of)] as const] : [])),
  );
}

function writeMembers(writer: CborWriter, object: Fields, write: Write): void {
  for (const key of openMap(writer, object)) {
    writer.text(key);
    writePresent(writer, object[key], write);
  }
}

/** Writes the head of a map and returns the keys of its members in their order. */
function openMap(writer: CborWriter, object: Fields): readonly string[] {
  let keys = Object.keys(object);
  if (keys.some((key) => object[key] === undefined)) keys = keys.filter((key) => object[key] !== undefined);
  if (keys.length > 1) keys.sort(byKeyBytes);
  writer.head(major.map, keys.length);
  return keys;
}

const beyondAscii = /[^\0-\x7f]/;

/** In the order of their encoded bytes: the shorter first (RFC 8949, 4.2.1). */
function byKeyBytes(a: string, b: string): number {
  if (beyondAscii.test(a) || beyondAscii.test(b)) return Buffer.byteLength(a) - Buffer.byteLength(b) || Buffer.compare(Buffer.from(a), Buffer.from(b));
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);
}

function scalar(schema: ScalarSchema): Write {
  switch (schema.is) {
    case 'bytes':
      return writeBase64;
    case 'double':
      return (writer, value) => writer.float(Number(value));
    case 'schemaOrArray':
    case 'schemaOrBool':
    case 'schemaOrStringArray':
      return union(schema.of as () => StructSchema);
    default:
      return writeUntyped;
  }
}

function writeBase64(writer: CborWriter, value: unknown): void {
  const bytes = Buffer.from(value as string, 'base64');
  writer.byte(expectedBase64);
  writer.head(major.bytes, bytes.length);
  writer.raw(bytes);
}

function union(of: () => StructSchema): Write {
  let object: Write | undefined;
  return (writer, value) => {
    object ??= cborWriterOf(of());
    if (Array.isArray(value)) writeItems(writer, value, object);
    else object(writer, value);
  };
}

export function writeUntyped(writer: CborWriter, value: unknown): void {
  switch (typeof value) {
    case 'string':
      return writer.text(value);
    case 'number':
      return Number.isSafeInteger(value) ? writer.integer(value) : writer.float(value);
    case 'bigint':
      return writer.integer(value);
    case 'boolean':
      return writer.byte(value ? 0xf5 : 0xf4);
    case 'object':
      if (value === null) return writer.byte(nothing);
      if (Array.isArray(value)) return writeItems(writer, value, writeUntyped);
      return writeMembers(writer, value as Fields, writeUntyped);
    default:
      writer.byte(nothing);
  }
}
