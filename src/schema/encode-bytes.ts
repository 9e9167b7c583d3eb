// The bytes of `encodeJson`, without the string between. What is rare is left to it: unknown fields, custom resources, free JSON.
import type { AnySchema, ListSchema, MapSchema, StructSchema } from '#schema/build.ts';
import { encodeJson } from '#schema/encode.ts';
import { knownFieldsText } from '#schema/known-text.ts';
import { sortedKeys } from '#schema/sorted.ts';
import { isCustom, planOf } from '#schema/struct-plan.ts';
import { ascii, TextBytes } from '#schema/text-bytes.ts';

export function encodeJsonBytes(schema: AnySchema, value: unknown): Buffer {
  out.length = 0;
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

function struct(schema: StructSchema): Writer {
  let members: readonly Member[] | undefined;
  let hasText = false;
  return (value) => {
    if (!isObject(value)) return out.text(encodeJson(schema, value));
    if (members === undefined) {
      members = membersOf(schema);
      hasText = members.some(({ isFieldSet }) => isFieldSet);
    }
    const fields = hasText ? knownFieldsText(value) : undefined;
    if (fields !== undefined) return writeAround(value, members, fields);
    const start = out.length;
    if (writeMembers(value, members) === countDefined(value)) return;
    out.length = start;
    out.text(encodeJson(schema, value));
  };
}

/** How many of the object's own members were written. */
function writeMembers(object: Record<string, unknown>, members: readonly Member[]): number {
  let written = 0;
  let isFirst = true;
  for (let index = 0; index < members.length; index++) {
    const member = members[index] as Member;
    const value = object[member.name];
    if (value === undefined && !member.writtenAsNull) continue;
    if (value !== undefined) written++;
    out.piece(isFirst ? member.first : member.next);
    isFirst = false;
    if (value === undefined || value === null) out.piece(nothing);
    else member.write(value);
  }
  if (isFirst) out.piece(openObject);
  out.piece(closeObject);
  return written;
}

function countDefined(object: Record<string, unknown>): number {
  let count = 0;
  for (const key in object) if (object[key] !== undefined) count++;
  return count;
}

/** A struct whose field set is written from its text. */
function writeAround(object: Record<string, unknown>, members: readonly Member[], fields: string): void {
  let isFirst = true;
  for (const { name, first, next, write, isFieldSet } of members) {
    const value = isFieldSet ? fields : object[name];
    if (value === undefined) continue;
    out.piece(isFirst ? first : next);
    isFirst = false;
    if (isFieldSet) out.text(fields);
    else write(value);
  }
  out.piece(closeObject);
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
