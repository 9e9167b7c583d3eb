// The fields a value mentions: leaves, items of lists, members of maps, and what is empty on purpose.
import { emptySet, type FieldNode, type FieldSet, leaf, put } from '#patch/apply/field-set.ts';
import { fieldElement, fieldNameOf, type PathElement } from '#patch/apply/path-element.ts';
import { asList, asMap, isEmptyMap, itemsByStep, shapeOf } from '#patch/apply/shape.ts';
import type { ListTopology, MapTopology, Topology } from '#patch/apply/topology.ts';
import { isPlainObject } from '#patch/members.ts';

export function toFieldSet(topology: Topology, value: unknown): FieldSet {
  return nodeOf(topology, value).below;
}

const nothing: FieldNode = { member: false, below: emptySet };

function nodeOf(topology: Topology, value: unknown): FieldNode {
  switch (shapeOf(topology, value)) {
    case 'scalar':
      return leaf;
    case 'list':
      return listNode(topology.list as ListTopology, value);
    case 'map':
      return mapNode(topology.map as MapTopology, value);
  }
}

function listNode(list: ListTopology, value: unknown): FieldNode {
  if (list.atomic) return leaf;
  const below = new Map<PathElement, FieldNode>();
  for (const [element, items] of itemsByStep(list, asList(value))) {
    // Nobody can own a part of an item that is there twice.
    put(below, element, true, items.length > 1 ? emptySet : nodeOf(list.item, items[0]).below);
  }
  return { member: false, below };
}

function mapNode(map: MapTopology, value: unknown): FieldNode {
  if (map.atomic) return leaf;
  const members = asMap(value);
  if (members === undefined) return nothing;
  const below = new Map<PathElement, FieldNode>();
  for (const key of Object.keys(members)) {
    const member = members[key];
    const type = map.typeOf(key);
    const node = type === undefined ? nothing : nodeOf(type, member);
    const own = node.member || !map.declares(key) || member === null || (isPlainObject(member) && isEmptyMap(member));
    put(below, fieldElement(key), own, node.below);
  }
  return { member: false, below };
}

/** The set with every struct field on the way to a member as a member itself; the same set if that is so already. */
export function withNamedFields(set: FieldSet, topology: Topology | undefined): FieldSet {
  let result: Map<PathElement, FieldNode> | undefined;
  for (const [element, node] of set) {
    if (node.below.size === 0) continue;
    const name = fieldNameOf(element);
    const member = node.member || (name !== undefined && topology?.map?.declares(name) === true);
    const below = withNamedFields(node.below, typeBelow(topology, element, name));
    if (member === node.member && below === node.below) continue;
    result ??= new Map(set);
    result.set(element, { member, below });
  }
  return result ?? set;
}

function typeBelow(topology: Topology | undefined, element: PathElement, name: string | undefined): Topology | undefined {
  if (name !== undefined) return topology?.map?.typeOf(name);
  return element.startsWith('k:') ? topology?.list?.item : undefined;
}
