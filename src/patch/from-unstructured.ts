// Values that reach a built-in type without ever being text again (merged by apply or by a strategic patch) are converted
// by other rules than JSON is decoded, and refused in other words: integers wrap, whole floats are integers.
import type { AnySchema, ListSchema, MapSchema, ScalarSchema, StructSchema } from '#schema/build.ts';
import { optional, struct } from '#schema/build.ts';
import { setMember } from '#schema/clone.ts';
import { DecodeError, decodeValue } from '#schema/json/decode.ts';
import { goItemType, goTypeOf, goTypeOfField } from '#schema/go-type.ts';
import { sorted } from '#schema/json/sorted.ts';
import { perSchema } from '#schema/per-schema.ts';
import { isCustom, planOf } from '#schema/struct-plan.ts';
import { isPlainObject, type PlainObject } from '#patch/members.ts';

/** The value as decoding will take it, the same one where nothing had to change. Throws a DecodeError for what does not fit. */
export function fromUnstructured(schema: StructSchema, value: unknown): unknown {
  return convert(schema, () => goTypeOf(schema), value);
}

/** Somewhere in its values stands free JSON, which is written anew whether it was changed or not. */
export function holdsFreeJson(schema: AnySchema): boolean {
  return freeJson(schema).isThere;
}

const freeJson = perSchema((schema) => ({ isThere: findsFreeJson(schema, new Set()) }));

function findsFreeJson(schema: AnySchema, seen: Set<AnySchema>): boolean {
  if (seen.has(schema)) return false;
  seen.add(schema);
  switch (schema.is) {
    case 'struct':
      return [...planOf(schema).fields.values()].some((field) => findsFreeJson(field.schema, seen));
    case 'list':
      return findsFreeJson(schema.item, seen);
    case 'map':
      return findsFreeJson(schema.value, seen);
    default:
      return schema.is === 'rawExtension' || schema.is === 'json';
  }
}

/** How Go prints a type; only refusals ask. */
type GoType = () => string;

function convert(schema: AnySchema, goType: GoType, value: unknown): unknown {
  if (value === null || value === undefined) return value;
  switch (schema.is) {
    case 'struct':
      return isCustom(schema) ? value : convertStruct(schema, value);
    case 'list':
      return convertList(schema, goType, value);
    case 'map':
      return convertMap(schema, goType, value);
    default:
      return convertScalar(schema, goType, value);
  }
}

function convertStruct(schema: StructSchema, value: unknown): unknown {
  if (!isPlainObject(value)) throw new DecodeError(`cannot restore struct from: ${goKind(value)}`);
  let result = value;
  // In the order of the table: the first problem is the one that is told.
  for (const { name, field } of planOf(schema).fields.values()) {
    const given = value[name];
    if (given === undefined) continue;
    const member = convert(field.schema, () => goTypeOfField(field), given);
    if (member !== given) result = replaced(result, value, name, member);
  }
  return result;
}

function convertMap(schema: MapSchema, goType: GoType, value: unknown): unknown {
  if (!isPlainObject(value)) throw new DecodeError(`cannot restore map from ${goKind(value)}`);
  const itemType = () => goItemType(goType(), schema.value);
  let result = value;
  for (const key of Object.keys(value)) {
    const member = convert(schema.value, itemType, value[key]);
    if (member !== value[key]) result = replaced(result, value, key, member);
  }
  return result;
}

/** Copies the original the first time something in it changes. */
function replaced(result: PlainObject, original: PlainObject, key: string, member: unknown): PlainObject {
  const copy = result === original ? { ...original } : result;
  setMember(copy, key, member);
  return copy;
}

function convertList(schema: ListSchema, goType: GoType, value: unknown): unknown {
  if (!Array.isArray(value)) throw new DecodeError(`cannot restore slice from ${goKind(value)}`);
  const itemType = () => goItemType(goType(), schema.item);
  let result: unknown[] | undefined;
  for (let index = 0; index < value.length; index++) {
    const item = convert(schema.item, itemType, value[index]);
    if (item === value[index]) continue;
    result ??= [...(value as unknown[])];
    result[index] = item;
  }
  return result ?? value;
}

