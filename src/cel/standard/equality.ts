/** Equality of values of any two types: different types are unequal, but numbers compare by value. */
import { type CelList, type CelMap, type CelValue, isObject, type Duration, type Optional, type Timestamp, type TypeValue, Uint } from '../value.ts';
import { compareNumbers } from './comparison.ts';

export function celEquals(a: CelValue, b: CelValue): boolean {
  if (typeof a === 'string' || typeof a === 'boolean' || a === null) return a === b;
  if (typeof a === 'bigint') return typeof b === 'bigint' ? a === b : isNumber(b) && compareNumbers(a, b) === 0;
  if (typeof a === 'number' || a instanceof Uint) return isNumber(b) && compareNumbers(a, b) === 0;
  // Values of libraries may refuse to be compared with other types.
  if (isObject(a)) return a.equals(b);
  if (typeof b !== 'object' || b === null) return false;
  if (a instanceof Uint8Array) return b instanceof Uint8Array && sameBytes(a, b);
  return !(b instanceof Uint8Array) && !(b instanceof Uint) && b.kind !== 'object' && sameKindEquals(a, b);
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
    if (!celEquals(a.get(index), b.get(index))) return false;
  }
  return true;
}

function sameEntries(a: CelMap, b: CelMap): boolean {
  if (a.size() !== b.size()) return false;
  for (const key of a.keys()) {
    const mine = a.get(key);
    const other = b.get(key);
    if (mine === undefined || other === undefined || !celEquals(mine, other)) return false;
  }
  return true;
}
