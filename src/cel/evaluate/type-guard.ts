/** Whether a value may be passed where an overload declares a type. Parameters of aggregates are looked up on the first element, as cel-go does. */
import type { Type } from '../type.ts';
import { type CelValue, Duration, isList, isMap, isObject, Optional, Timestamp, TypeValue, Uint } from '../value.ts';

export type TypeGuard = (value: CelValue) => boolean;

/** Undefined when every value may be passed. */
export function guardFor(type: Type): TypeGuard | undefined {
  switch (type.kind) {
    case 'bool':
      return (value) => typeof value === 'boolean';
    case 'int':
      return (value) => typeof value === 'bigint';
    case 'double':
      return (value) => typeof value === 'number';
    case 'string':
      return (value) => typeof value === 'string';
    case 'uint':
      return (value) => value instanceof Uint;
    case 'bytes':
      return (value) => value instanceof Uint8Array;
    case 'null':
      return (value) => value === null;
    case 'timestamp':
      return (value) => value instanceof Timestamp;
    case 'duration':
      return (value) => value instanceof Duration;
    case 'type':
      return (value) => value instanceof TypeValue;
    case 'list':
      return listGuard(type.params[0]);
    case 'map':
      return mapGuard(type.params[0], type.params[1]);
    case 'opaque':
      if (type.name === 'optional_type') return (value) => value instanceof Optional;
      return (value) => isObject(value) && value.typeName === type.name;
    case 'struct':
      return (value) => isMap(value) || (isObject(value) && value.typeName === type.name);
    default:
      return undefined;
  }
}

function listGuard(element: Type | undefined): TypeGuard {
  const inner = element === undefined ? undefined : guardFor(element);
  if (inner === undefined) return isList;
  return (value) => isList(value) && (value.size() === 0 || inner(value.get(0)));
}

function mapGuard(key: Type | undefined, element: Type | undefined): TypeGuard {
  const keyGuard = key === undefined ? undefined : guardFor(key);
  const valueGuard = element === undefined ? undefined : guardFor(element);
  if (keyGuard === undefined && valueGuard === undefined) return isMap;
  return (value) => {
    if (!isMap(value)) return false;
    for (const first of value.keys()) {
      const found = value.get(first);
      return (keyGuard?.(first) ?? true) && (found === undefined || (valueGuard?.(found) ?? true));
    }
    return true;
  };
}
