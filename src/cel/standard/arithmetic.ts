/** `+ - * / %` and negation: exact 64-bit integers with overflow errors, doubles, times, concatenation. */
import type { FunctionDeclaration, Overload } from '../library.ts';
import { bytesType, doubleType, durationType, intType, listType, stringType, timestampType, type Type, typeParam, uintType } from '../type.ts';
import { ArrayList, CelError, type CelList, type CelValue, type Duration, type Timestamp, Uint } from '../value.ts';
import { operatorMismatch } from './mismatch.ts';
import { checkedDuration, checkedTimestamp } from './time.ts';

const listOfA = listType(typeParam('A'));

export const arithmetic: readonly FunctionDeclaration[] = [
  operator(
    '_+_',
    ['bytes', 'double', 'duration', 'int', 'list', 'string', 'timestamp', 'uint'],
    [
      binary('add_bytes', bytesType, bytesType, bytesType, (a: Uint8Array, b: Uint8Array) => new Uint8Array(Buffer.concat([a, b]))),
      binary('add_double', doubleType, doubleType, doubleType, (a: number, b: number) => a + b),
      binary('add_duration_duration', durationType, durationType, durationType, (a: Duration, b: Duration) => checkedDuration(a.nanos + b.nanos)),
      binary('add_duration_timestamp', durationType, timestampType, timestampType, (a: Duration, b: Timestamp) => checkedTimestamp(a.nanos + b.nanos, b.zone)),
      binary('add_timestamp_duration', timestampType, durationType, timestampType, (a: Timestamp, b: Duration) => checkedTimestamp(a.nanos + b.nanos, a.zone)),
      binary('add_int64', intType, intType, intType, (a: bigint, b: bigint) => intOrError(a + b)),
      binary('add_list', listOfA, listOfA, listOfA, concatLists),
      binary('add_string', stringType, stringType, stringType, (a: string, b: string) => a + b),
      binary('add_uint64', uintType, uintType, uintType, (a: Uint, b: Uint) => uintOrError(a.value + b.value)),
    ],
  ),
  operator(
    '_/_',
    ['double', 'int', 'uint'],
    [
      binary('divide_double', doubleType, doubleType, doubleType, (a: number, b: number) => a / b),
      binary('divide_int64', intType, intType, intType, (a: bigint, b: bigint) => (b === 0n ? divisionByZero : intOrError(a / b))),
      binary('divide_uint64', uintType, uintType, uintType, (a: Uint, b: Uint) => (b.value === 0n ? divisionByZero : uintOrError(a.value / b.value))),
    ],
  ),
  operator(
    '_%_',
    ['int', 'uint'],
    [
      binary('modulo_int64', intType, intType, intType, moduloInts),
      binary('modulo_uint64', uintType, uintType, uintType, (a: Uint, b: Uint) => (b.value === 0n ? modulusByZero : uintOrError(a.value % b.value))),
    ],
  ),
  operator(
    '_*_',
    ['double', 'int', 'uint'],
    [
      binary('multiply_double', doubleType, doubleType, doubleType, (a: number, b: number) => a * b),
      binary('multiply_int64', intType, intType, intType, (a: bigint, b: bigint) => intOrError(a * b)),
      binary('multiply_uint64', uintType, uintType, uintType, (a: Uint, b: Uint) => uintOrError(a.value * b.value)),
    ],
  ),
  operator(
    '-_',
    ['double', 'int', 'duration', 'bool'],
    [
      { id: 'negate_double', member: false, args: [doubleType], result: doubleType, call: (a: number) => -a },
      { id: 'negate_int64', member: false, args: [intType], result: intType, call: (a: bigint) => intOrError(-a) },
      { id: 'negate_duration', member: false, args: [durationType], result: durationType, undeclared: true, call: (a: Duration) => checkedDuration(-a.nanos) },
    ],
  ),
  operator(
    '_-_',
    ['double', 'duration', 'int', 'timestamp', 'uint'],
    [
      binary('subtract_double', doubleType, doubleType, doubleType, (a: number, b: number) => a - b),
      binary('subtract_duration_duration', durationType, durationType, durationType, (a: Duration, b: Duration) => checkedDuration(a.nanos - b.nanos)),
      binary('subtract_int64', intType, intType, intType, (a: bigint, b: bigint) => intOrError(a - b)),
      binary('subtract_timestamp_duration', timestampType, durationType, timestampType, (a: Timestamp, b: Duration) =>
        checkedTimestamp(a.nanos - b.nanos, a.zone),
      ),
      binary('subtract_timestamp_timestamp', timestampType, timestampType, durationType, (a: Timestamp, b: Timestamp) => checkedDuration(a.nanos - b.nanos)),
      binary('subtract_uint64', uintType, uintType, uintType, (a: Uint, b: Uint) => uintOrError(a.value - b.value)),
    ],
  ),
];

const minInt = -(2n ** 63n);
const maxInt = 2n ** 63n - 1n;
const maxUint = 2n ** 64n - 1n;

const integerOverflow = new CelError('integer overflow');
const unsignedOverflow = new CelError('unsigned integer overflow');
const divisionByZero = new CelError('division by zero');
const modulusByZero = new CelError('modulus by zero');

function intOrError(value: bigint): bigint | CelError {
  return value > maxInt || value < minInt ? integerOverflow : value;
}

function uintOrError(value: bigint): Uint | CelError {
  return value < 0n || value > maxUint ? unsignedOverflow : new Uint(value);
}

/** Throws when the value does not fit an int. */
export function checkedInt(value: bigint): bigint {
  const result = intOrError(value);
  if (result instanceof CelError) throw result;
  return result;
}

/** Throws when the value does not fit a uint. */
export function checkedUint(value: bigint): Uint {
  const result = uintOrError(value);
  if (result instanceof CelError) throw result;
  return result;
}

export function concatLists(a: CelList, b: CelList): CelValue {
  if (a.concat !== undefined) return a.concat(b);
  if (b.size() === 0) return a;
  if (a.size() === 0) return b;
  return new ArrayList([...a, ...b]);
}

function moduloInts(a: bigint, b: bigint): bigint | CelError {
  if (b === 0n) return modulusByZero;
  return a === minInt && b === -1n ? integerOverflow : a % b;
}

function operator(name: string, leftTypes: readonly string[], overloads: readonly Overload[]): FunctionDeclaration {
  return { name, overloads, mismatch: operatorMismatch(name, leftTypes) };
}

function binary(id: string, left: Type, right: Type, result: Type, call: NonNullable<Overload['call']>): Overload {
  return { id, member: false, args: [left, right], result, call };
}
