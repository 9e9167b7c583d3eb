// Raw JSON of a client is bytes to Go: what has the same members in another order is another value, wherever values are compared bit by bit.
import type { AnySchema, StructSchema } from '#schema/build.ts';
import { perSchema } from '#schema/per-schema.ts';
import { isCustom } from '#schema/struct-plan.ts';

/** Somewhere in values of the schema stands raw JSON. */
export function holdsRawJson(schema: AnySchema): boolean {
  return rawJson(schema).isThere;
}

const rawJson = perSchema((schema) => ({ isThere: findsRawJson(schema, new Set()) }));

function findsRawJson(schema: AnySchema, seen: Set<AnySchema>): boolean {
  if (seen.has(schema)) return false;
  seen.add(schema);
  switch (schema.is) {
    case 'struct':
      // Custom resources have none: what they keep as it is is free JSON, of which only the members count.
      return !isCustom(schema) && Object.values(schema.fields).some((field) => findsRawJson(field.schema, seen));
    case 'list':
      return findsRawJson(schema.item, seen);
    case 'map':
      return findsRawJson(schema.value, seen);
    default:
      return schema.is === 'rawExtension';
  }
}

/** Of two values that are equal otherwise: some raw JSON in them has its members in another order. */
export function isRawJsonReordered(schema: AnySchema, before: unknown, after: unknown): boolean {
  if (typeof before !== 'object' || typeof after !== 'object' || before === null || after === null || !holdsRawJson(schema)) return false;
  switch (schema.is) {
    case 'struct':
      return isFieldReordered(schema, before as Members, after as Members);
    case 'list':
      return (before as readonly unknown[]).some((item, index) => isRawJsonReordered(schema.item, item, (after as readonly unknown[])[index]));
    case 'map':
      return Object.entries(before).some(([key, member]) => isRawJsonReordered(schema.value, member, (after as Members)[key]));
    default:
      return JSON.stringify(before, asText) !== JSON.stringify(after, asText);
  }
}

type Members = Readonly<Record<string, unknown>>;

function isFieldReordered(schema: StructSchema, before: Members, after: Members): boolean {
  return Object.entries(schema.fields).some(([name, field]) => isRawJsonReordered(field.schema, before[name], after[name]));
}

function asText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}
