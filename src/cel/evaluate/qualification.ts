/** Reading members: fields and keys of maps, positions of lists, with the presence tests of `has` and the optional forms. */
import { formatValue } from '../standard/format-value.ts';
import { CelError, type CelList, type CelValue, isList, isMap, Optional, type Result, typeNameOf, Uint } from '../value.ts';
import type { EvaluationState } from './evaluation-state.ts';

/** The member, or the error that it is missing. One unit of cost per member read. */
export function qualify(state: EvaluationState, value: Result, key: Result): Result {
  if (value instanceof CelError) return value;
  if (key instanceof CelError) return key;
  if (value instanceof Optional) return qualifyOptional(state, value, key);
  state.cost += 1;
  const found = findMember(value, key);
  if (found !== undefined) return found;
  return new CelError(isList(value) ? `index out of bounds: ${formatValue(key)}` : `no such key: ${formatValue(key)}`);
}

/** The member as an optional: none when it is missing, which costs nothing. */
export function qualifyOptional(state: EvaluationState, value: Result, key: Result): Result {
  if (value instanceof CelError) return value;
  if (key instanceof CelError) return key;
  const inner = value instanceof Optional ? value.value : value;
  const found = inner === undefined ? undefined : findMember(inner, key);
  if (found === undefined) return Optional.none;
  state.cost += 1;
  return found instanceof CelError ? found : Optional.of(found);
}

export function isPresent(state: EvaluationState, value: Result, field: string): Result {
  if (value instanceof CelError) return value;
  const inner = value instanceof Optional ? value.value : value;
  if (inner === undefined) return false;
  state.cost += 1;
  if (isList(inner)) return position(field) as CelError;
  return isMap(inner) && inner.has(field);
}

/** Undefined when there is none; an error when the key cannot name one. */
function findMember(value: CelValue, key: CelValue): Result | undefined {
  const invalid = invalidQualifier(key);
  if (invalid !== undefined) return invalid;
  if (isMap(value)) {
    try {
      return value.get(key);
    } catch (error) {
      if (error instanceof CelError) return error;
      throw error;
    }
  }
  return isList(value) ? elementAt(value, key) : undefined;
}

/** Maps may have keys of other types, but only `in` and macros find them. */
export function invalidQualifier(key: CelValue): CelError | undefined {
  return typeof key === 'object' && !(key instanceof Uint) ? new CelError(`invalid qualifier type: ${goTypeOf(key)}`) : undefined;
}

/** The name of cel-go's type. */
function goTypeOf(value: Exclude<CelValue, boolean | bigint | number | string | Uint>): string {
  if (value === null) return 'types.Null';
  if (value instanceof Uint8Array) return 'types.Bytes';
  switch (value.kind) {
    case 'list':
      return '*types.baseList';
    case 'map':
      return '*types.baseMap';
    case 'timestamp':
      return 'types.Timestamp';
    case 'duration':
      return 'types.Duration';
    case 'type':
      return '*types.Type';
    case 'optional':
      return '*types.Optional';
    default:
      return `cel.${value.typeName.slice(value.typeName.lastIndexOf('.') + 1)}`;
  }
}

function elementAt(list: CelList, key: CelValue): Result | undefined {
  const index = position(key);
  if (index instanceof CelError) return index;
  return index >= 0 && index < list.size() ? list.get(index) : undefined;
}

/** The position a number names; doubles and uints count when they are whole and small enough. */
function position(key: CelValue): number | CelError {
  if (typeof key === 'bigint') return Number(key);
  if (key instanceof Uint && key.value < 2n ** 63n) return Number(key.value);
  if (typeof key === 'number' && Number.isInteger(key)) return key;
  if (typeof key === 'number' || key instanceof Uint) return new CelError(`unsupported index value ${formatValue(key)} in list`);
  return new CelError(`unsupported index type '${typeNameOf(key)}' in list`);
}
