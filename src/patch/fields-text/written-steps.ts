// What writing fields as text needs, whichever fields they are: the steps below a container in the order in which they are written.
import { TextMemo } from '#base/text-memo.ts';
import { type KnownStep, knownStep, stepOf } from '#patch/fields-text/list-steps.ts';
import { isPlainField } from '#patch/apply/path-element.ts';
import { type ListTopology, type MapTopology, NamedField } from '#patch/apply/topology.ts';
import type { PlainObject } from '#patch/members.ts';
import { sortedKeys } from '#schema/json/sorted.ts';

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

export interface ItemAtStep {
  readonly step: KnownStep;
  readonly item: unknown;
  /** Its place in the list. */
  readonly index: number;
}

/** In the order in which they are written. */
export function stepsOf(list: ListTopology, value: readonly unknown[]): readonly ItemAtStep[] {
  const steps: ItemAtStep[] = [];
  for (let index = 0; index < value.length; index++) {
    const item = value[index];
    const step = value.length > mostRemembered ? stepOf(list, item) : knownStep(list, item);
    if (step === undefined) throw unusual;
    steps.push({ step, item, index });
  }
  if (steps.length < shortList) sortShort(steps);
  else steps.sort((left, right) => left.step.compare(right.step));
  for (let index = 1; index < steps.length; index++) if (steps[index]?.step.element === steps[index - 1]?.step.element) throw unusual;
  return steps;
}

/** Insertion, which allocates nothing; most lists are in order already. */
function sortShort(steps: ItemAtStep[]): void {
  for (let index = 1; index < steps.length; index++) {
    const inserted = steps[index] as ItemAtStep;
    let at = index - 1;
    for (; at >= 0 && (steps[at] as ItemAtStep).step.compare(inserted.step) > 0; at--) steps[at + 1] = steps[at] as ItemAtStep;
    steps[at + 1] = inserted;
  }
}

const shortList = 20;

/** The fields of a struct, or the members that a map has, in the order in which they are written. */
export function fieldsOf(map: MapTopology, value: PlainObject): readonly NamedField[] {
  return map.fields ?? namedFields(map, sortedKeys(value));
}

/** The same by their names. */
export function fieldsNamed(map: MapTopology, names: readonly string[]): readonly NamedField[] {
  return map.fields ?? namedFields(map, names.toSorted());
}

function namedFields(map: MapTopology, sorted: readonly string[]): readonly NamedField[] {
  return sorted.map(sorted.length > mostRemembered ? (name) => plainField(name, map) : (name) => memberField(map, name));
}

/** Maps with more are filled by programs: others do not have the same names. */
const mostRemembered = 1000;

/** Members of maps, by name: objects of a cluster share most of their labels and annotations. */
const knownMembers = new WeakMap<MapTopology, TextMemo<NamedField>>();

function memberField(map: MapTopology, name: string): NamedField {
  let known = knownMembers.get(map);
  if (known === undefined) {
    known = new TextMemo(32 << 10);
    knownMembers.set(map, known);
  }
  return known.get(name) ?? known.add(name, (own) => plainField(own, map));
}

function plainField(name: string, map: MapTopology): NamedField {
  const field = new NamedField(name, map.typeOf);
  if (!isPlainField(field.element)) throw unusual;
  return field;
}
