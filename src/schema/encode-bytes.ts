// The bytes of `encodeJson`, without the string between. What is rare is left to it: unknown fields, custom resources, free JSON.
import type { AnySchema, ListSchema, MapSchema, StructSchema } from '#schema/build.ts';
import { encodeJson } from '#schema/encode.ts';
import { KeyTree } from '#schema/key-tree.ts';
import { type FieldsText, knownFields } from '#schema/known-text.ts';
import { sortedKeys } from '#schema/sorted.ts';
import { isCustom, planOf } from '#schema/struct-plan.ts';
import { ascii, TextBytes } from '#schema/text-bytes.ts';

export function encodeJsonBytes(schema: AnySchema, value: unknown): Buffer {
  out.length = 0;
  valueCount = 0;
  writerOf(schema)(value);
  return out.take();
}

/** One is enough: a text is finished before anything else runs. */
const out = new TextBytes();

type Writer = (value: unknown) => void;

const writers = new WeakMap<AnySchema, Writer>();

function writerOf(schema: AnySchema): Writer {
  let writer = writers.get(schema);
  if (writer === undefined) {
    writer = compile(schema);
    writers.set(schema, writer);
  }
  return writer;
}

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
      return scalar(schema);
  }
}

function asText(schema: AnySchema): Writer {
  return (value) => out.text(encodeJson(schema, value));
}

function scalar(schema: AnySchema): Writer {
  return (value) => {
    if (typeof value === 'string') out.quoted(value);
    else if (typeof value === 'boolean') out.piece(value ? yes : no);
    else out.text(encodeJson(schema, value));
  };
}

const yes = ascii('true');
const no = ascii('false');
const nothing = ascii('null');
const openObject = ascii('{');
const closeObject = ascii('}');
const openList = ascii('[');
const closeList = ascii(']');
const comma = ascii(',');
const colon = ascii(':');

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
  readonly holes: readonly Hole[];
  readonly end: Uint8Array;
}

interface Hole {
  readonly before: Uint8Array;
  /** Which of the object's values. */
  readonly value: number;
  readonly write: Writer;
}

/** Undefined: a key that the struct does not know. */
function layoutOf(members: readonly Member[], keys: readonly string[]): Layout | undefined {
  const holes: Hole[] = [];
  let before = '{';
  for (const { name, writtenAsNull, write } of members) {
    const value = keys.indexOf(name);
    if (value < 0 && !writtenAsNull) continue;
    before += `${before.endsWith('{') ? '' : ','}"${name}":`;
    if (value < 0) before += 'null';
    else {
      holes.push({ before: ascii(before), value, write });
      before = '';
    }
  }
  return holes.length === keys.length ? { holes, end: ascii(`${before}}`) } : undefined;
}

/** The values of the objects that are being written, the innermost last. Cutting the array would make it allocate anew. */
const values: unknown[] = [];
let valueCount = 0;

class StructWriter {
  readonly #schema: StructSchema;
  readonly #members: readonly Member[];
  readonly #hasText: boolean;
  readonly #layouts = new KeyTree<Layout | 'irregular'>();

  constructor(schema: StructSchema) {
    this.#schema = schema;
    this.#members = membersOf(schema);
    this.#hasText = this.#members.some(({ isFieldSet }) => isFieldSet);
  }

  write(object: Record<string, unknown>): void {
    const fields = this.#hasText ? knownFields(object) : undefined;
    if (fields !== undefined) return writeAround(object, this.#members, fields);
    const start = valueCount;
    let step = this.#layouts.root;
    for (const key in object) {
      const value = object[key];
      if (value === undefined) continue;
      values[valueCount++] = value;
      step = step.next(key) ?? this.#layouts.add(step, key);
    }
    const layout = (step.found ??= this.#layoutOf(object));
    if (layout === 'irregular') out.text(encodeJson(this.#schema, object));
    else fill(layout, start);
    valueCount = start;
  }

  #layoutOf(object: Record<string, unknown>): Layout | 'irregular' {
    const keys = Object.keys(object).filter((key) => object[key] !== undefined);
    return layoutOf(this.#members, keys) ?? 'irregular';
  }
}

function fill({ holes, end }: Layout, start: number): void {
  for (let index = 0; index < holes.length; index++) {
    const { before, value, write } = holes[index] as Hole;
    out.piece(before);
    const given = values[start + value];
    if (given === null) out.piece(nothing);
    else write(given);
  }
  out.piece(end);
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
  out.piece(closeObject);
}

function writeFields(fields: FieldsText): void {
  if (typeof fields === 'string') out.text(fields);
  else out.piece(fields);
}

function list(schema: ListSchema): Writer {
  const write = writerOf(schema.item);
  return (value) => {
    if (!Array.isArray(value)) return out.text(encodeJson(schema, value));
    out.piece(openList);
    for (let index = 0; index < value.length; index++) {
      const item: unknown = value[index];
      if (index > 0) out.piece(comma);
      if (item === undefined || item === null) out.piece(nothing);
      else write(item);
    }
    out.piece(closeList);
  };
}

function map(schema: MapSchema): Writer {
  const write = writerOf(schema.value);
  return (value) => {
    if (!isObject(value)) return out.text(encodeJson(schema, value));
    let isFirst = true;
    out.piece(openObject);
    for (const key of sortedKeys(value)) {
      const member = value[key];
      if (member === undefined) continue;
      if (!isFirst) out.piece(comma);
      isFirst = false;
      out.quoted(key);
      out.piece(colon);
      if (member === null) out.piece(nothing);
      else write(member);
    }
    out.piece(closeObject);
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
