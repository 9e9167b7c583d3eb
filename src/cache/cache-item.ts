// One object as the cache holds it: bytes first, every other form made when a reader asks.
import { shortLived } from '#base/memory/short-lived.ts';
import type { KubernetesObject } from '#api/object.ts';
import { type Splice, spliced, spliceInto, splicedLength, type StoredForm } from '#api/stored-form.ts';
import { isEncrypted, readEncryptedData, UnreadableError } from '#api/unreadable-error.ts';
import { findValue, pathOf } from '#base/json-scan.ts';
import { RecentForms } from '#cache/recent-forms.ts';
import { Scratch } from '#cache/scratch.ts';
import type { Shape } from '#base/shapes/shape.ts';
import { ShapeBook } from '#base/shapes/shape-book.ts';
import { ShapedValues } from '#cache/shaped-values.ts';
import { SharedValue } from '#cache/shared-value.ts';
import { looseSlab, type Slab, SlabArena, type Tenant } from '#cache/slab-arena.ts';
import type { Entry } from '#store/store.ts';

export interface CacheItem {
  /** The store's: `/registry/pods/default/web`. */
  readonly key: string;
  readonly namespace: string;
  readonly name: string;
  readonly revision: number;
  /** No other item of the process has it. Absent: the item is made for one answer. */
  readonly serial: number | undefined;
  /** The storage version, resourceVersion in place. Never write to it. */
  readonly json: Buffer;
  /** Of `json`. */
  readonly byteLength: number;
  /** Shared: never change it. Parsed again when it was not used for long. */
  readonly object: KubernetesObject;
  readonly labels: Readonly<Record<string, string>>;
  /** What stands at a path (`pathOf`), without parsing the rest. Shared: never change it. */
  valueAt(path: readonly Uint8Array[]): unknown;
  /** Writes `json`, without its first `skip` bytes, into a larger buffer; returns the end. */
  copyTo(target: Uint8Array, at: number, skip?: number): number;
  /** Undefined: the bytes are kept as they are. */
  readonly shape: Shape | undefined;
  /** Where the texts in the holes of its shape stand in the bytes returned. */
  placeTexts(places: Int32Array): Buffer;
  /** What `keepLength` was told of this form; -1 when it was told nothing, or of another form since. */
  lengthIn(form: object): number;
  keepLength(form: object, length: number): void;
}

/** What all items of one resource share. */
export interface ItemKind {
  readonly prefix: string;
  readonly namespaced: boolean;
  readonly form: StoredForm;
  readonly fieldsOf: (object: KubernetesObject) => Readonly<Record<string, string>>;
  /** Where the indexed fields stand, as names from the root on. */
  readonly indexPaths: readonly (readonly Uint8Array[])[];
  readonly memory: ItemMemory;
  readonly shapes: ShapeBook<ItemShape>;
}

/** What all items of a shape have in common. */
export interface ItemShape {
  readonly shape: Shape;
  readonly labels: SharedValue<Labels>;
  readonly indexed: SharedValue<readonly string[]>;
  readonly values: ShapedValues;
}

type Labels = Readonly<Record<string, string>>;

/** Shared by the caches of a process. */
export interface ItemMemory {
  readonly arena: SlabArena;
  /** Where an object is put together before it is kept. */
  readonly scratch: Scratch;
  /** Those that were parsed for the first time: all who hear of a change read them within a few turns, and they are gone before V8 takes them for old. */
  readonly freshObjects: RecentForms<CacheItem, KubernetesObject>;
  /** Those that had to be parsed again. */
  readonly objects: RecentForms<CacheItem, KubernetesObject>;
  readonly fields: RecentForms<CacheItem, Readonly<Record<string, string>>>;
  /** The serial of the item kept last. */
  lastSerial: number;
}

/** Counted as bytes of their JSON; in memory they take several times as much. */
const OBJECT_BYTES = 4 << 20;
const FRESH_OBJECT_BYTES = 256 << 10;
/** Enough for many selectors to look at one change. */
const FIELD_SETS = 64;

export function newItemMemory(): ItemMemory {
  return {
    arena: new SlabArena(),
    scratch: new Scratch(),
    freshObjects: new RecentForms(FRESH_OBJECT_BYTES),
    objects: new RecentForms(OBJECT_BYTES),
    fields: new RecentForms(FIELD_SETS),
    lastSerial: 0,
  };
}

const labelsPath = pathOf('metadata.labels');
const noLabels: Labels = {};

