/** The order of values: numbers across their types, strings by code point, bytes, times. */
import type { FunctionDeclaration, Overload } from '../library.ts';
import { boolType, bytesType, doubleType, durationType, intType, stringType, timestampType, type Type, uintType } from '../type.ts';
import { CelError, type CelValue, type Duration, type Timestamp, Uint } from '../value.ts';
import { operatorMismatch } from './mismatch.ts';

type Order = -1 | 0 | 1;

/** Signatures in cel-go's order: it is the order of candidate overloads in references. */
const signatures: readonly (readonly [string, Type, Type])[] = [
  ['bool', boolType, boolType],
  ['int64', intType, intType],
  ['int64_double', intType, doubleType],
  ['int64_uint64', intType, uintType],
  ['uint64', uintType, uintType],
  ['uint64_double', uintType, doubleType],
  ['uint64_int64', uintType, intType],
  ['double', doubleType, doubleType],
  ['double_int64', doubleType, intType],
  ['double_uint64', doubleType, uintType],
  ['string', stringType, stringType],
  ['bytes', bytesType, bytesType],
  ['timestamp', timestampType, timestampType],
  ['duration', durationType, durationType],
];

export const comparisons: readonly FunctionDeclaration[] = [
  comparison('_<_', 'less', (order) => order < 0),
  comparison('_<=_', 'less_equals', (order) => order <= 0),
  comparison('_>_', 'greater', (order) => order > 0),
  comparison('_>=_', 'greater_equals', (order) => order >= 0),
];

function comparison(name: string, prefix: string, holds: (order: Order) => boolean): FunctionDeclaration {
  const overloads = signatures.map(([suffix, left, right]): Overload => {
    return { id: `${prefix}_${suffix}`, member: false, args: [left, right], result: boolType, call: (a, b) => holds(compareValues(a, b)) };
  });
  return { name, overloads, mismatch: operatorMismatch(name, ['bool', 'int', 'uint', 'double', 'string', 'bytes', 'timestamp', 'duration']) };
}

/** The order of two values of comparable types. */
export function compareValues(a: CelValue, b: CelValue): Order {
  if (typeof a === 'bigint' && typeof b === 'bigint') return orderOf(a, b);
  if (typeof a === 'string' && typeof b === 'string') return compareStrings(a, b);
  if (typeof a === 'number' || typeof a === 'bigint' || a instanceof Uint) return compareOrdered(a, b as number | bigint | Uint);
  if (typeof a === 'boolean') return orderOf(Number(a), Number(b));
  if (a instanceof Uint8Array) return compareBytes(a, b as Uint8Array);
  return orderOf((a as Timestamp | Duration).nanos, (b as Timestamp | Duration).nanos);
}

function compareOrdered(a: number | bigint | Uint, b: number | bigint | Uint): Order {
  const order = compareNumbers(a, b);
  if (order === undefined) throw new CelError('NaN values cannot be ordered');
  return order;
}

/** The order of two numbers; undefined when one is NaN. Integers compare exactly with each other, with a double after conversion to one, as in cel-go. */
export function compareNumbers(a: number | bigint | Uint, b: number | bigint | Uint): Order | undefined {
  const left = a instanceof Uint ? a.value : a;
  const right = b instanceof Uint ? b.value : b;
  if (typeof left === 'bigint' && typeof right === 'bigint') return orderOf(left, right);
  const x = Number(left);
  const y = Number(right);
  return Number.isNaN(x) || Number.isNaN(y) ? undefined : orderOf(x, y);
}

/** Go compares UTF-8 bytes, which is the order of code points; UTF-16 units differ from it only at surrogates. */
export function compareStrings(a: string, b: string): Order {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left === right) continue;
    const leftIsSurrogate = left >= 0xd800 && left <= 0xdfff;
    const rightIsSurrogate = right >= 0xd800 && right <= 0xdfff;
    if (leftIsSurrogate !== rightIsSurrogate) return leftIsSurrogate ? 1 : -1;
    return left < right ? -1 : 1;
  }
  return orderOf(a.length, b.length);
}

function compareBytes(a: Uint8Array, b: Uint8Array): Order {
  return Math.sign(Buffer.compare(a, b)) as Order;
}

function orderOf<T extends number | bigint>(a: T, b: T): Order {
  return a < b ? -1 : a > b ? 1 : 0;
}
