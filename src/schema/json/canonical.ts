// Brings values of built-in kinds into canonical form: what Go would print after storing the object.
// One function per schema, compiled on first use; it changes the value in place and gives up on anything out of the ordinary.
import { TextMemo } from '#base/text-memo.ts';
import { sharedMemo } from '#base/shared-memos.ts';
import { canonicalQuantity } from '#base/quantity.ts';
import { canonicalBase64 } from '#schema/base64.ts';
import type { AnySchema, ListSchema, MapSchema, ScalarSchema, StructSchema } from '#schema/build.ts';
import { clone, setMember } from '#schema/clone.ts';
import { canonicalDuration } from '#base/time/duration.ts';
import { isWithoutMember, noteGivenEmpty, withoutMember } from '#schema/given-empty.ts';
import { type FieldPlan, isCustom, planOf, pointsToTime, zeroOf } from '#schema/struct-plan.ts';
import { perSchema } from '#schema/per-schema.ts';
import { canonicalMicroTime, canonicalTime } from '#schema/time.ts';

/** A copy in canonical form. Parts that do not fit the schema stay as they are. */
export function canonical(schema: AnySchema, value: unknown): unknown {
  const copy = clone(value);
  if (copy === null || copy === undefined) return copy;
  const walk: Walk = { keys: 0, lenient: true };
  const result = canonicalizer(schema)(copy, walk);
  return result === undefined ? copy : result;
}

/** Thrown, without a stack, when only the exact decoder can say what is right. */
export const irregular = new Error('needs the exact decoder');

export interface Walk {
  /** Object keys seen so far, unknown ones included. */
  keys: number;
  /** Leave what does not fit instead of giving up. */
  readonly lenient: boolean;
}

/** Takes a value that is not null and returns its canonical form; undefined stands for the zero of times and unions. */
export type Canonicalizer = (value: unknown, walk: Walk) => unknown;

export const canonicalizer = perSchema(compile);

function compile(schema: AnySchema): Canonicalizer {
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

function unfit(value: unknown, walk: Walk): unknown {
  if (walk.lenient) return value;
  throw irregular;
}

interface Member extends FieldPlan {
  readonly canonicalize: Canonicalizer;
  readonly isEmpty: (value: unknown) => boolean;
}

function struct(schema: StructSchema): Canonicalizer {
  let members: Map<string, Member> | undefined;
  let filled: readonly FieldPlan[] = [];
  const keepsUnknown = schema.options.preserveUnknown === true;
  return (value, walk) => {
    if (typeof value !== 'object' || Array.isArray(value)) return unfit(value, walk);
    if (members === undefined) {
      members = membersOf(schema);
      filled = planOf(schema).filled;
    }
    const object = value as Record<string, unknown>;
    let dropped: string[] | undefined;
    let respelled: string[] | undefined;
    for (const key in object) {
      walk.keys++;
      const member = members.get(key);
      if (member === undefined) {
        if (!keepsUnknown) unfit(value, walk);
        countUntyped(object[key], walk);
        continue;
      }
      const given = object[key];
      const result = given === null || given === undefined ? undefined : member.canonicalize(given, walk);
      if (result === undefined || (member.dropsEmpty && member.isEmpty(result))) (dropped ??= []).push(key);
      else if (result !== given) {
        object[key] = result;
        if (member.schema.is === 'quantity') (respelled ??= []).push(key);
      }
    }
    const kept = dropped === undefined ? object : without(object, dropped, members);
    for (const plan of filled) if (kept[plan.name] === undefined) fill(kept, plan);
    if (respelled !== undefined) for (const name of respelled) noteGivenEmpty(kept, name);
    return kept;
  };
}

/** A quantity that was left out is not the `0` that is stored for it, where Go compares bit by bit. */
function fill(object: Record<string, unknown>, { name, schema }: FieldPlan): void {
  object[name] = zeroOf(schema);
  if (schema.is === 'quantity') noteGivenEmpty(object, name);
}

function membersOf(schema: StructSchema): Map<string, Member> {
  const members = new Map<string, Member>();
  for (const [name, plan] of planOf(schema).fields) members.set(name, { ...plan, canonicalize: memberCanonicalizer(plan), isEmpty: emptinessOf(plan.schema) });
  return members;
}

/** A pointer to the zero time is there, and written as null. */
function memberCanonicalizer(plan: FieldPlan): Canonicalizer {
  const canonicalize = canonicalizer(plan.schema);
  if (!pointsToTime(plan)) return canonicalize;
  return (value, walk) => canonicalize(value, walk) ?? null;
}

/** `delete` would turn the object into a slow dictionary. */
function without(object: Record<string, unknown>, dropped: readonly string[], members: ReadonlyMap<string, Member>): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const key in object) {
    if (!dropped.includes(key)) setMember(result, key, object[key]);
    else if (isGoSlice(object[key], members.get(key))) noteGivenEmpty(result, key);
  }
  return result;
}

/** What Go can hold empty as well as not at all. */
function isGoSlice(value: unknown, member: Member | undefined): boolean {
  return typeof value === 'object' ? value !== null : member?.schema.is === 'bytes';
}

