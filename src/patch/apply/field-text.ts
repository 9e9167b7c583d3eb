// What writing fields as text needs, whichever fields they are: the steps below a container in the order in which they are written.
import { compareElements, isPlainField, type PathElement } from '#patch/apply/path-element.ts';
import { itemStep } from '#patch/apply/shape.ts';
import { type ListTopology, type MapTopology, NamedField } from '#patch/apply/topology.ts';
import type { PlainObject } from '#patch/members.ts';
import { sortedKeys } from '#schema/sorted.ts';

/** Thrown, without a stack, where only sets can say what is owned: items that are there twice or have no key, unusual names. */
export const unusual = new Error('needs sets of fields');

/** A field that is owned, with nothing below it. */
export const leafText = '{}';

/** Undefined when `write` met something unusual. */
export function unlessUnusual(write: () => string): string | undefined {
  try {
    return write();
  } catch (error) {
    if (error === unusual) return undefined;
    throw error;
  }
}

export interface Step {
  readonly element: PathElement;
  readonly item: unknown;
}

/** In the order in which they are written. */
export function stepsOf(list: ListTopology, value: readonly unknown[]): readonly Step[] {
  const steps: Step[] = [];
  for (const item of value) {
    const { element } = itemStep(list, item);
    if (element === undefined) throw unusual;
    steps.push({ element, item });
  }
  if (steps.length === 1) return steps;
  steps.sort((left, right) => compareElements(left.element, right.element));
  for (let index = 1; index < steps.length; index++) if (steps[index]?.element === steps[index - 1]?.element) throw unusual;
  return steps;
}

/** The fields of a struct, or the members that a map has, in the order in which they are written. */
export function fieldsOf(map: MapTopology, value: PlainObject): readonly NamedField[] {
  return map.fields ?? sortedKeys(value).map((name) => memberField(map, name));
}

function memberField(map: MapTopology, name: string): NamedField {
  const field = new NamedField(name, map.typeOf);
  if (!isPlainField(field.element)) throw unusual;
  return field;
}
