// Canonical JSON text: fields in the order of their table, map keys sorted, what is required and missing as null,
// `<`, `>` and `&` escaped as Go escapes them. One writer per schema, compiled on first use (test/bench/codec.ts pays for the shape of it).
import type { AnySchema, ListSchema, MapSchema, StructSchema } from '#schema/build.ts';
import { quoteJson, writeJson, writeSorted } from '#schema/json/json-text.ts';
import { knownFieldsText } from '#schema/fields-text/fields-text.ts';
import { perSchema } from '#schema/per-schema.ts';
import { sortedKeys } from '#schema/json/sorted.ts';
import { type FieldPlan, isCustom, planOf } from '#schema/struct-plan.ts';

export function encodeJson(schema: AnySchema, value: unknown): string {
  return writerOf(schema)(value);
}

type Writer = (value: unknown) => string;

const writerOf = perSchema(compile);

function compile(schema: AnySchema): Writer {
  switch (schema.is) {
    case 'struct':
      return isCustom(schema) ? customStruct(schema) : struct(schema);
    case 'list':
      return list(schema);
    case 'map':
      return map(schema);
    case 'schemaOrArray':
    case 'schemaOrBool':
    case 'schemaOrStringArray':
      return union(schema.of as () => StructSchema);
    case 'rawExtension':
    case 'fieldsV1':
    case 'json':
      return writeJson;
    default:
      return writeScalar;
  }
}

function writeScalar(value: unknown): string {
  if (typeof value === 'string') return quoteJson(value);
  return typeof value === 'number' && Number.isInteger(value) ? String(value) : writeJson(value);
}

interface Member {
  readonly plan: FieldPlan;
  readonly name: string;
  readonly first: string;
  readonly next: string;
  readonly write: Writer;
  readonly writtenAsNull: boolean;
}

function struct(schema: StructSchema): Writer {
  let members: readonly Member[] | undefined;
  let hasText = false;
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return writeJson(value);
    if (members === undefined) {
      members = membersOf(schema);
      hasText = members.some(({ plan }) => plan.schema.is === 'fieldsV1');
    }
    const object = value as Record<string, unknown>;
    const fields = hasText ? knownFieldsText(object) : undefined;
    return fields === undefined ? writeStruct(object, members) : writeAround(object, members, fields);
  };
}

function membersOf(schema: StructSchema): readonly Member[] {
  return [...planOf(schema).fields].map(([name, plan]) => ({
    plan,
    name,
    first: `{"${name}":`,
    next: `,"${name}":`,
    write: writerOf(plan.schema),
    writtenAsNull: plan.writtenAsNull,
  }));
}

/** Asking for every field of the table costs less than sorting those that are there. */
function writeStruct(object: Record<string, unknown>, members: readonly Member[]): string {
  let text = '';
  let written = 0;
  for (let index = 0; index < members.length; index++) {
    const member = members[index] as Member;
    const value = object[member.name];
    if (value === undefined && !member.writtenAsNull) continue;
    if (value !== undefined) written++;
    text += (text === '' ? member.first : member.next) + (value === undefined || value === null ? 'null' : member.write(value));
  }
  text = text === '' ? '{}' : `${text}}`;
  return written === countDefined(object) ? text : withUnknown(text, object, members);
}

function countDefined(object: Record<string, unknown>): number {
  let count = 0;
  for (const key in object) if (object[key] !== undefined) count++;
  return count;
}

/** A struct whose field set is written from its text. */
function writeAround(object: Record<string, unknown>, members: readonly Member[], fields: string): string {
  let text = '';
  for (const { plan, name, first, next, write } of members) {
    const isSet = plan.schema.is === 'fieldsV1';
    const value = isSet ? fields : object[name];
    if (value !== undefined) text += (text === '' ? first : next) + (isSet ? fields : write(value));
  }
  return `${text}}`;
}

function withUnknown(text: string, object: Record<string, unknown>, members: readonly Member[]): string {
  const known = new Set(members.map(({ name }) => name));
  const unknown = Object.keys(object).filter((key) => object[key] !== undefined && !known.has(key));
  const written = unknown.sort().map((key) => `${quoteJson(key)}:${writeSorted(object[key])}`);
  return `${text.slice(0, -1)}${text === '{}' ? '' : ','}${written.join(',')}}`;
}

function list(schema: ListSchema): Writer {
  const write = writerOf(schema.item);
  return (value) => {
    if (!Array.isArray(value)) return writeJson(value);
    let text = '';
    for (let index = 0; index < value.length; index++) {
      const item: unknown = value[index];
      text += (index === 0 ? '[' : ',') + (item === undefined || item === null ? 'null' : write(item));
    }
    return text === '' ? '[]' : `${text}]`;
  };
}

function map(schema: MapSchema): Writer {
  const write = writerOf(schema.value);
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return writeJson(value);
    const object = value as Record<string, unknown>;
    let text = '';
    for (const key of sortedKeys(object)) {
      const member = object[key];
      if (member !== undefined) text += `${(text === '' ? '{' : ',') + quoteJson(key)}:${member === null ? 'null' : write(member)}`;
    }
    return text === '' ? '{}' : `${text}}`;
  };
}

/** Custom resources have no order of their own: all keys are sorted, only metadata has a table. */
function customStruct(schema: StructSchema): Writer {
  let typed: Map<string, Writer> | undefined;
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return writeSorted(value);
    typed ??= typedMembers(schema);
    const object = value as Record<string, unknown>;
    const keys = Object.keys(object).filter((key) => object[key] !== undefined);
    return `{${keys.sort().map((key) => `${quoteJson(key)}:${(typed?.get(key) ?? writeSorted)(object[key])}`)}}`;
  };
}

function typedMembers(schema: StructSchema): Map<string, Writer> {
  return new Map(
    Object.entries(schema.fields).flatMap(([name, { schema: of }]) => (of.is === 'struct' && !isCustom(of) ? [[name, writerOf(of)] as const] : [])),
  );
}

function union(of: () => StructSchema): Writer {
  let object: Writer | undefined;
  return (value) => {
    object ??= writerOf(of());
    return Array.isArray(value) ? `[${value.map(object)}]` : object(value);
  };
}
