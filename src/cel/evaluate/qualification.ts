/** Reading members: fields and keys of maps, positions of lists, with the presence tests of `has` and the optional forms. */
import { CelError, type CelList, type CelValue, isList, isMap, Optional, typeNameOf, Uint } from '../value.ts';
import { formatValue } from '../standard/format-value.ts';
import type { EvaluationState } from './evaluation-state.ts';

/** The member, or the error that it is missing. One unit of cost per member read. */
export function qualify(state: EvaluationState, value: CelValue, key: CelValue): CelValue {
  if (value instanceof Optional) return qualifyOptional(state, value, key);
  state.cost += 1;
  const found = findMember(value, key);
  if (found !== undefined) return found;
  throw new CelError(isList(value) ? `index out of bounds: ${formatValue(key)}` : `no such key: ${formatValue(key)}`);
}

/** The member as an optional: none when it is missing, which costs nothing. */
export function qualifyOptional(state: EvaluationState, value: CelValue, key: CelValue): Optional {
  const inner = value instanceof Optional ? value.value : value;
  const found = inner === undefined ? undefined : findMember(inner, key);
  if (found === undefined) return Optional.none;
  state.cost += 1;
  return Optional.of(found);
}

export function isPresent(state: EvaluationState, value: CelValue, field: string): boolean {
  const inner = value instanceof Optional ? value.value : value;
  if (inner === undefined) return false;
  state.cost += 1;
  return isMap(inner) && inner.has(field);
}

function findMember(value: CelValue, key: CelValue): CelValue | undefined {
  if (isMap(value)) return value.get(key);
  if (!isList(value)) return undefined;
  return elementAt(value, key);
}

function elementAt(list: CelList, key: CelValue): CelValue | undefined {
  const index = position(key);
  return index >= 0 && index < list.size() ? list.get(index) : undefined;
}

/** The position a number names; doubles and uints count when they are whole and small enough. */
function position(key: CelValue): number {
  if (typeof key === 'bigint') return Number(key);
  if (key instanceof Uint && key.value < 2n ** 63n) return Number(key.value);
  if (typeof key === 'number' && Number.isInteger(key)) return key;
  if (typeof key === 'number' || key instanceof Uint) throw new CelError(`unsupported index value ${formatValue(key)} in list`);
  throw new CelError(`unsupported index type '${typeNameOf(key)}' in list`);
}
