// Field sets in the JSON form that stands in managedFields: `{"f:data":{".":{},"f:a":{}}}`.
import { emptySet, type FieldNode, type FieldSet, sortedElements, union } from '#patch/apply/field-set.ts';
import { type PathElement, parseElement } from '#patch/apply/path-element.ts';
import { isPlainObject, type PlainObject } from '#patch/members.ts';

/** Thrown for text that is no field set; managedFields with such an entry count as broken as a whole. */
export class FieldsV1Error extends Error {
  override readonly name = 'FieldsV1Error';
}

export function toFieldsV1(set: FieldSet): PlainObject {
  return writeInto({}, set);
}

function writeInto(result: PlainObject, set: FieldSet): PlainObject {
  for (const element of sortedElements(set)) {
    const { member, below } = set.get(element) as FieldNode;
    result[element] = below.size === 0 ? {} : writeInto(member ? { '.': {} } : {}, below);
  }
  return result;
}

export function fromFieldsV1(fields: unknown): FieldSet {
  if (fields === undefined || fields === null) return emptySet;
  if (!isPlainObject(fields)) throw new FieldsV1Error('error decoding set: ReadMapCB: expect { or n');
  return readNode(fields).below;
}

/** An object without anything below it is a member, whether it says so or not. */
function readNode(fields: unknown): FieldNode {
  if (fields === null) return { member: true, below: emptySet };
  if (!isPlainObject(fields)) throw new FieldsV1Error('error decoding set: ReadMapCB: expect { or n');
  let member = false;
  const below = new Map<PathElement, FieldNode>();
  for (const key in fields) {
    if (key === '.') member = true;
    else addChild(below, key, fields[key]);
  }
  return { member: member || below.size === 0, below };
}

function addChild(below: Map<PathElement, FieldNode>, key: string, fields: unknown): void {
  const step = parseElement(key);
  if ('error' in step) throw new FieldsV1Error(`error decoding set: parsing key as path element: ${step.error}`);
  if ('unknown' in step) return;
  const node = readNode(fields);
  const twin = below.get(step.element);
  below.set(step.element, twin === undefined ? node : { member: twin.member || node.member, below: union(twin.below, node.below) });
}
