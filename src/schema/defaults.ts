// Fills in what the server fills in: constants stand in the table of fields, functions in the table of defaults that a resource brings along, so that
// a kind does not know what becomes of its objects. Compiled on first use; parts of the tree without any default are never visited.
import type { AnySchema, Infer, StructSchema } from '#schema/build.ts';
import { perSchema } from '#schema/per-schema.ts';
import { isCustom } from '#schema/struct-plan.ts';
import { applyStructuralDefaults } from '#schema/structural/structural-defaults.ts';

/** The functions for all structs that a resource is made of, however deep they lie. */
export type Defaults = readonly StructDefaults[];

export interface StructDefaults {
  readonly struct: StructSchema;
  readonly fill: (value: never) => void;
}

/** What constants cannot say about a struct; runs on every value of it, before the constants of its fields. */
export function defaultsOf<S extends StructSchema>(struct: S, fill: (value: Infer<S>) => void): StructDefaults {
  return { struct, fill };
}

export interface DefaultedKind {
  readonly schema: StructSchema;
  readonly defaults: Defaults;
}

/** For kinds whose defaults are all constants. */
export const noDefaults: Defaults = [];

/** For every struct: first its function, then the constants of its fields, then what lies below. `keepsNulls`: of custom resources. */
export function applyDefaults({ schema, defaults }: DefaultedKind, object: object, keepsNulls = false): void {
  if (isCustom(schema)) applyStructuralDefaults(schema, object, keepsNulls);
  else fillersOf(defaults)(schema).fill?.(object);
}

type Filler = (value: unknown) => void;

interface Plan {
  readonly fill: Filler | undefined;
}

type Plans = (schema: AnySchema) => Plan;

const compiled = new WeakMap<Defaults, Plans>();

function fillersOf(defaults: Defaults): Plans {
  let plans = compiled.get(defaults);
  if (plans === undefined) {
    plans = compile(defaults);
    compiled.set(defaults, plans);
  }
  return plans;
}

function compile(defaults: Defaults): Plans {
  const functions = new Map(defaults.map(({ struct, fill }) => [struct, fill as Filler]));
  const planOf: Plans = perSchema((schema) => ({ fill: hasDefaults(schema, functions, new Set()) ? fillerOf(schema) : undefined }));
  return planOf;

  function fillerOf(schema: AnySchema): Filler {
    switch (schema.is) {
      case 'list':
        return fillItems(schema.item, planOf);
      case 'map':
        return fillValues(schema.value, planOf);
      default:
        return fillStruct(schema as StructSchema, functions.get(schema as StructSchema), planOf);
    }
  }
}

function hasDefaults(schema: AnySchema, functions: ReadonlyMap<AnySchema, Filler>, seen: Set<AnySchema>): boolean {
  if (seen.has(schema)) return false;
  seen.add(schema);
  switch (schema.is) {
    case 'list':
      return hasDefaults(schema.item, functions, seen);
    case 'map':
      return hasDefaults(schema.value, functions, seen);
    case 'struct':
      if (functions.has(schema)) return true;
      return Object.values(schema.fields).some((field) => field.rules.default !== undefined || hasDefaults(field.schema, functions, seen));
    default:
      return false;
  }
}

function fillItems(item: AnySchema, planOf: Plans): Filler {
  return (value) => {
    const fill = planOf(item).fill as Filler;
    if (Array.isArray(value)) for (const each of value) if (each !== null) fill(each);
  };
}

function fillValues(of: AnySchema, planOf: Plans): Filler {
  return (value) => {
    const fill = planOf(of).fill as Filler;
    for (const key in value as Record<string, unknown>) fill((value as Record<string, unknown>)[key]);
  };
}

interface Constant {
  readonly name: string;
  readonly value: unknown;
  /** A pointer is empty only when it is not there; any other value also when it is zero. */
  readonly isPointer: boolean;
}

interface FieldDefaults {
  readonly constants: readonly Constant[];
  readonly nested: readonly (readonly [name: string, fill: Filler])[];
}

function fillStruct(schema: StructSchema, own: Filler | undefined, planOf: Plans): Filler {
  let defaults: FieldDefaults | undefined;
  return (value) => {
    if (typeof value !== 'object' || value === null) return;
    defaults ??= fieldDefaults(schema, planOf);
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

function fieldDefaults(schema: StructSchema, planOf: Plans): FieldDefaults {
  const entries = Object.entries(schema.fields);
  return {
    constants: entries.flatMap(([name, { rules, presence }]) =>
      rules.default === undefined ? [] : [{ name, value: rules.default, isPointer: presence === 'pointer' }],
    ),
    nested: entries.flatMap(([name, field]) => {
      const { fill } = planOf(field.schema);
      return fill === undefined ? [] : [[name, fill] as const];
    }),
  };
}
