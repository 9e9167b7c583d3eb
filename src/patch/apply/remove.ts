// A value without the fields of a set.
import type { FieldSet } from '#patch/apply/field-set.ts';
import { fieldElement } from '#patch/apply/path-element.ts';
import { isEmptyMap, itemStep, shapeOf } from '#patch/apply/shape.ts';
import type { ListTopology, MapTopology, Topology } from '#patch/apply/topology.ts';
import { isPlainObject, type PlainObject } from '#patch/members.ts';
import { setMember } from '#schema/clone.ts';

/** The value stays as it is. A container that loses everything becomes null. */
export function removeFields(topology: Topology, value: unknown, fields: FieldSet): unknown {
  if (fields.size === 0) return value;
  switch (shapeOf(topology, value)) {
    case 'scalar':
      return value;
    case 'list':
      return removeFromList(topology.list as ListTopology, value, fields);
    case 'map':
      return removeFromMap(topology.map as MapTopology, value, fields);
  }
}

function removeFromList(list: ListTopology, value: unknown, fields: FieldSet): unknown {
  if (list.atomic || !Array.isArray(value)) return null;
  const rest: unknown[] = [];
  for (const item of value as readonly unknown[]) {
    const { element } = itemStep(list, item);
    const node = element === undefined ? undefined : fields.get(element);
    if (node?.member !== true) rest.push(node === undefined ? item : removeFields(list.item, item, node.below));
  }
  return rest.length === 0 ? null : rest;
}

function removeFromMap(map: MapTopology, value: unknown, fields: FieldSet): unknown {
  if (map.atomic || !isPlainObject(value)) return null;
  const rest: PlainObject = {};
  for (const key of Object.keys(value)) {
    const node = fields.get(fieldElement(key));
    if (node?.member === true) continue;
    const type = node === undefined ? undefined : map.typeOf(key);
    setMember(rest, key, node === undefined || type === undefined ? value[key] : removeFields(type, value[key], node.below));
  }
  return isEmptyMap(rest) ? null : rest;
}
