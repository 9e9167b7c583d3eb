// Drops what a schema does not declare: members of objects, however deep, except where unknown fields are preserved.
import type { AnySchema, StructSchema } from '#schema/build.ts';
import { setMember } from '#schema/clone.ts';
import { isCustom } from '#schema/struct-plan.ts';

export interface Pruned {
  /** The argument itself when nothing was dropped; parts are shared. */
  readonly value: unknown;
  /** Paths of what was dropped, sorted: `spec.items[0].extra`. */
  readonly dropped: readonly string[];
}

export function prune(schema: AnySchema, value: unknown): Pruned {
  const dropped: string[] = [];
  const pruned = walk(schema, value, '', dropped);
  return { value: pruned, dropped: dropped.sort() };
}

/** Members that belong to every whole object, embedded ones too. */
const objectMembers = new Set(['apiVersion', 'kind', 'metadata']);

/** `schema` is undefined where nothing is known: then no object keeps its members. */
function walk(schema: AnySchema | undefined, value: unknown, path: string, dropped: string[]): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return walkList(schema, value, path, dropped);
  if (schema === undefined) return walkMembers(value, () => drop, path, dropped);
  if (schema.is === 'struct') return walkMembers(value, memberOf(schema), path, dropped);
  if (schema.is === 'map') return walkMembers(value, () => schema.value, path, dropped);
  // An object in the place of a list or a scalar is wrong anyway; validation says so.
  return isOpen(schema) ? value : walkMembers(value, () => drop, path, dropped);
}

const open = new Set<AnySchema['is']>(['json', 'rawExtension', 'fieldsV1', 'schemaOrArray', 'schemaOrBool', 'schemaOrStringArray']);

function isOpen(schema: AnySchema): boolean {
  return schema.is === 'struct' ? schema.options.preserveUnknown === true : open.has(schema.is);
}

function walkList(schema: AnySchema | undefined, list: readonly unknown[], path: string, dropped: string[]): unknown {
  // A list where the schema wants something open, or preserves what it does not know.
  if (schema !== undefined && isOpen(schema)) return list;
  const item = schema?.is === 'list' ? schema.item : undefined;
  let copy: unknown[] | undefined;
  for (let index = 0; index < list.length; index++) {
    const given = list[index];
    // Nothing is spent on the paths of scalars, of which a list may have very many.
    if (typeof given !== 'object') continue;
    const kept = walk(item, given, `${path}[${index}]`, dropped);
    if (kept !== given) (copy ??= [...list])[index] = kept;
  }
  return copy ?? list;
}

const drop = Symbol('drop');
const keep = Symbol('keep');
type MemberSchema = AnySchema | typeof drop | typeof keep;

function memberOf(schema: StructSchema): (name: string) => MemberSchema {
  const { fields, options } = schema;
  const whole = options.root === true || options.embeddedResource === true;
  const stranger = options.preserveUnknown === true ? keep : drop;
  return (name) => {
    // The metadata of a custom object is decoded by its own table.
    if (whole && objectMembers.has(name) && (isCustom(schema) || name !== 'metadata')) return keep;
    return Object.hasOwn(fields, name) ? (fields[name]?.schema ?? stranger) : stranger;
  };
}

function walkMembers(object: object, schemaOf: (name: string) => MemberSchema, path: string, dropped: string[]): unknown {
  const members = object as Record<string, unknown>;
  const names = Object.keys(members);
  // Most objects stay as they are: the copy begins with the first difference.
  let kept: Record<string, unknown> | undefined;
  for (const [index, name] of names.entries()) {
    const given = members[name];
    const schema = schemaOf(name);
    if (schema === drop) {
      dropped.push(memberPath(path, name));
      kept ??= firstMembers(members, names, index);
      continue;
    }
    const value = schema === keep || typeof given !== 'object' ? given : walk(schema, given, memberPath(path, name), dropped);
    if (value !== given) kept ??= firstMembers(members, names, index);
    if (kept !== undefined) setMember(kept, name, value);
  }
  return kept ?? object;
}

function memberPath(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

function firstMembers(members: Readonly<Record<string, unknown>>, names: readonly string[], count: number): Record<string, unknown> {
  const first: Record<string, unknown> = {};
  for (let index = 0; index < count; index++) setMember(first, names[index] as string, members[names[index] as string]);
  return first;
}
