// Are two values the same to a client? Absent, empty list and empty map are one (`{}` for a struct is not absent, but no caller compares those).
// Null is a pointer to the zero time, which is there.
import type { AnySchema } from '#schema/build.ts';
import { isRawJsonReordered } from '#schema/raw-json.ts';

export function semanticEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (isEmptyCollection(a) && isEmptyCollection(b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) return Array.isArray(a) && Array.isArray(b) && equalLists(a, b);
  return equalFields(a as Fields, b as Fields);
}

/** Of values that hold raw JSON. */
export function semanticEqualWithRawJson(schema: AnySchema, a: unknown, b: unknown): boolean {
  return semanticEqual(a, b) && !isRawJsonReordered(schema, a, b);
}

type Fields = Readonly<Record<string, unknown>>;

function equalLists(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index++) if (!semanticEqual(a[index], b[index])) return false;
  return true;
}

function equalFields(a: Fields, b: Fields): boolean {
  for (const key in a) if (!semanticEqual(a[key], b[key])) return false;
  for (const key in b) if (!(key in a) && !semanticEqual(undefined, b[key])) return false;
  return true;
}

function isEmptyCollection(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.length === 0);
}
