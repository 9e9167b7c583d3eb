// CEL values as JSON: what an expression hands back to become part of an object.
import { formatDuration, formatTimestamp } from '#cel/standard/time.ts';
import { CelError, type CelValue, typeNameOf } from '#cel/value.ts';

/** Integers beyond 2^53 stay bigints, as objects hold them. */
export function jsonOf(value: CelValue): unknown {
  switch (typeof value) {
    case 'boolean':
    case 'string':
    case 'number':
      return value;
    case 'bigint':
      return integer(value);
    default:
      return value === null ? null : jsonOfObject(value);
  }
}

function integer(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

function jsonOfObject(value: Exclude<CelValue, null | boolean | string | number | bigint>): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  switch (value.kind) {
    case 'uint':
      return integer(value.value);
    case 'list':
      return [...value].map(jsonOf);
    case 'map':
      return Object.fromEntries([...value.keys()].flatMap((key) => memberOf(keyText(key), value.get(key))));
    case 'timestamp':
      return formatTimestamp(value);
    case 'duration':
      return formatDuration(value);
    case 'optional':
      return value.value === undefined ? null : jsonOf(value.value);
    default:
      throw new CelError(`a value of type ${typeNameOf(value)} is no JSON`);
  }
}

function keyText(key: CelValue): string {
  if (typeof key !== 'string') throw new CelError(`unsupported type conversion from '${typeNameOf(key)}' to string`);
  return key;
}

function memberOf(key: string, value: CelValue | undefined): readonly (readonly [string, unknown])[] {
  if (value === undefined) return [];
  const isAbsent = typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'optional' && value.value === undefined;
  return isAbsent ? [] : [[key, jsonOf(value)]];
}
