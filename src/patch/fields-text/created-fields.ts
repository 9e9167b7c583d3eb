// Which fields belong to whoever creates an object, as the text that stands in managedFields: the same as comparing it with an empty one
// (compare.ts) and writing the set, in one walk that builds none. What follows from the schema, the empty object and the keys of a struct
// is worked out once for all objects with these keys; the walk puts such pieces together. test/bench pays for this with every create.
import type { KubernetesObject } from '#api/object.ts';
import type { FieldSet } from '#patch/apply/field-set.ts';
import { fieldsNamed, unusual } from '#patch/fields-text/written-steps.ts';
import { type ListLayout, ListLayouts } from '#patch/fields-text/list-layouts.ts';
import { fieldElement, isPlainField } from '#patch/apply/path-element.ts';
import { hasNothing, shapeOf } from '#patch/apply/shape.ts';
import { type ListTopology, type MapTopology, type NamedField, type Topology, topologyOf } from '#patch/apply/topology.ts';
import { equalValues, isPlainObject, type PlainObject } from '#patch/members.ts';
import type { StructSchema } from '#schema/build.ts';
import { wasGivenEmpty } from '#schema/given-empty.ts';
import { KeyOrders, MemberStack, mostKeys } from '#schema/key-orders.ts';
import { zeroOf } from '#schema/struct-plan.ts';
import { ascii, TextBytes } from '#schema/json/text-bytes.ts';

/**
 * The fields of `object` that an empty object does not have, without `excluded` and what is below it; no bytes when there is none.
 * Undefined: this takes the long way. The object is of a built-in kind, in canonical form; kind, version and name are excluded.
 */
export function createdFields(schema: StructSchema, object: KubernetesObject, excluded: FieldSet): Buffer | undefined {
  out.length = 0;
  stack.clear();
  try {
    writerFor(schema, excluded)(object);
    return out.take();
  } catch (error) {
    if (error === unusual) return undefined;
    throw error;
  }
}

/** Writes the fields of a value, or nothing when there is none. */
type Writer = (value: unknown) => void;

/** One is enough, as in encode-bytes.ts. */
const out = new TextBytes();

const writers = new WeakMap<FieldSet, WeakMap<StructSchema, Writer>>();

function writerFor(schema: StructSchema, excluded: FieldSet): Writer {
  let known = writers.get(excluded);
  if (known === undefined) {
    known = new WeakMap();
    writers.set(excluded, known);
  }
  let writer = known.get(schema);
  if (writer === undefined) {
    writer = compile({ topology: topologyOf(schema), before: { metadata: {}, ...(zeroOf(schema) as PlainObject) }, excluded });
    known.set(schema, writer);
  }
  return writer;
}

/** Where in the tree of types we are. */
interface Place {
  readonly topology: Topology;
  /** What an empty object has here; undefined: nothing, so that whatever is here belongs to the creator, the container too. */
  readonly before: unknown;
  readonly excluded: FieldSet | undefined;
}

/** What belongs to the creator as a whole is written alike wherever it is. */
const wholes = new WeakMap<Topology, Writer>();

function writerAt(place: Place): Writer {
  if (place.before !== undefined || place.excluded !== undefined) return compile(place);
  let writer = wholes.get(place.topology);
  if (writer === undefined) {
    writer = compile(place);
    wholes.set(place.topology, writer);
  }
  return writer;
}

function compile(place: Place): Writer {
  const { topology, before } = place;
  const types = Number(topology.scalar !== undefined) + Number(topology.list !== undefined) + Number(topology.map !== undefined);
  if (types !== 1) return anyShape(place);
  if (topology.list !== undefined) return listWriter(topology.list, place);
  if (topology.map !== undefined) return mapWriter(topology.map, place);
  return before === undefined ? writeLeaf : leafUnless(before);
}

const leaf = ascii('{}');
/** The container belongs to the set as well as what is below. */
const itself = ascii('{".":{}');
const comma = 0x2c;
const colon = 0x3a;
const openingBrace = 0x7b;
const closingBrace = 0x7d;

function writeLeaf(): void {
  out.piece(leaf);
}

function leafUnless(before: unknown): Writer {
  return (value) => {
    if (!equalValues(before, value)) out.piece(leaf);
  };
}

function anyShape({ topology, before, excluded }: Place): Writer {
  const { list, map } = topology;
  const asList = list && listWriter(list, { topology, before, excluded });
  const asMap = map && mapWriter(map, { topology, before, excluded });
  const asScalar = before === undefined ? writeLeaf : leafUnless(before);
  return (value) => {
    const shape = shapeOf(topology, value);
    if (before !== undefined && shape !== shapeOf(topology, before)) throw unusual;
    (shape === 'list' ? asList : shape === 'map' ? asMap : asScalar)?.(value);
  };
}

function listWriter(list: ListTopology, { before, excluded }: Place): Writer {
  const atomic = before === undefined ? writeLeaf : leafUnless(before);
  const layouts = new ListLayouts(list);
  let writeItem: Writer | undefined;
  return (value) => {
    if (!Array.isArray(value) || (Array.isArray(before) && before.length > 0) || (excluded !== undefined && excluded.size > 0)) throw unusual;
    if (list.atomic || value.length === 0) return atomic(value);
    writeItem ??= writerAt({ topology: list.item, before: undefined, excluded: undefined });
    writeItems(layouts.find(value), value, writeItem, before === undefined);
  };
}

function writeItems({ steps, ends, order }: ListLayout, value: readonly unknown[], writeItem: Writer, withItself: boolean): void {
  const start = out.length;
  if (withItself) out.piece(itself);
  let done = 0;
  for (let index = 0; index < ends.length; index++) {
    const end = ends[index] as number;
    out.part(steps, done, end);
    done = end;
    writeItem(value[order[index] as number]);
  }
  out.setByte(start, openingBrace);
  out.byte(closingBrace);
}

