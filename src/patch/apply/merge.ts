// Two values of one type become one: what the second says wins, what it does not mention stays.
import type { PathElement } from '#patch/apply/path-element.ts';
import { asList, asMap, isEmptyMap, itemStep, shapeOf } from '#patch/apply/shape.ts';
import type { ListTopology, MapTopology, Topology } from '#patch/apply/topology.ts';
import { equalValues, memberOf, type PlainObject } from '#patch/members.ts';
import { setMember, shallowCopy } from '#schema/clone.ts';

/** Both values stay as they are; the result shares parts with them, and is the live value itself where nothing changes. */
export function mergeValues(topology: Topology, live: unknown, applied: unknown): unknown {
  if (applied === undefined || live === undefined) return applied === undefined ? live : applied;
  switch (shapeOf(topology, applied)) {
    case 'scalar':
      return same(live, applied);
    case 'list':
      return mergeLists(topology.list as ListTopology, live, applied);
    case 'map':
      return mergeMaps(topology.map as MapTopology, live, applied);
  }
}

function same(live: unknown, applied: unknown): unknown {
  return equalValues(live, applied) ? live : applied;
}

/** Null in place of a map or list that is taken apart changes nothing that is there. */
function mergeMaps(map: MapTopology, live: unknown, applied: unknown): unknown {
  const [left, right] = [asMap(live), asMap(applied)];
  if (map.atomic || (isEmptyMap(left) && isEmptyMap(right))) return same(live, applied);
  if (left === undefined || right === undefined) return left ?? right;
  let result: PlainObject | undefined;
  for (const key in right) {
    const type = map.typeOf(key);
    const own = memberOf(left, key);
    const merged = type === undefined ? right[key] : mergeValues(type, own, right[key]);
    if (merged === own && merged !== undefined) continue;
    result ??= shallowCopy(left);
    setMember(result, key, merged);
  }
  return result ?? left;
}

function mergeLists(list: ListTopology, live: unknown, applied: unknown): unknown {
  const [left, right] = [asList(live) ?? [], asList(applied) ?? []];
  if (list.atomic || (left.length === 0 && right.length === 0)) return same(live, applied);
  if (left.length === 0 || right.length === 0) return left.length === 0 ? right : left;
  const [ours, theirs] = [stepsOf(list, left), stepsOf(list, right)];
  return areAlike(ours, theirs, left.length) ? mergePairs(list.item, left, right) : new ListMerge(list.item, ours, theirs).run();
}

/** Every item leads somewhere, no two to the same place, and both lists go the same way. */
function areAlike(live: readonly Step[], applied: readonly Step[], count: number): boolean {
  if (live.length !== count || applied.length !== count || new Set(live.map(({ element }) => element)).size !== count) return false;
  return live.every(({ element }, index) => element === applied[index]?.element);
}

/** The same items in the same order, as nearly always. */
function mergePairs(type: Topology, live: readonly unknown[], applied: readonly unknown[]): readonly unknown[] {
  let result: unknown[] | undefined;
  for (let index = 0; index < live.length; index++) {
    const merged = mergeValues(type, live[index], applied[index]);
    if (merged === live[index]) continue;
    result ??= [...live];
    result[index] = merged;
  }
  return result ?? live;
}

interface Step {
  readonly element: PathElement;
  readonly item: unknown;
}

/**
 * Items of both lists in one order: that of the applied list, with the items only the live list has kept
 * as near to their neighbours as that allows.
 */
class ListMerge {
  readonly #type: Topology;
  readonly #live: readonly Step[];
  readonly #applied: readonly Step[];
  readonly #liveItems = new Map<PathElement, unknown>();
  readonly #appliedItems = new Map<PathElement, unknown>();
  /** Items of both lists in the order of the applied one, not yet merged. */
  readonly #shared: PathElement[];
  readonly #done = new Set<PathElement>();
  readonly #result: unknown[] = [];

  constructor(type: Topology, live: readonly Step[], applied: readonly Step[]) {
    this.#type = type;
    this.#live = live;
    this.#applied = applied;
    // A live item that is there twice has no single value to merge with.
    for (const { element, item } of this.#live) this.#liveItems.set(element, this.#liveItems.has(element) ? null : item);
    for (const { element, item } of this.#applied) this.#appliedItems.set(element, item);
    this.#shared = this.#applied.map(({ element }) => element).filter((element) => this.#liveItems.has(element));
  }

  run(): unknown[] {
    let [left, right] = [0, 0];
    while (left < this.#live.length || right < this.#applied.length) {
      const live = this.#live[left];
      const applied = this.#applied[right];
      if (live !== undefined && applied !== undefined) {
        if (live.element === applied.element) {
          this.#takeApplied(applied);
          this.#shared.shift();
          left += 1;
          right += 1;
          continue;
        }
        const next = this.#shared[0];
        if (next !== undefined && next !== live.element && this.#appliedItems.has(live.element)) {
          left += 1;
          continue;
        }
      }
      if (live !== undefined) {
        if (!this.#appliedItems.has(live.element)) {
          this.#result.push(live.item);
          left += 1;
          continue;
        }
        if (this.#done.has(live.element)) left += 1;
      }
      if (applied !== undefined) {
        this.#takeApplied(applied);
        if (this.#shared[0] === applied.element) this.#shared.shift();
        right += 1;
      }
    }
    return this.#result;
  }

  #takeApplied({ element, item }: Step): void {
    this.#done.add(element);
    this.#result.push(mergeValues(this.#type, this.#liveItems.get(element), item));
  }
}

function stepsOf(list: ListTopology, items: readonly unknown[]): Step[] {
  const steps: Step[] = [];
  for (const item of items) {
    const { element } = itemStep(list, item);
    if (element !== undefined) steps.push({ element, item });
  }
  return steps;
}
