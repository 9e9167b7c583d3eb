// The bytes of `encodeJson`, without the string between. What is rare is left to it: unknown fields, custom resources, free JSON.
import type { AnySchema, ListSchema, MapSchema, StructSchema } from '#schema/build.ts';
import { encodeJson } from '#schema/json/encode.ts';
import { quoteJson, writeJson } from '#schema/json/json-text.ts';
import { KeyOrders, MemberStack } from '#schema/key-orders.ts';
import { type FieldsText, knownFields } from '#schema/fields-text/fields-text.ts';
import { perSchema } from '#schema/per-schema.ts';
import { isCustom, planOf } from '#schema/struct-plan.ts';
import { ascii, TextBytes } from '#schema/json/text-bytes.ts';

/** `room` is where the bytes are put. Whoever has it in slabs must know how long they are kept (base/memory/short-lived.ts). */
export function encodeJsonBytes(schema: AnySchema, value: unknown, room?: (length: number) => Buffer): Buffer {
  out.length = 0;
  stack.clear();
  writerOf(schema)(value);
  return out.take(room);
}

/** One is enough: a text is finished before anything else runs. */
const out = new TextBytes();

type Writer = (value: unknown) => void;

const writerOf = perSchema(compile);

function compile(schema: AnySchema): Writer {
  switch (schema.is) {
    case 'struct':
      return isCustom(schema) ? asText(schema) : struct(schema);
    case 'list':
      return list(schema);
    case 'map':
      return map(schema);
    case 'schemaOrArray':
    case 'schemaOrBool':
    case 'schemaOrStringArray':
    case 'rawExtension':
    case 'fieldsV1':
    case 'json':
      return asText(schema);
    default:
      return writeScalar;
  }
}

function asText(schema: AnySchema): Writer {
  return (value) => out.text(encodeJson(schema, value));
}

function writeScalar(value: unknown): void {
  if (typeof value === 'string') out.quoted(value);
  else if (typeof value === 'boolean') out.piece(value ? yes : no);
  else if (typeof value === 'number' && (value | 0) === value) out.integer(value);
  else out.text(writeJson(value));
}

const yes = ascii('true');
const no = ascii('false');
const nothing = ascii('null');
const openObject = 0x7b;
const closeObject = 0x7d;
const colon = 0x3a;
const openList = 0x5b;
const closeList = 0x5d;
const comma = 0x2c;

interface Member {
  readonly name: string;
  readonly first: Uint8Array;
  readonly next: Uint8Array;
  readonly write: Writer;
  readonly writtenAsNull: boolean;
  readonly isFieldSet: boolean;
}

function membersOf(schema: StructSchema): readonly Member[] {
  return [...planOf(schema).fields].map(([name, plan]) => ({
    name,
    first: ascii(`{"${name}":`),
    next: ascii(`,"${name}":`),
    write: writerOf(plan.schema),
    writtenAsNull: plan.writtenAsNull,
    isFieldSet: plan.schema.is === 'fieldsV1',
  }));
}

/** How objects with certain keys are written: what is constant, and which of the values stand between. */
interface Layout {
  readonly constant: Uint8Array;
  /** Where in it the values stand. */
  readonly ends: readonly number[];
  /** Which values these are. */
  readonly order: readonly number[];
  /** Undefined for scalars, which most are: one function less to fetch. */
  readonly writers: readonly (Writer | undefined)[];
}

/** Undefined: a key that the struct does not know. */
function structLayout(members: readonly Member[], keys: readonly string[]): Layout | undefined {
  const written = members.filter(({ name, writtenAsNull }) => writtenAsNull || keys.includes(name));
  const layout = layoutOf(written, keys);
  return layout.order.length === keys.length ? layout : undefined;
}

function mapLayout(write: Writer, keys: readonly string[]): Layout {
  const written = keys.toSorted().map((name) => ({ name, write }));
  return layoutOf(written, keys);
}

