// Reading plain values through a topology: which of the allowed shapes a value has, and what tells list items apart.
import { keyPart, type PathElement, valueElement } from '#patch/apply/path-element.ts';
import type { KeyField, ListTopology, MapTopology, Topology } from '#patch/apply/topology.ts';
import { isPlainObject, type PlainObject } from '#patch/members.ts';

export type Shape = 'scalar' | 'list' | 'map';

/** The shape under which a value is read. What is null, or fits nothing, is read as the first shape the type has. */
export function shapeOf({ scalar, list, map }: Topology, value: unknown): Shape {
  if (Array.isArray(value)) {
    if (list !== undefined) return 'list';
  } else if (isPlainObject(value)) {
    if (map !== undefined) return 'map';
  } else if (value !== null && value !== undefined && scalar !== undefined) return 'scalar';
  if (map !== undefined) return 'map';
  return scalar === undefined ? 'list' : 'scalar';
}

export function asList(value: unknown): readonly unknown[] | undefined {
  return Array.isArray(value) ? value : undefined;
}

export function asMap(value: unknown): PlainObject | undefined {
  return isPlainObject(value) ? value : undefined;
}

export function isEmptyMap(value: PlainObject | undefined): boolean {
  for (const _ in value) return false;
  return true;
}

/** As it would be written: a struct whose required lists are missing has them as null. */
export function hasNothing({ nullFields }: MapTopology, value: PlainObject | undefined): boolean {
  return (value === undefined || nullFields.length === 0) && isEmptyMap(value);
}

/** The step that leads to a list item, or why there is none. */
export type ItemStep = { readonly element: PathElement; readonly problem?: undefined } | { readonly element?: undefined; readonly problem: string };

export function itemStep(list: ListTopology, item: unknown): ItemStep {
  return list.keys.length > 0 ? keyedStep(list, item) : setStep(item);
}

function keyedStep({ keys, sortedKeys }: ListTopology, item: unknown): ItemStep {
  if (item === null || item === undefined) return { problem: 'associative list with keys may not have a null element' };
  if (!isPlainObject(item)) return { problem: 'associative list with keys may not have non-map elements' };
  let key = '';
  for (let index = 0; index < sortedKeys.length; index++) {
    const { name, default: fallback } = sortedKeys[index] as KeyField;
    const value = Object.hasOwn(item, name) ? item[name] : fallback;
    if (value !== undefined) key += (key === '' ? '' : ',') + keyPart(name, value);
  }
  if (key !== '') return { element: `k:{${key}}` };
  const names = keys.map(({ name }) => JSON.stringify(name)).join(' ');
  return { problem: `associative list with keys has an element that omits all key fields [${names}] (and doesn't have default values for any key fields)` };
}

function setStep(item: unknown): ItemStep {
  if (item === null || item === undefined) return { problem: "associative list without keys has an element that's an explicit null" };
  if (Array.isArray(item)) return { problem: 'not supported: associative list with lists as elements' };
  if (typeof item === 'object') return { problem: "associative list without keys has an element that's a map type" };
  return { element: valueElement(item) };
}

/** Whether every item that fits the list leads somewhere: the same as asking for its step. */
export function hasStep({ keys }: ListTopology, item: unknown): boolean {
  if (keys.length === 0) return item !== null && item !== undefined && typeof item !== 'object';
  return isPlainObject(item) && keys.some(({ name, default: fallback }) => (Object.hasOwn(item, name) ? item[name] : fallback) !== undefined);
}

/** The items of a list by step, in order; a step that occurs more than once has several. Items without a step are left out. */
export function itemsByStep(list: ListTopology, items: readonly unknown[] | undefined): Map<PathElement, unknown[]> {
  const result = new Map<PathElement, unknown[]>();
  for (const item of items ?? []) {
    const { element } = itemStep(list, item);
    if (element === undefined) continue;
    const twins = result.get(element);
    if (twins === undefined) result.set(element, [item]);
    else twins.push(item);
  }
  return result;
}