/** How objects with certain keys are written: what is constant, and which of the values stand between. */
interface Layout {
  readonly constant: Uint8Array;
  readonly holes: readonly Hole[];
  /** Lists and maps that are null unless they were sent empty. */
  readonly nulls: readonly string[];
}

interface Hole {
  /** Where in the constant text; the name of the field stands before it, and is taken back when nothing is written behind it. */
  readonly at: number;
  readonly nameLength: number;
  /** Which of the object's values. */
  readonly value: number;
  readonly write: Writer;
}

const stack = new MemberStack();

function mapWriter(map: MapTopology, place: Place): Writer {
  const { before } = place;
  const atomic = before === undefined ? writeLeaf : leafUnless(before);
  const hadNothing = hasNothing(map, isPlainObject(before) ? before : undefined);
  const memberAt = membersAt(place);
  const isCrowded = map.fields === undefined && place.excluded === undefined && hadNothing;
  const layouts = new KeyOrders((keys) => layoutOf(map, keys, memberAt));
  return (value) => {
    if (!isPlainObject(value)) throw unusual;
    if (map.atomic) return atomic(value);
    const start = stack.top;
    stack.push(value);
    if (stack.top === start && hadNothing && hasNothing(map, value)) return atomic(value);
    if (isCrowded && stack.top - start > mostKeys) writeCrowd(map, value, stack.keys.slice(start, stack.top), before === undefined);
    else writeLayout(layouts.find(stack, start), value, start, before === undefined);
    stack.top = start;
  };
}

/** A map that a program has filled: no other has the same keys, so that nothing is worked out beforehand. */
function writeCrowd(map: MapTopology, object: PlainObject, names: string[], withItself: boolean): void {
  const start = out.length;
  if (withItself) out.piece(itself);
  for (const name of names.sort()) {
    const topology = map.typeOf(name);
    if (topology === undefined) continue;
    const element = fieldElement(name);
    if (!isPlainField(element)) throw unusual;
    const before = out.length;
    out.byte(comma);
    out.quoted(element);
    out.byte(colon);
    const named = out.length;
    writerAt({ topology, before: undefined, excluded: undefined })(object[name]);
    if (out.length === named) out.length = before;
  }
  close(start, withItself);
}

function writeLayout({ constant, holes, nulls }: Layout, object: PlainObject, from: number, withItself: boolean): void {
  for (let index = 0; index < nulls.length; index++) if (wasGivenEmpty(object, nulls[index] as string)) throw unusual;
  const start = out.length;
  if (withItself) out.piece(itself);
  let done = 0;
  for (let index = 0; index < holes.length; index++) {
    const { at, nameLength, value, write } = holes[index] as Hole;
    out.part(constant, done, at);
    done = at;
    const named = out.length;
    write(stack.values[from + value]);
    if (out.length === named) out.length = named - nameLength;
  }
  out.part(constant, done, constant.length);
  close(start, withItself);
}

/** What stands from `start` becomes an object, if there is anything. */
function close(start: number, withItself: boolean): void {
  if (out.length === start) return;
  if (withItself && out.length === start + itself.length) out.length = start + 1;
  out.setByte(start, openingBrace);
  out.byte(closingBrace);
}

function layoutOf(map: MapTopology, keys: readonly string[], memberAt: (field: NamedField) => Member | undefined): Layout {
  const places = new Map(keys.map((key, index) => [key, index]));
  const holes: Hole[] = [];
  const nulls: string[] = [];
  let constant = '';
  for (const field of fieldsNamed(map, keys)) {
    const value = places.get(field.name);
    const isNull = value === undefined && field.isNull;
    if (isNull) nulls.push(field.name);
    const member = value !== undefined || isNull ? memberAt(field) : undefined;
    if (member === undefined || (isNull && member.before === null)) continue;
    const name = `,${field.quoted}`;
    constant += name;
    if (value === undefined || member.write === writeLeaf) constant += '{}';
    else holes.push({ at: constant.length, nameLength: name.length, value, write: member.write });
  }
  return { constant: ascii(constant), holes, nulls };
}

interface Member {
  /** What an empty object has; null: nothing that anybody could own. */
  readonly before: unknown;
  readonly write: Writer;
}

/** Finds the members below a place; undefined for those that are never looked at. */
function membersAt({ before, excluded }: Place): (field: NamedField) => Member | undefined {
  const was = isPlainObject(before) ? before : undefined;
  const known = new WeakMap<NamedField, Member>();
  return (field) => {
    const skip = excluded?.get(field.element);
    if (field.type === undefined || (skip?.member === true && field.whole !== undefined)) return undefined;
    let member = known.get(field);
    if (member === undefined) {
      member = skip?.member === true ? { before: null, write: onlyWalked(field.type) } : memberOf(field.type, had(was, field), skip?.below);
      known.set(field, member);
    }
    return member;
  };
}

function memberOf(topology: Topology, before: unknown, excluded: FieldSet | undefined): Member {
  return { before, write: writerAt({ topology, before, excluded }) };
}

function had(was: PlainObject | undefined, { name, isNull }: NamedField): unknown {
  return was && (was[name] ?? (isNull ? null : undefined));
}

/** Nobody owns it, but it may be what makes the object unusual. */
function onlyWalked(topology: Topology): Writer {
  const walk = writerAt({ topology, before: undefined, excluded: undefined });
  return (value) => {
    const start = out.length;
    walk(value);
    out.length = start;
  };
}
