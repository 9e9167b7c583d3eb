/** Conversions between types: `int()`, `string()`, `timestamp()` … with Go's readings of texts and cel-go's range errors. */
import type { FunctionDeclaration, Overload } from '../library.ts';
import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  dynType,
  intType,
  stringType,
  timestampType,
  type Type,
  typeParam,
  typeTypeOf,
  uintType,
} from '../type.ts';
import { CelError, type CelValue, type Duration, type Timestamp, TypeValue, typeNameOf, Uint } from '../value.ts';
import { checkedUint } from './arithmetic.ts';
import { formatDouble } from './format-value.ts';
import { checkedTimestamp, floorDivide, formatDuration, formatTimestamp, parseDuration, parseTimestamp } from './time.ts';

const paramA = typeParam('A');
const identity = (value: CelValue): CelValue => value;

export const conversions: readonly FunctionDeclaration[] = [
  { name: 'type', overloads: [convert('type', paramA, typeTypeOf(paramA), (value) => new TypeValue(typeNameOf(value)))] },
  { name: 'bool', overloads: [convert('bool_to_bool', boolType, boolType, identity), convert('string_to_bool', stringType, boolType, stringToBool)] },
  {
    name: 'bytes',
    overloads: [
      convert('bytes_to_bytes', bytesType, bytesType, identity),
      convert('string_to_bytes', stringType, bytesType, (text: string) => new TextEncoder().encode(text)),
    ],
  },
  {
    name: 'double',
    overloads: [
      convert('double_to_double', doubleType, doubleType, identity),
      convert('int64_to_double', intType, doubleType, (value: bigint) => Number(value)),
      convert('string_to_double', stringType, doubleType, stringToDouble),
      convert('uint64_to_double', uintType, doubleType, (value: Uint) => Number(value.value)),
    ],
  },
  {
    name: 'duration',
    overloads: [
      convert('duration_to_duration', durationType, durationType, identity),
      // Declared, but cel-go converts no number.
      convert('int64_to_duration', intType, durationType, () => failed('int', 'google.protobuf.Duration')),
      convert('string_to_duration', stringType, durationType, (text: string) => parseDuration(text) ?? failed('string', 'google.protobuf.Duration')),
    ],
  },
  { name: 'dyn', overloads: [convert('to_dyn', paramA, dynType, identity)] },
  {
    name: 'int',
    overloads: [
      convert('int64_to_int64', intType, intType, identity),
      convert('double_to_int64', doubleType, intType, doubleToInt),
      convert('duration_to_int64', durationType, intType, (duration: Duration) => duration.nanos),
      convert('string_to_int64', stringType, intType, stringToInt),
      convert('timestamp_to_int64', timestampType, intType, (timestamp: Timestamp) => floorDivide(timestamp.nanos, 1_000_000_000n)),
      convert('uint64_to_int64', uintType, intType, uintToInt),
    ],
  },
  {
    name: 'string',
    overloads: [
      convert('string_to_string', stringType, stringType, identity),
      convert('bool_to_string', boolType, stringType, String),
      convert('bytes_to_string', bytesType, stringType, bytesToString),
      convert('double_to_string', doubleType, stringType, formatDouble),
      convert('duration_to_string', durationType, stringType, formatDuration),
      convert('int64_to_string', intType, stringType, String),
      convert('timestamp_to_string', timestampType, stringType, formatTimestamp),
      convert('uint64_to_string', uintType, stringType, (value: Uint) => String(value.value)),
    ],
  },
  {
    name: 'timestamp',
    overloads: [
      convert('timestamp_to_timestamp', timestampType, timestampType, identity),
      convert('int64_to_timestamp', intType, timestampType, (seconds: bigint) => checkedTimestamp(seconds * 1_000_000_000n)),
      convert('string_to_timestamp', stringType, timestampType, (text: string) => parseTimestamp(text) ?? failed('string', 'google.protobuf.Timestamp')),
    ],
  },
  {
    name: 'uint',
    overloads: [
      convert('uint64_to_uint64', uintType, uintType, identity),
      convert('double_to_uint64', doubleType, uintType, doubleToUint),
      convert('int64_to_uint64', intType, uintType, checkedUint),
      convert('string_to_uint64', stringType, uintType, stringToUint),
    ],
  },
];

function convert(id: string, from: Type, to: Type, call: NonNullable<Overload['call']>): Overload {
  return { id, member: false, args: [from], result: to, call };
}

function failed(from: string, to: string): never {
  throw new CelError(`type conversion error from '${from}' to '${to}'`);
}

function stringToBool(text: string): boolean {
  if (['1', 't', 'T', 'TRUE', 'true', 'True'].includes(text)) return true;
  if (['0', 'f', 'F', 'FALSE', 'false', 'False'].includes(text)) return false;
  return failed('string', 'bool');
}

function stringToInt(text: string): bigint {
  if (!/^[+-]?[0-9]+$/.test(text)) return failed('string', 'int');
  const value = text.startsWith('+') ? BigInt(text.slice(1)) : BigInt(text);
  return BigInt.asIntN(64, value) === value ? value : failed('string', 'int');
}

function stringToUint(text: string): Uint {
  if (!/^[0-9]+$/.test(text)) return failed('string', 'uint');
  const value = BigInt(text);
  return BigInt.asUintN(64, value) === value ? new Uint(value) : failed('string', 'uint');
}

/** strconv.ParseFloat without hexadecimal and underscores; an overflowing text is no double. */
function stringToDouble(text: string): number {
  const special = /^([+-]?)(inf|infinity|nan)$/i.exec(text);
  if (special !== null) return special[2]?.toLowerCase() === 'nan' ? Number.NaN : special[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  if (!/^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/.test(text)) return failed('string', 'double');
  const value = Number(text);
  return Number.isFinite(value) ? value : failed('string', 'double');
}

function doubleToInt(value: number): bigint {
  if (!(value > -(2 ** 63) && value < 2 ** 63)) throw new CelError('integer overflow');
  return BigInt(Math.trunc(value));
}

function doubleToUint(value: number): Uint {
  if (!(value >= 0 && value < 2 ** 64)) throw new CelError('unsigned integer overflow');
  return new Uint(BigInt(Math.trunc(value)));
}

function uintToInt(value: Uint): bigint {
  if (value.value > 2n ** 63n - 1n) throw new CelError('integer overflow');
  return value.value;
}

function bytesToString(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new CelError('invalid UTF-8 in bytes, cannot convert to string');
  }
}
