/** Equality of values of any two types: different types are unequal, but numbers compare by value. */
import {
  CelError,
  type CelList,
  type CelMap,
  type CelValue,
  isList,
  isMap,
  isObject,
  type Duration,
  type Optional,
  type Timestamp,
  type TypeValue,
  Uint,
} from '../value.ts';
import { compareNumbers } from './comparison.ts';

export function celEquals(a: CelValue, b: CelValue): boolean {
  if (typeof a === 'string' || typeof a === 'boolean' || a === null) return a === b;
  if (typeof a === 'bigint') return typeof b === 'bigint' ? a === b : isNumber(b) && compareNumbers(a, b) === 0;
  if (typeof a === 'number' || a instanceof Uint) return isNumber(b) && compareNumbers(a, b) === 0;
  // Values of libraries may refuse to be compared with other types.
  if (isObject(a)) return a.equals(b);
  if (b === null) return false;
  if (!(a instanceof Uint8Array) && refuses(a, b)) throw noSuchOverload;
  if (typeof b !== 'object') return false;
  if (a instanceof Uint8Array) return b instanceof Uint8Array && sameBytes(a, b);
  return !(b instanceof Uint8Array) && !(b instanceof Uint) && b.kind !== 'object' && sameKindEquals(a, b);
}

const noSuchOverload = new CelError('no such overload');

/** Lists and maps of the object itself refuse to be compared with other kinds of values. */
function refuses(a: Compound, b: CelValue): boolean {
  if (a.kind !== 'list' && a.kind !== 'map') return false;
  return a.isOfObject === true && !(a.kind === 'list' ? isList(b) : isMap(b));
}

type Compound = CelList | CelMap | Timestamp | Duration | TypeValue | Optional;

function sameKindEquals(a: Compound, b: Compound): boolean {
  switch (a.kind) {
    case 'list':
      return b.kind === 'list' && (a.equals?.(b) ?? sameElements(a, b));
    case 'map':
      return b.kind === 'map' && (a.equals?.(b) ?? sameEntries(a, b));
    case 'timestamp':
      return b.kind === 'timestamp' && a.nanos === b.nanos;
    case 'duration':
      return b.kind === 'duration' && a.nanos === b.nanos;
    case 'type':
      return b.kind === 'type' && a.name === b.name;
    case 'optional':
      return b.kind === 'optional' && (a.value === undefined || b.value === undefined ? a.value === b.value : celEquals(a.value, b.value));
  }
}

export function isNumber(value: CelValue): value is bigint | number | Uint {
  return typeof value === 'bigint' || typeof value === 'number' || value instanceof Uint;
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}

function sameElements(a: CelList, b: CelList): boolean {
  const size = a.size();
  if (size !== b.size()) return false;
  for (let index = 0; index < size; index++) {
    if (!areAlike(a, a.get(index), b.get(index))) return false;
  }
  return true;
}

/** Elements that cannot be compared are taken for equal, unless they stand in the object itself. */
function areAlike(whole: CelList | CelMap, a: CelValue, b: CelValue): boolean {
  if (whole.isOfObject === true) return celEquals(a, b);
  try {
    return celEquals(a, b);
  } catch (error) {
    if (error instanceof CelError) return true;
    throw error;
  }
}

function sameEntries(a: CelMap, b: CelMap): boolean {
  if (a.size() !== b.size()) return false;
  for (const key of a.keys()) {
    const mine = a.get(key);
    const other = b.get(key);
    if (mine === undefined || other === undefined || !areAlike(a, mine, other)) return false;
  }
  return true;
}