export function shapesFor(indexPaths: ItemKind['indexPaths'], learnsAfter?: number): ShapeBook<ItemShape> {
  const describe = (shape: Shape) => ({
    shape,
    labels: new SharedValue(shape, [labelsPath], readLabels),
    indexed: new SharedValue(shape, indexPaths, (json) => readTexts(json, indexPaths)),
    values: new ShapedValues(shape),
  });
  return new ShapeBook(describe, learnsAfter);
}

type Identity = Pick<Entry, 'key' | 'revision'>;

interface Place {
  readonly slab: Slab;
  readonly offset: number;
  readonly keptLength: number;
  readonly byteLength: number;
  /** Absent: the bytes are kept as they are. */
  readonly shaped?: ItemShape | undefined;
  readonly serial?: number | undefined;
}

export class StoredItem implements CacheItem, Tenant {
  readonly key: string;
  readonly revision: number;
  readonly serial: number | undefined;
  readonly byteLength: number;
  readonly keptLength: number;
  readonly #kind: ItemKind;
  readonly #shaped: ItemShape | undefined;
  #slab: Slab;
  #offset: number;
  seat = -1;
  #released = false;
  #wasParsed = false;
  /** Lists say how long they are before they begin: measuring 100,000 items anew takes longer than a client should wait for the first byte. */
  #measured: object | undefined;
  #measuredLength = 0;
  #labels: Labels | undefined;
  #indexed: readonly string[] | undefined;

  constructor(kind: ItemKind, { key, revision }: Identity, { slab, offset, keptLength, byteLength, shaped, serial }: Place) {
    this.#kind = kind;
    this.key = key;
    this.revision = revision;
    this.serial = serial;
    this.#slab = slab;
    this.#offset = offset;
    this.keptLength = keptLength;
    this.byteLength = byteLength;
    this.#shaped = shaped;
  }

  get namespace(): string {
    const { prefix, namespaced } = this.#kind;
    return namespaced ? this.key.slice(prefix.length, this.key.indexOf('/', prefix.length)) : '';
  }

  get name(): string {
    const { prefix, namespaced } = this.#kind;
    return this.key.slice(namespaced ? this.key.indexOf('/', prefix.length) + 1 : prefix.length);
  }

