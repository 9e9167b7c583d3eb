// Which part of an old object a part of the new one comes from. What did not change is not judged again when a schema has
// become stricter in the meantime.
import type { AnySchema } from '#schema/build.ts';
import { equal } from '#schema/equal.ts';
import { describedValue } from '#schema/structural/from-openapi.ts';

export interface Earlier {
  readonly value: unknown;
  /** The schema both values belong to: it says how items of lists are told apart. */
  readonly schema: AnySchema;
  readonly comparing?: Comparing | undefined;
}

/** Adds up how long values of one object were compared with earlier ones. */
export class Comparing {
  ms = 0;

  measure<T>(compare: () => T): T {
    const began = performance.now();
    try {
      return compare();
    } finally {
      this.ms += performance.now() - began;
    }
  }
}

export function earlierMember(earlier: Earlier | undefined, name: string): Earlier | undefined {
  if (earlier === undefined || !isObject(earlier.value) || !Object.hasOwn(earlier.value, name)) return undefined;
  const own = schemaOfMember(earlier.schema, name);
  return own === undefined ? undefined : { value: earlier.value[name], schema: own, comparing: earlier.comparing };
}

export function schemaOfMember(schema: AnySchema, name: string): AnySchema | undefined {
  if (schema.is === 'map') return describedValue(schema);
  return schema.is === 'struct' && Object.hasOwn(schema.fields, name) ? schema.fields[name]?.schema : undefined;
}

/** Only items with keys can be found again. */
export function earlierItem(earlier: Earlier | undefined, item: unknown): Earlier | undefined {
  if (earlier === undefined || earlier.schema.is !== 'list' || !Array.isArray(earlier.value) || !isObject(item)) return undefined;
  const { merge, item: schema } = earlier.schema;
  if (typeof merge !== 'object') return undefined;
  const key = keyOf(item, merge.keys);
  if (key === undefined) return undefined;
  const found = indexOf(earlier.value as unknown[], merge.keys).get(key);
  return found === undefined ? undefined : { value: found, schema, comparing: earlier.comparing };
}

/**
 * Is the value what it was? As upstream's CorrelatedObject says: lists with keys may be in another order, and an object with a member that its schema
 * does not declare counts as changed, so the whole custom object, whose metadata is not declared, always does.
 */
export function isUnchanged(value: unknown, earlier: Earlier): boolean {
  return earlier.comparing?.measure(() => isSame(value, earlier)) ?? isSame(value, earlier);
}

function isSame(value: unknown, earlier: Earlier): boolean {
  const { value: old, schema } = earlier;
  if (value === null || value === undefined || old === null || old === undefined) return (value ?? null) === (old ?? null);
  if (Array.isArray(value) && Array.isArray(old)) {
    if (value.length !== old.length) return false;
    if (schema.is !== 'list' || typeof schema.merge !== 'object') return equal(value, old);
    return value.every((item) => isUnchangedPart(item, earlierItem(earlier, item)));
  }
  if (!isObject(value) || !isObject(old)) return equal(value, old);
  const names = Object.keys(value);
  if (schema.is === 'struct' && schema.options.root === true) return false;
  return names.length === Object.keys(old).length && names.every((name) => isUnchangedPart(value[name], earlierMember(earlier, name)));
}

function isUnchangedPart(value: unknown, earlier: Earlier | undefined): boolean {
  return earlier !== undefined && isSame(value, earlier);
}

/** Lists of old objects, which do not change while they are compared with. */
const indexes = new WeakMap<readonly unknown[], ReadonlyMap<string, unknown>>();

/** Of several items with the same keys the first counts. One list has the keys of one schema. */
function indexOf(list: readonly unknown[], keys: readonly string[]): ReadonlyMap<string, unknown> {
  let index = indexes.get(list);
  if (index === undefined) {
    const keyed = list.flatMap((item): [string, unknown][] => {
      const key = isObject(item) ? keyOf(item, keys) : undefined;
      return key === undefined ? [] : [[key, item]];
    });
    index = new Map(keyed.reverse());
    indexes.set(list, index);
  }
  return index;
}

function keyOf(item: Record<string, unknown>, keys: readonly string[]): string | undefined {
  const values = keys.map((key) => (Object.hasOwn(item, key) ? item[key] : undefined));
  if (values.length === 0 || values.some((value) => value === undefined || value === null || typeof value === 'object')) return undefined;
  return values.map((value) => `${typeof value}:${String(value)}`).join('\0');
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
