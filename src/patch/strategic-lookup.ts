// What strategic merge patch asks of a schema: the type below a field, and how two values of it become one.
import { unclassified } from '#api/api-error.ts';
import type { AnyField, AnySchema, StructSchema } from '#schema/build.ts';

export interface PatchTarget {
  readonly schema: AnySchema;
  /** The Go type is a pointer; refusals name it so. */
  readonly pointer: boolean;
  /** `merge`, `replace` or nothing. `retainKeys` beside it matters to clients only. */
  readonly strategy: string;
  readonly key: string;
}

export function rootTarget(schema: StructSchema): PatchTarget {
  return { schema, pointer: false, strategy: '', key: '' };
}

export function memberTarget(parent: PatchTarget, name: string): PatchTarget {
  const field = fieldOf(parent, name);
  const { strategy = '', key = '' } = field.rules.patch ?? {};
  return { schema: field.schema, pointer: isPointer(field), strategy: withoutRetainKeys(strategy), key };
}

export function itemTarget(parent: PatchTarget, name: string): PatchTarget {
  const target = memberTarget(parent, name);
  if (target.schema.is === 'list') return { ...target, schema: target.schema.item, pointer: target.schema.itemsNullable === true };
  if (target.pointer) return target;
  throw unclassified(`expected slice or array type, but got: ${goKind(parent)}`);
}

/** The Go kind of the type, as messages print it. */
export function goKind({ schema, pointer }: PatchTarget): string {
  if (pointer) return 'ptr';
  return kinds[schema.is] ?? 'struct';
}

const kinds: Readonly<Record<string, string>> = {
  string: 'string',
  boolean: 'bool',
  int32: 'int32',
  int64: 'int64',
  double: 'float64',
  bytes: 'slice',
  list: 'slice',
  map: 'map',
};

function fieldOf(parent: PatchTarget, name: string): AnyField {
  const { schema } = parent;
  const kind = goKind({ ...parent, pointer: false });
  if (kind !== 'struct') throw unclassified(`merging an object in json but data type is not struct, instead is: ${kind}`);
  const field = schema.is === 'struct' ? findField(schema, name) : undefined;
  if (field === undefined) throw unclassified(`unable to find api field in struct ${goName(schema)} for the json field ${JSON.stringify(name)}`);
  return field;
}

/** Like Go's JSON: the exact name, else the first that differs in case only. */
function findField(schema: StructSchema, name: string): AnyField | undefined {
  if (Object.hasOwn(schema.fields, name)) return schema.fields[name];
  const folded = name.toLowerCase();
  return Object.entries(schema.fields).find(([candidate]) => candidate.toLowerCase() === folded)?.[1];
}

function isPointer(field: AnyField): boolean {
  return field.presence === 'pointer' && field.schema.is !== 'list' && field.schema.is !== 'map';
}

function goName(schema: AnySchema): string {
  const name = 'name' in schema ? (schema.name ?? '') : '';
  return name.slice(name.lastIndexOf('.') + 1);
}

function withoutRetainKeys(strategy: string): string {
  return strategy
    .split(',')
    .filter((part) => part !== 'retainKeys')
    .join(',');
}
