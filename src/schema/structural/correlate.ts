// Which part of an old object a part of the new one comes from. What did not change is not judged again when a schema has
// become stricter in the meantime.
import type { AnySchema } from '#schema/build.ts';

export interface Earlier {
  readonly value: unknown;
  /** The schema both values belong to: it says how items of lists are told apart. */
  readonly schema: AnySchema;
}

export function earlierMember(earlier: Earlier | undefined, name: string): Earlier | undefined {
  if (earlier === undefined || !isObject(earlier.value) || !Object.hasOwn(earlier.value, name)) return undefined;
  const { schema } = earlier;
  const own = schema.is === 'map' ? schema.value : schema.is === 'struct' && Object.hasOwn(schema.fields, name) ? schema.fields[name]?.schema : undefined;
  return own === undefined ? undefined : { value: earlier.value[name], schema: own };
}

/** Only items with keys can be found again. */
export function earlierItem(earlier: Earlier | undefined, item: unknown): Earlier | undefined {
  if (earlier === undefined || earlier.schema.is !== 'list' || !Array.isArray(earlier.value) || !isObject(item)) return undefined;
  const { merge, item: schema } = earlier.schema;
  if (typeof merge !== 'object') return undefined;
  const key = keyOf(item, merge.keys);
  if (key === undefined) return undefined;
  const found = (earlier.value as unknown[]).find((old) => isObject(old) && keyOf(old, merge.keys) === key);
  return found === undefined ? undefined : { value: found, schema };
}

function keyOf(item: Record<string, unknown>, keys: readonly string[]): string | undefined {
  const values = keys.map((key) => (Object.hasOwn(item, key) ? item[key] : undefined));
  if (values.length === 0 || values.some((value) => value === undefined || value === null || typeof value === 'object')) return undefined;
  return values.map((value) => `${typeof value}:${String(value)}`).join('\0');
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