function customStruct(schema: StructSchema): Canonicalizer {
  const typed = Object.entries(schema.fields).flatMap(([name, field]) =>
    field.schema.is === 'struct' && !isCustom(field.schema) ? [{ name, canonicalize: canonicalizer(field.schema) }] : [],
  );
  return (value, walk) => {
    if (typeof value !== 'object' || Array.isArray(value)) return unfit(value, walk);
    const object = value as Record<string, unknown>;
    countUntyped(value, walk);
    const { keys } = walk;
    for (const { name, canonicalize } of typed) {
      const given = object[name];
      if (given !== null && given !== undefined) object[name] = canonicalize(given, walk);
    }
    walk.keys = keys;
    return object;
  };
}

function list(schema: ListSchema): Canonicalizer {
  const canonicalize = canonicalizer(schema.item);
  const nullable = schema.itemsNullable === true;
  return (value, walk) => {
    if (!Array.isArray(value)) return unfit(value, walk);
    for (let index = 0; index < value.length; index++) {
      const given: unknown = value[index];
      if (given === null || given === undefined) {
        if (!nullable) unfit(value, walk);
        continue;
      }
      const result = canonicalize(given, walk);
      if (result !== given) value[index] = result === undefined ? null : result;
    }
    return value;
  };
}

function map(schema: MapSchema): Canonicalizer {
  const canonicalize = canonicalizer(schema.value);
  return (value, walk) => {
    if (typeof value !== 'object' || Array.isArray(value)) return unfit(value, walk);
    const object = value as Record<string, unknown>;
    for (const key in object) {
      walk.keys++;
      const given = object[key];
      if (given === null || given === undefined) {
        unfit(value, walk);
        continue;
      }
      const result = canonicalize(given, walk);
      if (result !== given) setMember(object, key, result === undefined ? null : result);
    }
    return object;
  };
}

function scalar(schema: ScalarSchema): Canonicalizer {
  switch (schema.is) {
    case 'string':
      return (value, walk) => (typeof value === 'string' ? value : unfit(value, walk));
    case 'boolean':
      return (value, walk) => (typeof value === 'boolean' ? value : unfit(value, walk));
    case 'int32':
      return (value, walk) => (isInt32(value) ? value : unfit(value, walk));
    case 'int64':
      return (value, walk) => (Number.isSafeInteger(value) || typeof value === 'bigint' ? value : unfit(value, walk));
    case 'double':
      return (value, walk) => (typeof value === 'number' ? value : unfit(value, walk));
    case 'intOrString':
      return (value, walk) => (typeof value === 'string' || isInt32(value) ? value : unfit(value, walk));
    case 'bytes':
      return text(canonicalBase64);
    case 'quantity':
      return quantity;
    case 'time':
      return text(canonicalTime);
    case 'microTime':
      return text(canonicalMicroTime);
    case 'duration':
      return text(canonicalDuration);
    case 'schemaOrArray':
    case 'schemaOrBool':
    case 'schemaOrStringArray':
      return union(schema);
    default:
      return (value, walk) => {
        countUntyped(value, walk);
        return value;
      };
  }
}

function isInt32(value: unknown): boolean {
  return typeof value === 'number' && (value | 0) === value;
}

function text(convert: (text: string) => string | undefined): Canonicalizer {
  return (value, walk) => {
    if (typeof value !== 'string') return unfit(value, walk);
    try {
      return convert(value);
    } catch {
      return unfit(value, walk);
    }
  };
}

const quantity: Canonicalizer = (value, walk) => {
  if (typeof value !== 'string') return unfit(value, walk);
  const known = knownQuantities.get(value);
  if (known !== undefined) return known;
  try {
    return knownQuantities.add(value, canonicalQuantity);
  } catch {
    return unfit(value, walk);
  }
};

/** Objects of a cluster share few amounts. */
const knownQuantities = sharedMemo(new TextMemo<string>());

function union(schema: ScalarSchema): Canonicalizer {
  const struct = schema.of?.() as StructSchema;
  const object = canonicalizer(struct);
  const items = canonicalizer({ is: 'list', item: schema.is === 'schemaOrArray' ? struct : { is: 'string' } });
  return (value, walk) => {
    if (schema.is === 'schemaOrBool' && typeof value === 'boolean') return value;
    if (typeof value !== 'object') return schema.is === 'schemaOrArray' ? withoutMember() : unfit(value, walk);
    if (value !== null && isWithoutMember(value)) return value;
    return Array.isArray(value) && schema.is !== 'schemaOrBool' ? items(value, walk) : object(value, walk);
  };
}

function countUntyped(value: unknown, walk: Walk): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const item of value) countUntyped(item, walk);
    return;
  }
  for (const key in value) {
    walk.keys++;
    countUntyped((value as Record<string, unknown>)[key], walk);
  }
}

function emptinessOf(schema: AnySchema): (value: unknown) => boolean {
  switch (schema.is) {
    case 'list':
      return (value) => Array.isArray(value) && value.length === 0;
    case 'map':
      return (value) => typeof value === 'object' && isEmptyObject(value as object);
    default:
      return (value) => value === '' || value === 0 || value === false;
  }
}

function isEmptyObject(value: object): boolean {
  for (const _ in value) return false;
  return true;
}
