// Two values of one type become one: what the second says wins, what it does not mention stays.
import type { PathElement } from '#patch/apply/path-element.ts';
import { asList, asMap, isEmptyMap, itemStep, shapeOf } from '#patch/apply/shape.ts';
import type { ListTopology, MapTopology, Topology } from '#patch/apply/topology.ts';
import { memberOf, type PlainObject } from '#patch/members.ts';
import { setMember } from '#schema/clone.ts';

/** Both values stay as they are; the result shares parts with them. */
export function mergeValues(topology: Topology, live: unknown, applied: unknown): unknown {
  if (applied === undefined || live === undefined) return applied === undefined ? live : applied;
  switch (shapeOf(topology, applied)) {
    case 'scalar':
      return applied;
    case 'list':
      return mergeLists(topology.list as ListTopology, live, applied);
    case 'map':
      return mergeMaps(topology.map as MapTopology, live, applied);
  }
}

/** Null in place of a map or list that is taken apart changes nothing that is there. */
function mergeMaps(map: MapTopology, live: unknown, applied: unknown): unknown {
  const [left, right] = [asMap(live), asMap(applied)];
  if (map.atomic || (isEmptyMap(left) && isEmptyMap(right))) return applied;
  if (left === undefined || right === undefined) return left ?? right;
  const result: PlainObject = { ...left };
  for (const key of Object.keys(right)) {
    const type = map.typeOf(key);
    setMember(result, key, type === undefined ? right[key] : mergeValues(type, memberOf(left, key), right[key]));
  }
  return result;
}

function mergeLists(list: ListTopology, live: unknown, applied: unknown): unknown {
  const [left, right] = [asList(live) ?? [], asList(applied) ?? []];
  if (list.atomic || (left.length === 0 && right.length === 0)) return applied;
  if (left.length === 0 || right.length === 0) return left.length === 0 ? right : left;
  return new ListMerge(list, left, right).run();
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

  constructor(list: ListTopology, live: readonly unknown[], applied: readonly unknown[]) {
    this.#type = list.item;
    this.#live = stepsOf(list, live);
    this.#applied = stepsOf(list, applied);
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
  return items.flatMap((item) => {
    const { element } = itemStep(list, item);
    return element === undefined ? [] : [{ element, item }];
  });
}