/** Members that are not among the keys are null. */
function layoutOf(members: readonly { readonly name: string; readonly write: Writer }[], keys: readonly string[]): Layout {
  const places = new Map(keys.map((key, index) => [key, index]));
  const [ends, order, writers] = [[] as number[], [] as number[], [] as (Writer | undefined)[]];
  let constant = '';
  let end = 0;
  for (const { name, write } of members) {
    const value = places.get(name);
    const piece = `${constant === '' ? '{' : ','}${quoteJson(name)}:${value === undefined ? 'null' : ''}`;
    constant += piece;
    end += Buffer.byteLength(piece);
    if (value === undefined) continue;
    ends.push(end);
    order.push(value);
    writers.push(write === writeScalar ? undefined : write);
  }
  return { constant: Buffer.from(constant === '' ? '{}' : `${constant}}`), ends, order, writers };
}

const stack = new MemberStack();

class StructWriter {
  readonly #schema: StructSchema;
  readonly #members: readonly Member[];
  readonly #hasText: boolean;
  readonly #layouts: KeyOrders<Layout | undefined>;

  constructor(schema: StructSchema) {
    const members = membersOf(schema);
    this.#schema = schema;
    this.#members = members;
    this.#hasText = members.some(({ isFieldSet }) => isFieldSet);
    this.#layouts = new KeyOrders((keys) => structLayout(members, keys));
  }

  write(object: Record<string, unknown>): void {
    const fields = this.#hasText ? knownFields(object) : undefined;
    if (fields !== undefined) return writeAround(object, this.#members, fields);
    const start = stack.top;
    stack.push(object);
    const layout = this.#layouts.find(stack, start);
    if (layout === undefined) out.text(encodeJson(this.#schema, object));
    else fill(layout, start);
    stack.top = start;
  }
}

function fill({ constant, ends, order, writers }: Layout, start: number): void {
  let at = 0;
  for (let index = 0; index < ends.length; index++) {
    const end = ends[index] as number;
    out.part(constant, at, end);
    at = end;
    const value = stack.values[start + (order[index] as number)];
    const write = writers[index];
    if (value === null) out.piece(nothing);
    else if (write !== undefined) write(value);
    else if (typeof value === 'string') out.quoted(value);
    else writeScalar(value);
  }
  out.part(constant, at, constant.length);
}

function struct(schema: StructSchema): Writer {
  let writer: StructWriter | undefined;
  return (value) => {
    if (!isObject(value)) return out.text(encodeJson(schema, value));
    writer ??= new StructWriter(schema);
    writer.write(value);
  };
}

/** A struct whose field set is written from its text. */
function writeAround(object: Record<string, unknown>, members: readonly Member[], fields: FieldsText): void {
  let isFirst = true;
  for (const { name, first, next, write, isFieldSet } of members) {
    const value = isFieldSet ? fields : object[name];
    if (value === undefined) continue;
    out.piece(isFirst ? first : next);
    isFirst = false;
    if (isFieldSet) writeFields(fields);
    else write(value);
  }
  out.byte(closeObject);
}

function writeFields(fields: FieldsText): void {
  if (typeof fields === 'string') out.text(fields);
  else out.piece(fields);
}

function list(schema: ListSchema): Writer {
  const write = writerOf(schema.item);
  return (value) => {
    if (!Array.isArray(value)) return out.text(encodeJson(schema, value));
    out.byte(openList);
    for (let index = 0; index < value.length; index++) {
      const item: unknown = value[index];
      if (index > 0) out.byte(comma);
      if (item === undefined || item === null) out.piece(nothing);
      else write(item);
    }
    out.byte(closeList);
  };
}

function map(schema: MapSchema): Writer {
  const write = writerOf(schema.value);
  const layouts = new KeyOrders((keys) => mapLayout(write, keys));
  return (value) => {
    if (!isObject(value)) return out.text(encodeJson(schema, value));
    const start = stack.top;
    stack.push(value);
    if (stack.top - start > largeMap) writeCrowd(write, value, stack.keys.slice(start, stack.top));
    else fill(layouts.find(stack, start), start);
    stack.top = start;
  };
}

/** No two of them have the same keys. */
const largeMap = 100;

function writeCrowd(write: Writer, object: Readonly<Record<string, unknown>>, keys: string[]): void {
  out.byte(openObject);
  let isFirst = true;
  for (const key of keys.sort()) {
    if (!isFirst) out.byte(comma);
    isFirst = false;
    out.quoted(key);
    out.byte(colon);
    const value = object[key];
    if (value === null) out.piece(nothing);
    else write(value);
  }
  out.byte(closeObject);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
