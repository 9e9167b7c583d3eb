// Written objects say null for what is required and not there (lists, maps, times); in memory such fields are absent.
// Compiled per struct on first use; parts of the tree that never have such nulls are not visited.
import type { AnySchema, StructSchema } from '#schema/build.ts';
import { setMember } from '#schema/clone.ts';
import { perSchema } from '#schema/per-schema.ts';
import { isCustom, planOf } from '#schema/struct-plan.ts';

/** Changes the object in place where it can. */
export function dropNulls<T extends object>(schema: StructSchema, object: T): T {
  return (dropperOf(schema)?.(object) ?? object) as T;
}

/** Returns what is to stand in the place of the value. */
type Dropper = (value: unknown) => unknown;

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
    if (Array.isArray(value)) for (let index = 0; index < value.length; index++) value[index] = drop(value[index]);
    return value;
  };
}

function inValues(of: AnySchema): Dropper {
  return (value) => {
    const drop = dropperOf(of) as Dropper;
    const map = value as Record<string, unknown>;
    for (const key in map) setMember(map, key, drop(map[key]));
    return map;
  };
}

interface StructPart {
  readonly nulls: readonly string[];
  readonly nested: readonly (readonly [name: string, drop: Dropper])[];
}

function inStruct(schema: StructSchema): Dropper {
  let part: StructPart | undefined;
  return (value) => {
    if (typeof value !== 'object' || value === null) return value;
    const { nulls, nested } = (part ??= partOf(schema));
    let object = value as Record<string, unknown>;
    if (nulls.some((name) => object[name] === null)) object = without(nulls, object);
    for (const [name, drop] of nested) {
      const member = object[name];
      if (member !== undefined && member !== null) object[name] = drop(member);
    }
    return object;
  };
}

/** A copy: V8 makes a hash table of an object that a property is deleted from, which takes ten times the room (conditions of 1,000 pods: 2.4 MB). */
function without(nulls: readonly string[], object: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const rest: Record<string, unknown> = {};
  for (const key in object) if (object[key] !== null || !nulls.includes(key)) setMember(rest, key, object[key]);
  return rest;
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
