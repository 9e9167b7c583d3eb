// Fills in what the server fills in. Compiled per struct on first use; parts of the tree without any default are never visited.
import type { AnySchema, StructSchema } from '#schema/build.ts';
import { perSchema } from '#schema/per-schema.ts';
import { isCustom } from '#schema/struct-plan.ts';
import { applyStructuralDefaults } from '#schema/structural/structural-defaults.ts';

/** For every struct: first its own function, then the constants of its fields, then what lies below. */
export function applyDefaults(schema: StructSchema, object: object): void {
  if (isCustom(schema)) applyStructuralDefaults(schema, object);
  else fillerOf(schema)?.(object);
}

type Filler = (value: unknown) => void;

interface Plan {
  readonly fill: Filler | undefined;
}

const planOf = perSchema((schema): Plan => ({ fill: hasDefaults(schema, new Set()) ? compile(schema) : undefined }));

function fillerOf(schema: AnySchema): Filler | undefined {
  return planOf(schema).fill;
}

function hasDefaults(schema: AnySchema, seen: Set<AnySchema>): boolean {
  if (seen.has(schema)) return false;
  seen.add(schema);
  switch (schema.is) {
    case 'list':
      return hasDefaults(schema.item, seen);
    case 'map':
      return hasDefaults(schema.value, seen);
    case 'struct':
      if (schema.options.defaults !== undefined) return true;
      return Object.values(schema.fields).some((field) => field.rules.default !== undefined || hasDefaults(field.schema, seen));
    default:
      return false;
  }
}

function compile(schema: AnySchema): Filler {
  switch (schema.is) {
    case 'list':
      return fillItems(schema.item);
    case 'map':
      return fillValues(schema.value);
    default:
      return fillStruct(schema as StructSchema);
  }
}

function fillItems(item: AnySchema): Filler {
  return (value) => {
    const fill = fillerOf(item) as Filler;
    if (Array.isArray(value)) for (const each of value) if (each !== null) fill(each);
  };
}

function fillValues(of: AnySchema): Filler {
  return (value) => {
    const fill = fillerOf(of) as Filler;
    for (const key in value as Record<string, unknown>) fill((value as Record<string, unknown>)[key]);
  };
}

interface Constant {
  readonly name: string;
  readonly value: unknown;
  /** A pointer is empty only when it is not there; any other value also when it is zero. */
  readonly isPointer: boolean;
}

interface StructDefaults {
  readonly constants: readonly Constant[];
  readonly nested: readonly (readonly [name: string, fill: Filler])[];
}

function fillStruct(schema: StructSchema): Filler {
  const own = schema.options.defaults as ((value: unknown) => void) | undefined;
  let defaults: StructDefaults | undefined;
  return (value) => {
    if (typeof value !== 'object' || value === null) return;
    defaults ??= defaultsOf(schema);
    const object = value as Record<string, unknown>;
    own?.(object);
    for (const { name, value: constant, isPointer } of defaults.constants) {
      const given = object[name];
      if (given === undefined || (!isPointer && (given === '' || given === 0))) object[name] = constant;
    }
    for (const [name, fill] of defaults.nested) {
      const member = object[name];
      if (member !== undefined && member !== null) fill(member);
    }
  };
}

function defaultsOf(schema: StructSchema): StructDefaults {
  const entries = Object.entries(schema.fields);
  return {
    constants: entries.flatMap(([name, { rules, presence }]) =>
      rules.default === undefined ? [] : [{ name, value: rules.default, isPointer: presence === 'pointer' }],
    ),
    nested: entries.flatMap(([name, field]) => {
      const fill = fillerOf(field.schema);
      return fill === undefined ? [] : [[name, fill] as const];
    }),
  };
}
