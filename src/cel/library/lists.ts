// kubernetes.lists: order, sums and positions.
import { declare, member } from '#cel/library/declare.ts';
import type { FunctionDeclaration, Library, Overload } from '#cel/library.ts';
import { checkedInt, checkedUint } from '#cel/standard/arithmetic.ts';
import { compareValues } from '#cel/standard/comparison.ts';
import { celEquals } from '#cel/standard/equality.ts';
import { checkedDuration } from '#cel/standard/time.ts';
import { boolType, bytesType, doubleType, durationType, intType, listType, stringType, timestampType, type Type, typeParam, uintType } from '#cel/type.ts';
import { CelError, type CelList, type CelValue, Duration, typeNameOf, Uint } from '#cel/value.ts';

type Named = readonly [name: string, type: Type];

const summable: readonly (readonly [...Named, zero: CelValue])[] = [
  ['int', intType, 0n],
  ['uint', uintType, new Uint(0n)],
  ['double', doubleType, 0],
  ['duration', durationType, new Duration(0n)],
];

const comparable: readonly Named[] = [
  ['int', intType],
  ['uint', uintType],
  ['double', doubleType],
  ['bool', boolType],
  ['duration', durationType],
  ['timestamp', timestampType],
  ['string', stringType],
  ['bytes', bytesType],
];

const paramA = typeParam('A');

export const listsLibrary: Library = {
  name: 'kubernetes.lists',
  introduced: 0,
  functions: [
    ofComparable('isSorted', (name, type) => member(`list_${name}_is_sorted_bool`, [listType(type)], boolType, isSorted)),
    declare('sum', ...summable.map(([name, type, zero]) => member(`list_${name}_sum_${name}`, [listType(type)], type, (list: CelList) => sum(list, zero)))),
    ofComparable('max', (name, type) => member(`list_${name}_max_${name}`, [listType(type)], type, (list: CelList) => extreme(list, 'max', -1))),
    ofComparable('min', (name, type) => member(`list_${name}_min_${name}`, [listType(type)], type, (list: CelList) => extreme(list, 'min', 1))),
    declare('indexOf', member('list_a_index_of_int', [listType(paramA), paramA], intType, indexOf)),
    declare('lastIndexOf', member('list_a_last_index_of_int', [listType(paramA), paramA], intType, lastIndexOf)),
  ],
};

function ofComparable(name: string, overload: (...named: Named) => Overload): FunctionDeclaration {
  return declare(name, ...comparable.map(([typeName, type]) => overload(typeName, type)));
}

function isSorted(list: CelList): boolean {
  let previous: CelValue | undefined;
  for (const element of list) {
    if (previous !== undefined && orderOf(previous, element) === 1) return false;
    previous = element;
  }
  return true;
}

/** Undefined where there is no order: upstream takes NaN and values of different types for neither more nor less. */
function orderOf(a: CelValue, b: CelValue): -1 | 0 | 1 | undefined {
  if (typeNameOf(a) !== typeNameOf(b) && !(isNumeric(a) && isNumeric(b))) return undefined;
  try {
    return compareValues(a, b);
  } catch (error) {
    if (error instanceof CelError) return undefined;
    throw error;
  }
}

function isNumeric(value: CelValue): boolean {
  return typeof value === 'bigint' || typeof value === 'number' || value instanceof Uint;
}

function sum(list: CelList, zero: CelValue): CelValue {
  let total = zero;
  for (const element of list) total = plus(total, element);
  return total;
}

function plus(a: CelValue, b: CelValue): CelValue {
  if (typeof a === 'bigint' && typeof b === 'bigint') return checkedInt(a + b);
  if (typeof a === 'number' && typeof b === 'number') return a + b;
  if (a instanceof Uint && b instanceof Uint) return checkedUint(a.value + b.value);
  if (a instanceof Duration && b instanceof Duration) return checkedDuration(a.nanos + b.nanos);
  throw new CelError('no such overload');
}

/** The first element of those that none surpasses; `worse` is the order in which an element gives way to the next. */
function extreme(list: CelList, name: 'max' | 'min', worse: -1 | 1): CelValue {
  let best: CelValue | undefined;
  for (const element of list) if (best === undefined || orderOf(best, element) === worse) best = element;
  if (best === undefined) throw new CelError(`${name} called on empty list`);
  return best;
}

function indexOf(list: CelList, value: CelValue): bigint {
  const size = list.size();
  for (let index = 0; index < size; index++) if (celEquals(list.get(index), value)) return BigInt(index);
  return -1n;
}

function lastIndexOf(list: CelList, value: CelValue): bigint {
  for (let index = list.size() - 1; index >= 0; index--) if (celEquals(list.get(index), value)) return BigInt(index);
  return -1n;
}
