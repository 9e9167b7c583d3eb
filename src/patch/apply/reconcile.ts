// Field sets outlive schemas: a list or map that has become one value since is owned as one value.
import { type FieldNode, type FieldSet, leaf, put } from '#patch/apply/field-set.ts';
import { fieldNameOf, type PathElement } from '#patch/apply/path-element.ts';
import type { Topology } from '#patch/apply/topology.ts';

/** The same set when nothing had to change, which is nearly always. */
export function reconcile(set: FieldSet, topology: Topology): FieldSet {
  let known = reconciled.get(topology);
  if (known === undefined) {
    known = new WeakMap();
    reconciled.set(topology, known);
  }
  let result = known.get(set);
  if (result === undefined) {
    result = reconcileSet(set, topology);
    known.set(set, result);
  }
  return result;
}

/** Sets are kept and meet the same types again (fields-text/sets-by-text.ts). */
const reconciled = new WeakMap<Topology, WeakMap<FieldSet, FieldSet>>();

function reconcileSet(set: FieldSet, topology: Topology): FieldSet {
  let result: Map<PathElement, FieldNode> | undefined;
  for (const [element, node] of set) {
    const type = typeBelow(topology, element);
    if (type === undefined || node.below.size === 0) continue;
    const settled = reconcileNode(node, type);
    if (settled === node) continue;
    result ??= new Map(set);
    put(result, element, settled.member, settled.below);
  }
  return result ?? set;
}

function reconcileNode(node: FieldNode, type: Topology): FieldNode {
  // Shapes are tried in the order in which an untyped value is read.
  const { map, list } = type;
  if (map !== undefined ? map.atomic && !map.deduced : type.scalar === undefined && list?.atomic === true) return leaf;
  if (map?.deduced === true || (map === undefined && type.scalar !== undefined)) return node;
  const below = reconcileSet(node.below, type);
  return below === node.below ? node : { member: node.member, below };
}

function typeBelow({ map, list, scalar }: Topology, element: PathElement): Topology | undefined {
  const name = fieldNameOf(element);
  if (map !== undefined) return name === undefined ? undefined : map.typeOf(name);
  return scalar === undefined ? list?.item : undefined;
}
