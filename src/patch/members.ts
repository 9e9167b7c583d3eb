// Members of plain objects, safe for every key a client may send (`__proto__`, `constructor`).

import { setMember } from '#schema/clone.ts';

export type PlainObject = Record<string, unknown>;

export function isPlainObject(value: unknown): value is PlainObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function memberOf(object: PlainObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

export function equalValues(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (Array.isArray(left)) return Array.isArray(right) && left.length === right.length && left.every((item, index) => equalValues(item, right[index]));
  if (!isPlainObject(left) || !isPlainObject(right)) return false;
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length) return false;
  return keys.every((key) => Object.hasOwn(right, key) && equalValues(left[key], right[key]));
}

/** How Go names a JSON value that it cannot take: `object`, `array`, `string`, `number`, `bool`, `null`. */
export function jsonTypeName(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'object') return 'object';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'string' ? 'string' : 'number';
}

/** What a patch has touched is written anew, as Go writes maps: refusals quote it in this order. */
export function withSortedMembers(object: PlainObject): PlainObject {
  const sorted: PlainObject = {};
  for (const key of Object.keys(object).toSorted()) setMember(sorted, key, object[key]);
  return sorted;
}
