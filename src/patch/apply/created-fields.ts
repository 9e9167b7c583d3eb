// Which fields belong to whoever creates an object, as the text that stands in managedFields: the same as comparing it with an empty one
// (compare.ts) and writing the set, in one walk that builds none. test/bench pays for this with every create.
import type { KubernetesObject } from '#api/object.ts';
import type { FieldSet } from '#patch/apply/field-set.ts';
import { fieldsOf, leafText as leaf, stepsOf, unlessUnusual, unusual } from '#patch/apply/field-text.ts';
import { hasNothing, shapeOf } from '#patch/apply/shape.ts';
import type { ListTopology, MapTopology, NamedField, Topology } from '#patch/apply/topology.ts';
import { equalValues, isPlainObject, type PlainObject } from '#patch/members.ts';
import { wasGivenEmpty } from '#schema/given-empty.ts';
import { quoteJson } from '#schema/json-text.ts';

/**
 * The fields of `object` that `empty` does not have, without `excluded` and what is below it; '{}' when there is none.
 * Undefined: this takes the long way. Both are of a built-in kind, in canonical form.
 */
export function createdFields(topology: Topology, empty: KubernetesObject, object: KubernetesObject, excluded: FieldSet): string | undefined {
  return unlessUnusual(() => changed(topology, empty, object, excluded) ?? leaf);
}

/** Undefined: the same. */
function changed(topology: Topology, before: unknown, after: unknown, excluded: FieldSet | undefined): string | undefined {
  if (before === after || after === undefined) return undefined;
  if (before === undefined) return everything(topology, after, excluded);
  const shape = shapeOf(topology, after);
  if (shape !== shapeOf(topology, before)) throw unusual;
  if (shape === 'map') return changedMap(topology.map as MapTopology, before, after, excluded);
  if (shape === 'list') return changedList(topology.list as ListTopology, before, after, excluded);
  return equalValues(before, after) ? undefined : leaf;
}

function changedMap(map: MapTopology, before: unknown, after: unknown, excluded: FieldSet | undefined): string | undefined {
  const was = isPlainObject(before) ? before : undefined;
  const is = isPlainObject(after) ? after : undefined;
  if (map.atomic || (hasNothing(map, was) && hasNothing(map, is))) return equalValues(before, after) ? undefined : leaf;
  if (is === undefined) return undefined;
  const fields = fieldsOf(map, is);
  let text = '';
  for (let index = 0; index < fields.length; index++) {
    const field = fields[index] as NamedField;
    const member = written(field, is);
    if (member === undefined) continue;
    const skip = excluded?.get(field.element);
    const type = skip?.member === true ? undefined : field.type;
    const own = type && changed(type, was === undefined ? undefined : written(field, was), member, skip?.below);
    if (own !== undefined) text += (text === '' ? '{' : ',') + field.quoted + own;
  }
  return text === '' ? undefined : `${text}}`;
}

function changedList(list: ListTopology, before: unknown, after: unknown, excluded: FieldSet | undefined): string | undefined {
  if (Array.isArray(before) && before.length > 0) throw unusual;
  if (list.atomic || !Array.isArray(after) || after.length === 0) return equalValues(before, after) ? undefined : leaf;
  const text = items(list, after, '', excluded);
  return text === '' ? undefined : `${text}}`;
}

function everything(topology: Topology, value: unknown, excluded: FieldSet | undefined): string {
  switch (shapeOf(topology, value)) {
    case 'scalar':
      return leaf;
    case 'list': {
      const list = topology.list as ListTopology;
      if (list.atomic || !Array.isArray(value) || value.length === 0) return leaf;
      return closed(items(list, value, itself, excluded));
    }
    case 'map': {
      const map = topology.map as MapTopology;
      if (map.atomic || !isPlainObject(value) || hasNothing(map, value)) return leaf;
      return closed(everyMember(map, value, excluded));
    }
  }
}

/** The container belongs to the set as well as what is below. */
const itself = '{".":{}';

function closed(text: string): string {
  return text === itself ? leaf : `${text}}`;
}

function everyMember(map: MapTopology, value: PlainObject, excluded: FieldSet | undefined): string {
  const fields = fieldsOf(map, value);
  let text = itself;
  for (let index = 0; index < fields.length; index++) {
    const field = fields[index] as NamedField;
    const member = written(field, value);
    if (member === undefined) continue;
    const skip = excluded?.get(field.element);
    const type = skip?.member === true ? undefined : field.type;
    if (type !== undefined) text += field.whole ?? `,${field.quoted}${everything(type, member, skip?.below)}`;
  }
  return text;
}

/** Required lists and maps that are missing are null, unless they were sent empty. */
function written({ name, isNull }: NamedField, object: PlainObject): unknown {
  const value = object[name];
  if (value !== undefined || !isNull) return value;
  if (!wasGivenEmpty(object, name)) return null;
  throw unusual;
}

function items(list: ListTopology, value: readonly unknown[], start: string, excluded: FieldSet | undefined): string {
  let text = start;
  for (const { element, item } of stepsOf(list, value)) {
    const skip = excluded?.get(element);
    if (skip?.member === true) continue;
    text += `${(text === '' ? '{' : ',') + quoteJson(element)}:${everything(list.item, item, skip?.below)}`;
  }
  return text;
}
