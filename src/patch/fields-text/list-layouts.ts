// In which order the items of a list stand in managedFields, and the text between them: the same for all lists whose items have the same
// keys. Objects of a cluster share most of them (names of containers, ports, variables). See schema/key-orders.ts, which does it for members.
import { stepsOf } from '#patch/fields-text/written-steps.ts';
import type { KeyField, ListTopology } from '#patch/apply/topology.ts';
import type { PlainObject } from '#patch/members.ts';

export interface ListLayout {
  /** The steps, each behind a comma and before a colon, in the order in which they are written. */
  readonly steps: Uint8Array;
  /** Where each of them ends. */
  readonly ends: readonly number[];
  /** The items they lead to. */
  readonly order: readonly number[];
}

interface Known extends ListLayout {
  /** The keys of the items, one item after the other; the items themselves where they have no keys. */
  readonly keys: readonly unknown[];
}

const mostKnown = 6;
const mostKeys = 100;
const longestText = 1000;
const mostBytes = 16 << 10;

export class ListLayouts {
  readonly #list: ListTopology;
  readonly #known: Known[] = [];
  #turn = 0;

  constructor(list: ListTopology) {
    this.#list = list;
  }

  /** Throws `unusual` where a step is missing or leads to two items. */
  find(items: readonly unknown[]): ListLayout {
    const { sortedKeys } = this.#list;
    for (let index = 0; index < this.#known.length; index++) {
      const known = this.#known[index] as Known;
      if (known.order.length === items.length && haveKeys(items, sortedKeys, known.keys)) return known;
    }
    return this.#add(items);
  }

  #add(items: readonly unknown[]): ListLayout {
    const layout = layoutOf(this.#list, items);
    const keys = keysOf(items, this.#list.sortedKeys);
    if (keys.length > mostKeys || !keys.every(isShortScalar) || layout.steps.length > mostBytes) return layout;
    this.#known[this.#turn] = { ...layout, keys };
    this.#turn = (this.#turn + 1) % mostKnown;
    return layout;
  }
}

function haveKeys(items: readonly unknown[], fields: readonly KeyField[], keys: readonly unknown[]): boolean {
  if (fields.length === 0) return items.every((item, index) => item === keys[index]);
  for (let index = 0, at = 0; index < items.length; index++) {
    const item = items[index];
    if (typeof item !== 'object' || item === null) return false;
    for (let field = 0; field < fields.length; field++) if (keyOf(item as PlainObject, fields[field] as KeyField) !== keys[at++]) return false;
  }
  return true;
}

function keysOf(items: readonly unknown[], fields: readonly KeyField[]): readonly unknown[] {
  return fields.length === 0 ? items.slice() : items.flatMap((item) => fields.map((field) => keyOf(item as PlainObject, field)));
}

function keyOf(item: PlainObject, { name, default: fallback }: KeyField): unknown {
  return Object.hasOwn(item, name) ? item[name] : fallback;
}

function isShortScalar(value: unknown): boolean {
  return typeof value === 'string' ? value.length <= longestText : typeof value !== 'object';
}

function layoutOf(list: ListTopology, items: readonly unknown[]): ListLayout {
  const ends: number[] = [];
  const order: number[] = [];
  let length = 0;
  const sorted = stepsOf(list, items);
  for (const { step, index } of sorted) {
    length += step.bytes.length;
    ends.push(length);
    order.push(index);
  }
  return { steps: Buffer.concat(sorted.map(({ step }) => step.bytes)), ends, order };
}
