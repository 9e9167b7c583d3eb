// What changed between two values of one type, as three sets of fields.
import { emptySet, type FieldNode, type FieldSet, leaf, union } from '#patch/apply/field-set.ts';
import { fieldElement, type PathElement } from '#patch/apply/path-element.ts';
import { asList, asMap, hasNothing, itemsByStep, shapeOf } from '#patch/apply/shape.ts';
import type { ListTopology, MapTopology, Topology } from '#patch/apply/topology.ts';
import { equalValues, isPlainObject, memberOf, type PlainObject } from '#patch/members.ts';
import { hasGivenEmpty, wasGivenEmpty } from '#schema/given-empty.ts';
import { isRawJsonReordered } from '#schema/raw-json.ts';

export interface Comparison {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

/** Both are objects of built-in kinds in canonical form, or custom resources. */
export function compare(topology: Topology, before: unknown, after: unknown): Comparison {
  const { map } = topology;
  const areObjects = map !== undefined && isPlainObject(before) && isPlainObject(after);
  const change = areObjects
    ? compareMaps(map, before, after, map.holdsRaw?.() === true ? neverUntouched : isUntouched)
    : compareValues(topology, before, after);
  return { added: change?.added?.below ?? emptySet, modified: change?.modified?.below ?? emptySet, removed: change?.removed?.below ?? emptySet };
}

type Pair<T> = readonly [before: T, after: T];

/** What changed at a place and below it; undefined: nothing. */
interface Change {
  readonly added?: FieldNode;
  readonly modified?: FieldNode;
  readonly removed?: FieldNode;
}

const changed: Change = { modified: leaf };

function compareValues(topology: Topology, before: unknown, after: unknown): Change | undefined {
  if (before === after) return undefined;
  if (before === undefined) return { added: everything(topology, after) };
  if (after === undefined) return { removed: everything(topology, before) };
  const [was, is] = [shapeOf(topology, before), shapeOf(topology, after)];
  const change = compareAs(topology, is, before, after);
  return was === is ? change : merged(compareAs(topology, was, before, after), change);
}

function compareAs(topology: Topology, shape: 'scalar' | 'list' | 'map', before: unknown, after: unknown): Change | undefined {
  if (shape === 'map') return compareMaps(topology.map as MapTopology, before, after);
  if (shape === 'list') return compareLists(topology.list as ListTopology, before, after);
  return equalValues(before, after) ? undefined : changed;
}

/**
 * A write leaves most of an object as it was: of its spec and its status one look is enough. Only they are asked about: a look at every level
 * would look at what lies deep as often as it lies deep.
 */
function isUntouched(before: unknown, after: unknown): boolean {
  if (before === after) return true;
  if (typeof before !== 'object' || typeof after !== 'object' || before === null || after === null) return false;
  if (hasGivenEmpty(before) || hasGivenEmpty(after) || Array.isArray(before) !== Array.isArray(after)) return false;
  let count = 0;
  for (const key in before) {
    if (!Object.hasOwn(after, key) || !isUntouched((before as PlainObject)[key], (after as PlainObject)[key])) return false;
    count++;
  }
  for (const _ in after) count--;
  return count === 0;
}

const neverUntouched = (): boolean => false;

/** Go compares lists bit by bit: an item that was sent with an empty list in it is not the stored one, which has none. */
function equalAsGo(before: unknown, after: unknown, isInItem = false): boolean {
  if (before === after) return true;
  if (typeof before !== 'object' || typeof after !== 'object' || before === null || after === null) return false;
  if (isInItem && hasGivenEmpty(before) !== hasGivenEmpty(after)) return false;
  if (Array.isArray(before)) return Array.isArray(after) && equalItemsAsGo(before, after);
  return !Array.isArray(after) && equalMembersAsGo(before as PlainObject, after as PlainObject, isInItem);
}

function equalItemsAsGo(before: readonly unknown[], after: readonly unknown[]): boolean {
  if (before.length !== after.length) return false;
  for (let index = 0; index < before.length; index++) if (!equalAsGo(before[index], after[index], true)) return false;
  return true;
}

function equalMembersAsGo(before: PlainObject, after: PlainObject, isInItem: boolean): boolean {
  let count = 0;
  for (const key in before) {
    if (!Object.hasOwn(after, key) || !equalAsGo(before[key], after[key], isInItem)) return false;
    count++;
  }
  for (const _ in after) count--;
  return count === 0;
}

function compareMaps(
  map: MapTopology,
  before: unknown,
  after: unknown,
  isSkipped: (was: unknown, is: unknown) => boolean = neverUntouched,
): Change | undefined {
  const [was, is] = [asMap(before), asMap(after)];
  if (map.atomic || (hasNothing(map, was) && hasNothing(map, is))) return equalAsGo(before, after) ? undefined : changed;
  const changes = new Changes();
  const compareMember = (key: string): void => {
    const type = map.typeOf(key);
    if (type === undefined) return;
    const [before, after] = [memberOrNull(map, was, key), memberOrNull(map, is, key)];
    if (isSkipped(before, after)) return;
    const change = compareValues(type, before, after);
    if (change !== undefined) changes.add(fieldElement(key), change);
  };
  if (is !== undefined) for (const key in is) compareMember(key);
  if (was !== undefined) for (const key in was) if (is === undefined || !Object.hasOwn(is, key)) compareMember(key);
  for (const key of map.nullFields) if (was?.[key] === undefined && is?.[key] === undefined) compareMember(key);
  return changes.result();
}

function memberOrNull(map: MapTopology, object: PlainObject | undefined, key: string): unknown {
  const value = object === undefined ? undefined : memberOf(object, key);
  return value === undefined && object !== undefined && map.nullFields.includes(key) ? unset(map, object, key) : value;
}

/** Null, unless it was sent empty, which is not nothing. */
function unset(map: MapTopology, object: PlainObject, key: string): unknown {
  if (!wasGivenEmpty(object, key)) return null;
  const type = map.typeOf(key);
  return type?.list !== undefined ? [] : type?.map !== undefined ? {} : null;
}

function compareLists(list: ListTopology, before: unknown, after: unknown): Change | undefined {
  const [was, is] = [asList(before) ?? [], asList(after) ?? []];
  if (list.atomic || (was.length === 0 && is.length === 0)) return equalAsGo(before, after) && !isReordered(list, was, is) ? undefined : changed;
  if (equalAsGo(was, is)) return undefined;
  const [old, current] = [itemsByStep(list, was), itemsByStep(list, is)];
  const changes = new Changes();
  for (const [element, items] of current) changes.add(element, compareItems(list.item, [old.get(element) ?? [], items]));
  for (const [element, items] of old) if (!current.has(element)) changes.add(element, compareItems(list.item, [items, []]));
  return changes.result();
}

function isReordered(list: ListTopology, was: readonly unknown[], is: readonly unknown[]): boolean {
  const raw = was.length === 0 ? undefined : list.raw?.();
  return raw !== undefined && isRawJsonReordered(raw, was, is);
}

/** Items that are there more than once change as a whole, and turn into single items by going and coming. */
function compareItems(item: Topology, [was, is]: Pair<readonly unknown[]>): Change | undefined {
  if (was.length <= 1 && is.length <= 1) return compareValues(item, was[0], is[0]);
  if (was.length > 1 && is.length > 1) return equalAsGo(was, is) ? undefined : changed;
  if (was.length > 1) return { removed: leaf, ...(is.length > 0 && { added: everything(item, is[0]) }) };
  return { added: leaf, ...(was.length > 0 && { removed: everything(item, was[0]) }) };
}

/** A value that came or went: every field of it, containers included. */
function everything(topology: Topology, value: unknown): FieldNode {
  switch (shapeOf(topology, value)) {
    case 'scalar':
      return leaf;
    case 'list':
      return everyItem(topology.list as ListTopology, value);
    case 'map':
      return everyMember(topology.map as MapTopology, value);
  }
}

function everyItem(list: ListTopology, value: unknown): FieldNode {
  if (list.atomic || !Array.isArray(value) || value.length === 0) return leaf;
  const below = new Map<PathElement, FieldNode>();
  for (const [element, items] of itemsByStep(list, value)) below.set(element, items.length > 1 ? leaf : everything(list.item, items[0]));
  return { member: true, below };
}

function everyMember(map: MapTopology, value: unknown): FieldNode {
  if (map.atomic || !isPlainObject(value) || hasNothing(map, value)) return leaf;
  const below = new Map<PathElement, FieldNode>();
  for (const key in value) {
    const type = map.typeOf(key);
    if (type !== undefined && value[key] !== undefined) below.set(fieldElement(key), everything(type, value[key]));
  }
  for (const key of map.nullFields) if (!Object.hasOwn(value, key)) below.set(fieldElement(key), leaf);
  return { member: true, below };
}

/** Collects the changes below a container. */
class Changes {
  readonly #sets: Partial<Record<keyof Change, Map<PathElement, FieldNode>>> = {};

  add(element: PathElement, change: Change | undefined): void {
    if (change === undefined) return;
    for (const kind of kinds) {
      const node = change[kind];
      if (node === undefined) continue;
      this.#sets[kind] ??= new Map();
      this.#sets[kind].set(element, node);
    }
  }

  result(): Change | undefined {
    const { added, modified, removed } = this.#sets;
    if (added === undefined && modified === undefined && removed === undefined) return undefined;
    return { ...(added && { added: above(added) }), ...(modified && { modified: above(modified) }), ...(removed && { removed: above(removed) }) };
  }
}

const kinds = ['added', 'modified', 'removed'] as const;

function above(below: FieldSet): FieldNode {
  return { member: false, below };
}

function merged(left: Change | undefined, right: Change | undefined): Change | undefined {
  if (left === undefined) return right;
  if (right === undefined) return left;
  const result: { -readonly [K in keyof Change]: Change[K] } = { ...left };
  for (const kind of kinds) {
    const [a, b] = [left[kind], right[kind]];
    if (a !== undefined && b !== undefined) result[kind] = { member: a.member || b.member, below: union(a.below, b.below) };
    else if (b !== undefined) result[kind] = b;
  }
  return result;
}
