// Written objects say null for what is required and not there (lists, maps, times); in memory such fields are absent.
// Compiled per struct on first use; parts of the tree that never have such nulls are not visited.
import type { AnySchema, StructSchema } from '#schema/build.ts';
import { perSchema } from '#schema/per-schema.ts';
import { isCustom, planOf } from '#schema/struct-plan.ts';

export function dropNulls(schema: StructSchema, object: object): void {
  dropperOf(schema)?.(object);
}

type Dropper = (value: unknown) => void;

const plannedDrop = perSchema((schema): { readonly drop: Dropper | undefined } => ({ drop: hasNulls(schema, new Set()) ? compile(schema) : undefined }));

function dropperOf(schema: AnySchema): Dropper | undefined {
  return plannedDrop(schema).drop;
}

function hasNulls(schema: AnySchema, seen: Set<AnySchema>): boolean {
  if (seen.has(schema)) return false;
  seen.add(schema);
  if (schema.is === 'list') return hasNulls(schema.item, seen);
  if (schema.is === 'map') return hasNulls(schema.value, seen);
  if (schema.is !== 'struct') return false;
  if (isCustom(schema)) return Object.values(schema.fields).some((field) => isTyped(field.schema) && hasNulls(field.schema, seen));
  const { nulls, fields } = planOf(schema);
  return nulls.length > 0 || [...fields.values()].some((field) => hasNulls(field.schema, seen));
}

function isTyped(schema: AnySchema): boolean {
  return schema.is === 'struct' && !isCustom(schema);
}

function compile(schema: AnySchema): Dropper {
  if (schema.is === 'list') return inItems(schema.item);
  if (schema.is === 'map') return inValues(schema.value);
  return inStruct(schema as StructSchema);
}

function inItems(item: AnySchema): Dropper {
  return (value) => {
    const drop = dropperOf(item) as Dropper;
    if (Array.isArray(value)) for (const each of value) drop(each);
  };
}

function inValues(of: AnySchema): Dropper {
  return (value) => {
    const drop = dropperOf(of) as Dropper;
    for (const key in value as Record<string, unknown>) drop((value as Record<string, unknown>)[key]);
  };
}

interface StructPart {
  readonly nulls: readonly string[];
  readonly nested: readonly (readonly [name: string, drop: Dropper])[];
}

function inStruct(schema: StructSchema): Dropper {
  let part: StructPart | undefined;
  return (value) => {
    if (typeof value !== 'object' || value === null) return;
    part ??= partOf(schema);
    const object = value as Record<string, unknown>;
    for (const name of part.nulls) if (object[name] === null) delete object[name];
    for (const [name, drop] of part.nested) {
      const member = object[name];
      if (member !== undefined && member !== null) drop(member);
    }
  };
}

function partOf(schema: StructSchema): StructPart {
  const { nulls, fields } = planOf(schema);
  const visited = [...fields.values()].filter((field) => !isCustom(schema) || isTyped(field.schema));
  return {
    nulls: nulls.map(({ name }) => name),
    nested: visited.flatMap(({ name, schema: of }) => {
      const drop = dropperOf(of);
      return drop === undefined ? [] : [[name, drop] as const];
    }),
  };
}
