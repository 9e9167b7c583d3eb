// A value in the form in which it is written: fields in the order of their table, map keys sorted, what is required and missing as null.
// For code that works on the written form without its text (rules that show values, fixtures).
import type { AnySchema, ListSchema, MapSchema, StructSchema } from '#schema/build.ts';
import { setMember } from '#schema/clone.ts';
import { wasGivenEmpty } from '#schema/given-empty.ts';
import { perSchema } from '#schema/per-schema.ts';
import { type FieldPlan, isCustom, planOf } from '#schema/struct-plan.ts';

/** The value in the order in which it is written, with the nulls that are written. Shares parts with the original: read only. */
export function arrange(schema: AnySchema, value: unknown): unknown {
  return arranger(schema)(value);
}

type Arranger = (value: unknown) => unknown;

const arranger = perSchema(compile);

const asIs: Arranger = (value) => value;

function compile(schema: AnySchema): Arranger {
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
    default:
      return asIs;
  }
}

interface Member extends FieldPlan {
  readonly arrange: Arranger;
}

function struct(schema: StructSchema): Arranger {
  let members: Map<string, Member> | undefined;
  let nulls: readonly FieldPlan[] = [];
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    if (members === undefined) {
      members = new Map();
      for (const [name, plan] of planOf(schema).fields) members.set(name, { ...plan, arrange: arranger(plan.schema) });
      nulls = planOf(schema).nulls;
    }
    return arrangeStruct(value as Record<string, unknown>, members, nulls);
  };
}

function arrangeStruct(object: Record<string, unknown>, members: ReadonlyMap<string, Member>, nulls: readonly FieldPlan[]): Record<string, unknown> {
  const present: Member[] = [];
  let unknown: string[] | undefined;
  let asGiven = true;
  let last = -1;
  for (const key in object) {
    const member = members.get(key);
    if (member === undefined) (unknown ??= []).push(key);
    else if (object[key] === undefined) asGiven = false;
    else {
      if (member.order < last) asGiven = false;
      last = member.order;
      present.push(member);
    }
  }
  for (const { name } of nulls) {
    if (object[name] !== undefined) continue;
    present.push(members.get(name) as Member);
    asGiven = false;
  }
  if (!asGiven) sortByOrder(present);
  return unknown === undefined ? writeMembers(object, present, asGiven) : withUnknown(writeMembers(object, present, false), object, unknown);
}

/** The object itself when it is in order and all its parts are. */
function writeMembers(object: Record<string, unknown>, present: readonly Member[], asGiven: boolean): Record<string, unknown> {
  let result: Record<string, unknown> | undefined = asGiven ? undefined : {};
  for (let index = 0; index < present.length; index++) {
    const { name, arrange, schema } = present[index] as Member;
    const given = object[name];
    const arranged = given === undefined ? missing(object, name, schema) : arrange(given);
    if (result === undefined) {
      if (arranged === given) continue;
      result = firstMembers(object, present, index);
    }
    result[name] = arranged;
  }
  return result ?? object;
}

/** Null, unless it was sent empty, which is not nothing to those who compare. */
function missing(object: object, name: string, schema: AnySchema): unknown {
  if (!wasGivenEmpty(object, name)) return null;
  return schema.is === 'list' ? [] : schema.is === 'map' ? {} : null;
}

function firstMembers(object: Record<string, unknown>, present: readonly Member[], count: number): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (let index = 0; index < count; index++) {
    const { name } = present[index] as Member;
    result[name] = object[name];
  }
  return result;
}

function withUnknown(result: Record<string, unknown>, object: Record<string, unknown>, unknown: string[]): Record<string, unknown> {
  for (const key of unknown.sort()) setMember(result, key, sortDeep(object[key]));
  return result;
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

function list(schema: ListSchema): Arranger {
  const item = arranger(schema.item);
  if (item === asIs) return asIs;
  return (value) => {
    if (!Array.isArray(value)) return value;
    let result: unknown[] | undefined;
    for (let index = 0; index < value.length; index++) {
      const arranged = item(value[index]);
      if (arranged !== value[index]) {
        result ??= [...value];
        result[index] = arranged;
      }
    }
    return result ?? value;
  };
}

function map(schema: MapSchema): Arranger {
  const item = arranger(schema.value);
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const object = value as Record<string, unknown>;
    return item === asIs && isSorted(object) ? object : sorted(object, item);
  };
}

function isSorted(object: Record<string, unknown>): boolean {
  let last = '';
  for (const key in object) {
    if (key < last) return false;
    last = key;
  }
  return true;
}

function sorted(object: Record<string, unknown>, item: Arranger): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const key of Object.keys(object).sort()) setMember(result, key, item(object[key]));
  return result;
}

/** Custom resources have no order of their own: all keys are sorted. */
function customStruct(schema: StructSchema): Arranger {
  let typed: Map<string, Arranger> | undefined;
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    typed ??= new Map(
      Object.entries(schema.fields).flatMap(([name, { schema: of }]) => (of.is === 'struct' && !isCustom(of) ? [[name, arranger(of)] as const] : [])),
    );
    const object = value as Record<string, unknown>;
    const result: Record<string, unknown> = {};
    for (const key of Object.keys(object).sort()) setMember(result, key, (typed.get(key) ?? sortDeep)(object[key]));
    return result;
  };
}

function sortDeep(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value) ? value.map(sortDeep) : sorted(value as Record<string, unknown>, sortDeep);
}

function union(of: () => StructSchema): Arranger {
  let object: Arranger | undefined;
  return (value) => {
    object ??= arranger(of());
    return Array.isArray(value) ? value.map(object) : object(value);
  };
}
