// The fields that an applied configuration mentions, as the text that stands in managedFields: the same as to-field-set.ts and writing the
// set, in one walk that builds none. test/bench pays for this with every apply.
import { fieldsOf, leafText as leaf, stepsOf, unlessUnusual, unusual } from '#patch/fields-text/written-steps.ts';
import { isEmptyMap, shapeOf } from '#patch/apply/shape.ts';
import type { ListTopology, MapTopology, NamedField, Topology } from '#patch/apply/topology.ts';
import { isPlainObject } from '#patch/members.ts';

/** The text of more is not kept (written-set.ts), so that writing it only to read it again would be in vain. */
const mostInText = 2000;

/** '{}' when there is none; undefined: this takes the long way. */
export function mentionedFields(topology: Topology, value: unknown): string | undefined {
  return unlessUnusual(() => mentioned(topology, value) || leaf);
}

/** Empty: nothing at all. Containers do not belong to the set themselves. */
function mentioned(topology: Topology, value: unknown): string {
  switch (shapeOf(topology, value)) {
    case 'scalar':
      return leaf;
    case 'list':
      return ofList(topology.list as ListTopology, value);
    case 'map':
      return ofMap(topology.map as MapTopology, value);
  }
}

function ofList(list: ListTopology, value: unknown): string {
  if (list.atomic) return leaf;
  if (!Array.isArray(value) || value.length === 0) return '';
  if (value.length > mostInText) throw unusual;
  let text = '';
  for (const { step, item } of stepsOf(list, value)) {
    text += (text === '' ? '{' : ',') + step.quoted + withItself(mentioned(list.item, item));
  }
  return `${text}}`;
}

function ofMap(map: MapTopology, value: unknown): string {
  if (map.atomic) return leaf;
  if (!isPlainObject(value)) return '';
  let text = '';
  if (map.fields === undefined && hasMore(value, mostInText)) throw unusual;
  const fields = fieldsOf(map, value);
  for (let index = 0; index < fields.length; index++) {
    const field = fields[index] as NamedField;
    const own = value[field.name] === undefined ? '' : ofMember(map, field, value[field.name]);
    if (own !== '') text += (text === '' ? '{' : ',') + field.quoted + own;
  }
  return text === '' ? '' : `${text}}`;
}

function hasMore(object: object, most: number): boolean {
  let count = 0;
  for (const _ in object) if (++count > most) return true;
  return false;
}

function ofMember(map: MapTopology, { name, type, whole }: NamedField, member: unknown): string {
  if (whole !== undefined) return leaf;
  const text = type === undefined ? '' : mentioned(type, member);
  const isOwned = !map.declares(name) || member === null || (isPlainObject(member) && isEmptyMap(member));
  return isOwned ? withItself(text) : text;
}

function withItself(text: string): string {
  return text === '' || text === leaf ? leaf : `{".":{},${text.slice(1)}`;
}
