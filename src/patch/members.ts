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
  if (Array.isArray(left)) return Array.isArray(right) && equalItems(left, right);
  return isPlainObject(left) && isPlainObject(right) && equalMembers(left, right);
}

function equalItems(left: readonly unknown[], right: readonly unknown[]): boolean {
  if (left.length !== right.length) return false;
  for (let index = 0; index < left.length; index++) if (!equalValues(left[index], right[index])) return false;
  return true;
}

function equalMembers(left: PlainObject, right: PlainObject): boolean {
  let count = 0;
  for (const key in left) {
    if (!Object.hasOwn(right, key) || !equalValues(left[key], right[key])) return false;
    count++;
  }
  for (const _ in right) count--;
  return count === 0;
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