function convertScalar(schema: ScalarSchema, goType: GoType, value: unknown): unknown {
  switch (schema.is) {
    case 'string':
      if (typeof value === 'string') return value;
      throw new DecodeError(goKind(value) === 'int64' ? `cannot convert int64 to ${goType()}` : 'unrecognized type: string');
    case 'boolean':
      if (typeof value === 'boolean') return value;
      throw new DecodeError('unrecognized type: bool');
    case 'double':
      if (typeof value === 'number' || typeof value === 'bigint') return Number(value);
      throw new DecodeError('unrecognized type: float64');
    case 'int32':
    case 'int64':
      return convertInteger(schema.is, goType, value);
    case 'bytes':
      return convertBytes(schema, value);
    case 'rawExtension':
    case 'json':
      // Free JSON is written anew, from a Go map.
      return isSorted(value) ? value : sorted(value);
    case 'fieldsV1':
      return value;
    default:
      refuseUndecodable(schema, value);
      return value;
  }
}

function isSorted(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  const keys = Array.isArray(value) ? [] : Object.keys(value);
  return keys.every((key, index) => index === 0 || (keys[index - 1] as string) < key) && Object.values(value).every(isSorted);
}

function convertInteger(width: 'int32' | 'int64', goType: GoType, value: unknown): unknown {
  if (typeof value !== 'number' && typeof value !== 'bigint') throw new DecodeError(`unrecognized type: ${width}`);
  if (typeof value === 'number' && !Number.isInteger(value)) throw new DecodeError(`cannot convert float64 to ${goType()}`);
  if (typeof value === 'number' && (value | 0) === value) return value;
  const held = heldByInt64(value);
  const wrapped = width === 'int32' ? BigInt.asIntN(32, held) : held;
  return Number.isSafeInteger(Number(wrapped)) ? Number(wrapped) : wrapped;
}

/** What no int64 holds came as a float, which the processor turns into the lowest one. */
function heldByInt64(value: number | bigint): bigint {
  const exact = BigInt(value);
  return BigInt.asIntN(64, exact) === exact ? exact : -(2n ** 63n);
}

function convertBytes(schema: ScalarSchema, value: unknown): unknown {
  if (Array.isArray(value)) return Buffer.from(value.map(byteOf)).toString('base64');
  if (typeof value !== 'string') throw new DecodeError(`cannot restore slice from ${goKind(value)}`);
  try {
    refuseUndecodable(schema, value);
  } catch (error) {
    if (error instanceof DecodeError) throw new DecodeError(`error decoding from json: ${error.message}`);
    throw error;
  }
  return value;
}

/** Bytes are a slice of uint8 to Go, so that a list of numbers is taken for them, each cut down to its lowest byte. */
function byteOf(item: unknown): number {
  if (item === null) return 0;
  if (typeof item !== 'number' && typeof item !== 'bigint') throw new DecodeError('unrecognized type: uint8');
  if (typeof item === 'number' && !Number.isInteger(item)) throw new DecodeError('cannot convert float64 to uint8');
  return Number(BigInt.asUintN(8, heldByInt64(item)));
}

const probes = new WeakMap<ScalarSchema, StructSchema>();

/** Types that read their own JSON do so here as well, only that no struct around them is named. */
function refuseUndecodable(schema: ScalarSchema, value: unknown): void {
  let probe = probes.get(schema);
  if (probe === undefined) {
    probe = struct('probe', () => ({ value: optional(1, schema) }));
    probes.set(schema, probe);
  }
  try {
    decodeValue(probe, { value });
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw new DecodeError(error.message.replace(/into Go struct field \S+ of type/, 'into Go value of type'));
  }
}

function goKind(value: unknown): string {
  if (Array.isArray(value)) return 'slice';
  if (typeof value === 'object') return 'map';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'string') return 'string';
  return typeof value === 'bigint' || Number.isInteger(value) ? 'int64' : 'float64';
}
