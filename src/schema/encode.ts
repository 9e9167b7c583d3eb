// Canonical JSON text: fields in the order of their table, map keys sorted, what is required and missing as null,
// `<`, `>` and `&` escaped as Go escapes them. One writer per schema, compiled on first use (test/bench/codec.ts pays for the shape of it).
import type { AnySchema, ListSchema, MapSchema, StructSchema } from '#schema/build.ts';
import { quoteJson, writeJson, writeSorted } from '#schema/json-text.ts';
import { type FieldPlan, isCustom, planOf } from '#schema/struct-plan.ts';

export function encodeJson(schema: AnySchema, value: unknown): string {
  return writerOf(schema)(value);
}

type Writer = (value: unknown) => string;

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
  readonly order: number;
  readonly name: string;
  readonly first: string;
  readonly next: string;
  readonly write: Writer;
}

function struct(schema: StructSchema): Writer {
  let members: Map<string, Member> | undefined;
  let nulls: readonly Member[] = [];
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return writeJson(value);
    if (members === undefined) {
      members = membersOf(schema);
      nulls = [...members.values()].filter(({ plan }) => plan.writtenAsNull);
    }
    return writeStruct(value as Record<string, unknown>, members, nulls);
  };
}

function membersOf(schema: StructSchema): Map<string, Member> {
  const members = new Map<string, Member>();
  for (const [name, plan] of planOf(schema).fields) {
    members.set(name, { plan, order: plan.order, name, first: `{"${name}":`, next: `,"${name}":`, write: writerOf(plan.schema) });
  }
  return members;
}

function writeStruct(object: Record<string, unknown>, members: ReadonlyMap<string, Member>, nulls: readonly Member[]): string {
  const present: Member[] = [];
  let unknown: string[] | undefined;
  let ordered = true;
  let last = -1;
  for (const key in object) {
    if (object[key] === undefined) continue;
    const member = members.get(key);
    if (member === undefined) {
      (unknown ??= []).push(key);
      continue;
    }
    if (member.order < last) ordered = false;
    last = member.order;
    present.push(member);
  }
  for (const member of nulls) {
    if (object[member.name] !== undefined) continue;
    present.push(member);
    ordered = false;
  }
  if (!ordered) sortByOrder(present);
  const text = writeMembers(object, present);
  return unknown === undefined ? text : withUnknown(text, object, unknown);
}

function writeMembers(object: Record<string, unknown>, present: readonly Member[]): string {
  if (present.length === 0) return '{}';
  let text = '';
  for (let index = 0; index < present.length; index++) {
    const member = present[index] as Member;
    const value = object[member.name];
    text += (index === 0 ? member.first : member.next) + (value === undefined || value === null ? 'null' : member.write(value));
  }
  return `${text}}`;
}

function withUnknown(text: string, object: Record<string, unknown>, unknown: string[]): string {
  const members = unknown.sort().map((key) => `${quoteJson(key)}:${writeSorted(object[key])}`);
  return `${text.slice(0, -1)}${text === '{}' ? '' : ','}${members.join(',')}}`;
}

/** Short and nearly sorted: insertion beats the built-in sort. */
function sortByOrder(members: Member[]): void {
  for (let index = 1; index < members.length; index++) {
    const member = members[index] as Member;
    let at = index - 1;
    for (; at >= 0 && (members[at] as Member).order > member.order; at--) members[at + 1] = members[at] as Member;
    members[at + 1] = member;
  }
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
    for (const key of Object.keys(object).sort()) {
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