  get json(): Buffer {
    if (this.#shaped === undefined) return this.#slab.bytes.subarray(this.#offset, this.#offset + this.byteLength);
    const json = shortLived(this.byteLength);
    this.copyTo(json, 0);
    return json;
  }

  copyTo(target: Uint8Array, at: number, skip = 0): number {
    const { bytes } = this.#slab;
    if (this.#shaped === undefined) target.set(bytes.subarray(this.#offset + skip, this.#offset + this.byteLength), at);
    else if (skip <= this.#shaped.shape.headLength) this.#shaped.shape.unpack(bytes, this.#offset, target, at, skip);
    else target.set(this.json.subarray(skip), at);
    return at + this.byteLength - skip;
  }

  get shape(): Shape | undefined {
    return this.#shaped?.shape;
  }

  placeTexts(places: Int32Array): Buffer {
    this.#shaped?.shape.placesOf(this.#slab.bytes, this.#offset, places);
    return this.#slab.bytes;
  }

  lengthIn(form: object): number {
    return this.#measured === form ? this.#measuredLength : -1;
  }

  keepLength(form: object, length: number): void {
    this.#measured = form;
    this.#measuredLength = length;
  }

  get object(): KubernetesObject {
    const known = this.#parsed;
    if (known) return known;
    const { objects, freshObjects } = this.#kind.memory;
    const object = this.#parse();
    // What fills the room of the fresh ones would be parsed for each of its readers.
    const isFresh = !this.#wasParsed && this.byteLength < FRESH_OBJECT_BYTES / 16;
    (isFresh ? freshObjects : objects).set(this, object, this.byteLength);
    this.#wasParsed = true;
    return object;
  }

  #parse(): KubernetesObject {
    const { form, memory } = this.#kind;
    return form.parse(this.#shaped === undefined ? this.json : memory.scratch.copyOf(this));
  }

  get #parsed(): KubernetesObject | undefined {
    const { objects, freshObjects } = this.#kind.memory;
    return freshObjects.get(this) ?? objects.get(this);
  }

  /** The texts of the selectable fields. Parses, but does not keep the object: a selector may look at very many. */
  get fields(): Readonly<Record<string, string>> {
    const { fields } = this.#kind.memory;
    const known = fields.get(this);
    if (known) return known;
    const made = this.#kind.fieldsOf(this.#parsed ?? this.#parse());
    fields.set(this, made, 1);
    return made;
  }

  valueAt(path: readonly Uint8Array[]): unknown {
    const read = () => readValue(this.json, path);
    return this.#shaped ? this.#shaped.values.at(path, this.#slab.bytes, this.#offset, read) : read();
  }

  get labels(): Labels {
    this.#labels ??= this.#shaped?.labels.of(this.#slab.bytes, this.#offset, () => this.json) ?? readLabels(this.json);
    return this.#labels;
  }

  /** The texts of the indexed fields, in the order of `indexPaths`. */
  get indexed(): readonly string[] {
    this.#indexed ??= this.#shaped?.indexed.of(this.#slab.bytes, this.#offset, () => this.json) ?? readTexts(this.json, this.#kind.indexPaths);
    return this.#indexed;
  }

  get slab(): Slab {
    return this.#slab;
  }
  get offset(): number {
    return this.#offset;
  }

  settle(slab: Slab, offset: number): void {
    this.#slab = slab;
    this.#offset = offset;
  }

  /** Neither state nor history need it any more; who still holds it may go on using it. */
  release(): void {
    if (this.#released) return;
    this.#released = true;
    this.#kind.memory.freshObjects.delete(this);
    this.#kind.memory.objects.delete(this);
    this.#kind.memory.fields.delete(this);
    this.#kind.memory.arena.leave(this);
  }

  /** The same state, as of another revision: what a DELETED event shows. */
  at(revision: number): StoredItem {
    const { json } = this;
    return looseItem(this.#kind, { key: this.key, revision }, spliced(json, this.#kind.form.placeOfOtherVersion(json, revision)));
  }
}

function readLabels(json: Buffer): Labels {
  return (readValue(json, labelsPath) as Labels | null | undefined) ?? noLabels;
}

function readTexts(json: Buffer, paths: ItemKind['indexPaths']): readonly string[] {
  return paths.map((path) => {
    const value = readValue(json, path);
    return typeof value === 'string' ? value : '';
  });
}

function readValue(json: Buffer, path: readonly Uint8Array[]): unknown {
  const span = findValue(json, 0, path);
  return span && JSON.parse(json.toString('utf8', span.start, span.end));
}

/** An item whose bytes live in the shared arena, packed if there are others like it: for what the cache keeps. The value is JSON of the kind's form. */
export function cachedItem(kind: ItemKind, entry: Entry): StoredItem {
  const splice = placeOfVersion(kind, entry);
  const byteLength = splicedLength(entry.value, splice);
  const { slab, offset, keptLength, shaped } = kind.shapes.mayFit(byteLength) ? packed(kind, entry.value, splice) : asItIs(kind, entry.value, splice);
  const item = new StoredItem(kind, entry, { slab, offset, keptLength, shaped, byteLength, serial: ++kind.memory.lastSerial });
  kind.memory.arena.admit(item);
  return item;
}

function placeOfVersion({ form, prefix }: ItemKind, { key, value, revision }: Entry): Splice {
  try {
    return form.placeOfVersion(value, revision);
  } catch (error) {
    // A server that is told of no keys has come upon what another one has encrypted.
    throw isEncrypted(value) ? new UnreadableError(key, prefix, readEncryptedData) : error;
  }
}

type Room = Pick<Place, 'slab' | 'offset' | 'keptLength' | 'shaped'>;

function packed({ memory: { arena, scratch }, shapes }: ItemKind, value: Uint8Array, splice: Splice): Room {
  const json = scratch.spliced(value, splice);
  const fit = shapes.fit(json);
  const keptLength = fit?.length ?? json.length;
  const slab = arena.room(keptLength);
  const offset = slab.used;
  if (fit) fit.shaped.shape.pack(json, shapes.found, slab.bytes, offset);
  else slab.bytes.set(json, offset);
  return { slab, offset, keptLength, shaped: fit?.shaped };
}

/** Large objects are put together where they stay. */
function asItIs({ memory: { arena } }: ItemKind, value: Uint8Array, splice: Splice): Room {
  const keptLength = splicedLength(value, splice);
  const slab = arena.room(keptLength);
  const offset = slab.used;
  spliceInto(slab.bytes.subarray(offset, offset + keptLength), value, splice);
  return { slab, offset, keptLength };
}

/** An item for one answer. */
export function transientItem(kind: ItemKind, entry: Entry): StoredItem {
  return looseItem(kind, entry, spliced(entry.value, placeOfVersion(kind, entry)));
}

function looseItem(kind: ItemKind, identity: Identity, json: Buffer): StoredItem {
  return new StoredItem(kind, identity, { slab: looseSlab(json), offset: 0, keptLength: json.length, byteLength: json.length });
}
