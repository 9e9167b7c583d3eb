// Whether a value fits its topology, and nothing about why not: nearly every value does, and paths cost more than checks.
import type { PathElement } from '#patch/apply/path-element.ts';
import { hasStep, itemStep } from '#patch/apply/shape.ts';
import type { ListTopology, MapTopology, Topology } from '#patch/apply/topology.ts';

export function fits(topology: Topology, value: unknown, refusesTwins: boolean): boolean {
  switch (typeof value) {
    case 'string':
      return topology.scalar === 'string' || topology.scalar === 'untyped';
    case 'number':
    case 'bigint':
      return topology.scalar === 'numeric' || topology.scalar === 'untyped';
    case 'boolean':
      return topology.scalar === 'boolean' || topology.scalar === 'untyped';
    case 'object':
      if (value === null) return true;
      if (Array.isArray(value)) return topology.list !== undefined && itemsFit(topology.list, value, refusesTwins);
      return topology.map !== undefined && membersFit(topology.map, value as Record<string, unknown>, refusesTwins);
    default:
      return value === undefined;
  }
}

function membersFit(map: MapTopology, value: Record<string, unknown>, refusesTwins: boolean): boolean {
  if (map.deduced) return true;
  for (const key in value) {
    const type = map.typeOf(key);
    if (type === undefined || !fits(type, value[key], refusesTwins)) return false;
  }
  return true;
}

function itemsFit(list: ListTopology, items: readonly unknown[], refusesTwins: boolean): boolean {
  const seen = refusesTwins && !list.atomic ? new Set<PathElement>() : undefined;
  for (let index = 0; index < items.length; index++) {
    const item = items[index];
    if (!list.atomic && !(seen === undefined ? hasStep(list, item) : isFirst(list, item, seen))) return false;
    if (!fits(list.item, item, refusesTwins)) return false;
  }
  return true;
}

function isFirst(list: ListTopology, item: unknown, seen: Set<PathElement>): boolean {
  const { element } = itemStep(list, item);
  if (element === undefined || seen.has(element)) return false;
  seen.add(element);
  return true;
}
