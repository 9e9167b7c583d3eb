// Deep copies of JSON values.
import { copyGivenEmpty } from '#schema/given-empty.ts';
import { defineFields, knownFields } from '#schema/fields-text/fields-text.ts';

export function clone<T>(value: T): T {
  return (typeof value === 'object' && value !== null ? copy(value) : value) as T;
}

function copy(value: object): unknown {
  if (Array.isArray(value)) return copyList(value);
  const result: Record<string, unknown> = {};
  const fields = 'fieldsType' in value ? knownFields(value) : undefined;
  for (const key in value) {
    if (fields !== undefined && key === 'fieldsV1') continue;
    const member = (value as Record<string, unknown>)[key];
    setMember(result, key, typeof member === 'object' && member !== null ? copy(member) : member);
  }
  if (fields !== undefined) defineFields(result, fields);
  copyGivenEmpty(value, result);
  return result;
}

function copyList(value: readonly unknown[]): unknown[] {
  const result: unknown[] = [];
  if (value.length === 0) copyGivenEmpty(value, result);
  for (let index = 0; index < value.length; index++) {
    const item = value[index];
    result.push(typeof item === 'object' && item !== null ? copy(item) : item);
  }
  return result;
}

/**
 * What `{ ...object }` makes, for copies that are added to: V8 (11.3) gives an object that was spread a new hidden class with every field that it
 * gets, half a microsecond each, and whoever reads it later finds a class that nobody has seen.
 */
export function shallowCopy<T extends object>(object: T): T {
  const result: Record<string, unknown> = {};
  for (const key in object) setMember(result, key, object[key]);
  return result as T;
}

/** The members of all of them in one object, later ones win: what a spread does, which is slow where there are very many. */
export function joined<T>(...objects: readonly (Readonly<Record<string, T>> | undefined)[]): Record<string, T> {
  const result: Record<string, T> = {};
  for (const object of objects) if (object !== undefined) for (const key of Object.keys(object)) setMember(result, key, object[key]);
  return result;
}

/** Assignment that also works for the key `__proto__`, which clients may send like any other. */
export function setMember(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  else object[key] = value;
}
