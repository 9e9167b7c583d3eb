// What decoding and encoding need to know about a struct, worked out once per struct: order, zero values, what stays and what is written.
import type { AnyField, AnySchema, StructSchema } from '#schema/build.ts';

export interface FieldPlan {
  readonly name: string;
  readonly field: AnyField;
  readonly schema: AnySchema;
  /** Position in the output. */
  readonly order: number;
  /** A value that is not a pointer and empty: left out of the object in memory. */
  readonly dropsEmpty: boolean;
  /** Always there in memory; made by `zero`. */
  readonly filled: boolean;
  /** Written as null when it is not there. */
  readonly writtenAsNull: boolean;
}

export interface StructPlan {
  readonly schema: StructSchema;
  readonly fields: ReadonlyMap<string, FieldPlan>;
  readonly filled: readonly FieldPlan[];
  readonly nulls: readonly FieldPlan[];
}

export function planOf(schema: StructSchema): StructPlan {
  let plan = plans.get(schema);
  if (plan === undefined) {
    plan = makePlan(schema);
    plans.set(schema, plan);
  }
  return plan;
}

/** Has members or items of its own: what is declared about them need not be looked for in anything else. */
export function hasParts({ is }: AnySchema): boolean {
  return is === 'struct' || is === 'list' || is === 'map';
}

/** Custom resources have no Go types: nothing is dropped, filled in or checked when they are decoded. */
export function isCustom(schema: StructSchema): boolean {
  return schema.name === '';
}

/** Such a field may hold the zero time, which is null in memory as in JSON. */
export function pointsToTime({ field, schema }: FieldPlan): boolean {
  return field.presence === 'pointer' && (schema.is === 'time' || schema.is === 'microTime');
}

/** The value of a field that is always there; undefined for what is written as null. */
export function zeroOf(schema: AnySchema): unknown {
  switch (schema.is) {
    case 'string':
      return '';
    case 'boolean':
      return false;
    case 'int32':
    case 'int64':
    case 'double':
    case 'intOrString':
      return 0;
    case 'quantity':
      return '0';
    case 'duration':
      return '0s';
    case 'struct':
      return zeroStruct(schema);
    default:
      return undefined;
  }
}

const plans = new WeakMap<StructSchema, StructPlan>();
const typeMeta = ['kind', 'apiVersion'] as const;
const textField: AnyField = { tag: 0, schema: { is: 'string' }, presence: 'optional', rules: {} };

function makePlan(schema: StructSchema): StructPlan {
  const declared = Object.entries(schema.fields);
  const named = (name: string) => declared.some(([other]) => other === name);
  const meta = schema.options.root === true ? typeMeta.filter((name) => !named(name)).map((name) => [name, textField] as const) : [];
  const metadataFirst = [...declared].sort(([a], [b]) => Number(b === 'metadata') - Number(a === 'metadata'));
  const ordered = [...meta, ...(schema.options.root === true ? metadataFirst : declared)];
  const fields = ordered.map(([name, field], order) => planField(name, field, order, schema));
  return {
    schema,
    fields: new Map(fields.map((field) => [field.name, field])),
    filled: fields.filter((field) => field.filled),
    nulls: fields.filter((field) => field.writtenAsNull),
  };
}

function planField(name: string, field: AnyField, order: number, owner: StructSchema): FieldPlan {
  const { schema, presence, rules } = field;
  if (isCustom(owner)) return { name, field, schema, order, dropsEmpty: false, filled: false, writtenAsNull: false };
  if (presence === 'pointer') return { name, field, schema, order, dropsEmpty: false, filled: false, writtenAsNull: rules.written === 'always' };
  const leftOut = rules.written === 'nonempty' || rules.written === 'nonzero' || (presence === 'optional' && rules.written !== 'always');
  switch (kindOf(schema)) {
    case 'scalar':
      return { name, field, schema, order, dropsEmpty: leftOut, filled: !leftOut, writtenAsNull: false };
    case 'collection':
      return { name, field, schema, order, dropsEmpty: rules.keepsEmpty !== true, filled: false, writtenAsNull: !leftOut };
    case 'bytes':
      return { name, field, schema, order, dropsEmpty: leftOut, filled: false, writtenAsNull: !leftOut };
    case 'value':
      return { name, field, schema, order, dropsEmpty: false, filled: true, writtenAsNull: false };
    case 'nullable':
      return { name, field, schema, order, dropsEmpty: false, filled: false, writtenAsNull: rules.written !== 'nonzero' };
  }
}

/** How Go treats a field of this type that is a value, not a pointer: `omitempty` never leaves out a struct. */
function kindOf(schema: AnySchema): 'scalar' | 'collection' | 'bytes' | 'value' | 'nullable' {
  switch (schema.is) {
    case 'string':
    case 'boolean':
    case 'int32':
    case 'int64':
    case 'double':
      return 'scalar';
    case 'list':
    case 'map':
      return 'collection';
    case 'bytes':
      return 'bytes';
    case 'struct':
    case 'quantity':
    case 'intOrString':
    case 'duration':
      return 'value';
    default:
      return 'nullable';
  }
}

function zeroStruct(schema: StructSchema): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const { name, schema: of } of planOf(schema).filled) result[name] = zeroOf(of);
  return result;
}
