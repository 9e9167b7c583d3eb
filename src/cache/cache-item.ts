// One object as the cache holds it: bytes first, every other form made when somebody asks.
import type { KubernetesObject } from '#api/object.ts';
import { findValue, pathOf } from '#cache/json-scan.ts';
import { RecentForms } from '#cache/recent-forms.ts';
import { exchangeResourceVersion, placeOfVersion, withResourceVersion } from '#cache/resource-version.ts';
import { looseSlab, type Slab, SlabArena, type Tenant } from '#cache/slab-arena.ts';
import type { Entry } from '#store/store.ts';

export interface CacheItem {
  /** The store's: `/registry/pods/default/web`. */
  readonly key: string;
  readonly namespace: string;
  readonly name: string;
  readonly revision: number;
  /** The storage version, resourceVersion in place. A view: never write to it. */
  readonly json: Buffer;
  readonly byteLength: number;
  /** Shared: never change it. Parsed again when it was not used for long. */
  readonly object: KubernetesObject;
  readonly labels: Readonly<Record<string, string>>;
  /** Copies `json` into a larger buffer; returns the end of the copy. */
  copyTo(target: Uint8Array, at: number): number;
}

/** What all items of one resource share. */
export interface ItemKind {
  readonly prefix: string;
  readonly namespaced: boolean;
  readonly parse: (json: Buffer) => KubernetesObject;
  readonly fieldsOf: (object: KubernetesObject) => Readonly<Record<string, string>>;
  /** Where the indexed fields stand, as names from the root on. */
  readonly indexPaths: readonly (readonly Uint8Array[])[];
  readonly memory: ItemMemory;
}

/** Shared by the caches of a process. */
export interface ItemMemory {
  readonly arena: SlabArena;
  readonly objects: RecentForms<CacheItem, KubernetesObject>;
  readonly fields: RecentForms<CacheItem, Readonly<Record<string, string>>>;
}

/** Counted as bytes of their JSON; in memory they take several times as much. */
const OBJECT_BYTES = 8 << 20;
/** Enough for many selectors to look at one change. */
const FIELD_SETS = 64;

export function newItemMemory(): ItemMemory {
  return { arena: new SlabArena(), objects: new RecentForms(OBJECT_BYTES), fields: new RecentForms(FIELD_SETS) };
}

const labelsPath = pathOf('metadata.labels');
const noLabels: Readonly<Record<string, string>> = {};

type Identity = Pick<Entry, 'key' | 'revision'>;
type Place = Pick<Tenant, 'slab' | 'offset' | 'byteLength'>;

export class StoredItem implements CacheItem, Tenant {
  readonly key: string;
  readonly revision: number;
  readonly byteLength: number;
  readonly #kind: ItemKind;
  #slab: Slab;
  #offset: number;
  #released = false;
  #labels: Readonly<Record<string, string>> | undefined;
  #indexed: readonly string[] | undefined;

  constructor(kind: ItemKind, { key, revision }: Identity, { slab, offset, byteLength }: Place) {
    this.#kind = kind;
    this.key = key;
    this.revision = revision;
    this.#slab = slab;
    this.#offset = offset;
    this.byteLength = byteLength;
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
    return this.#slab.bytes.subarray(this.#offset, this.#offset + this.byteLength);
  }

  copyTo(target: Uint8Array, at: number): number {
    this.#slab.bytes.copy(target, at, this.#offset, this.#offset + this.byteLength);
    return at + this.byteLength;
  }

  get object(): KubernetesObject {
    const { objects } = this.#kind.memory;
    const known = objects.get(this);
    if (known) return known;
    const object = this.#kind.parse(this.json);
    objects.set(this, object, this.byteLength);
    return object;
  }

  /** The texts of the selectable fields. Parses, but does not keep the object: a selector may look at very many. */
  get fields(): Readonly<Record<string, string>> {
    const { objects, fields } = this.#kind.memory;
    const known = fields.get(this);
    if (known) return known;
    const made = this.#kind.fieldsOf(objects.get(this) ?? this.#kind.parse(this.json));
    fields.set(this, made, 1);
    return made;
  }

  get labels(): Readonly<Record<string, string>> {
    this.#labels ??= this.#readLabels();
    return this.#labels;
  }

  /** The texts of the indexed fields, in the order of `indexPaths`. */
  get indexed(): readonly string[] {
    this.#indexed ??= this.#kind.indexPaths.map((path) => this.#readText(path));
    return this.#indexed;
  }

  /** So that equal texts of many objects are kept once. */
  shareIndexed(indexed: readonly string[]): void {
    this.#indexed = indexed;
  }

  get slab(): Slab {
    return this.#slab;
  }
  get offset(): number {
    return this.#offset;
  }
  get released(): boolean {
    return this.#released;
  }

  settle(slab: Slab, offset: number): void {
    this.#slab = slab;
    this.#offset = offset;
  }

  /** Neither state nor history need it any more; who still holds it may go on using it. */
  release(): void {
    if (this.#released) return;
    this.#released = true;
    this.#kind.memory.objects.delete(this);
    this.#kind.memory.fields.delete(this);
    this.#kind.memory.arena.leave(this);
  }

  /** The same state, as of another revision: what a DELETED event shows. */
  at(revision: number): StoredItem {
    return looseItem(this.#kind, { key: this.key, revision }, exchangeResourceVersion(this.json, revision));
  }

  #readLabels(): Readonly<Record<string, string>> {
    const span = findValue(this.#slab.bytes, this.#offset, labelsPath);
    if (span === undefined) return noLabels;
    return (JSON.parse(this.#slab.bytes.toString('utf8', span.start, span.end)) as Record<string, string> | null) ?? noLabels;
  }

  #readText(path: readonly Uint8Array[]): string {
    const span = findValue(this.#slab.bytes, this.#offset, path);
    if (span === undefined) return '';
    const value: unknown = JSON.parse(this.#slab.bytes.toString('utf8', span.start, span.end));
    return typeof value === 'string' ? value : '';
  }
}

/** An item whose bytes live in the shared arena: for what the cache keeps. */
export function keptItem(kind: ItemKind, entry: Entry): StoredItem {
  const { value, revision } = entry;
  const { start, end, text } = placeOfVersion(value, revision);
  const byteLength = value.length - (end - start) + text.length;
  const slab = kind.memory.arena.room(byteLength);
  const offset = slab.used;
  slab.bytes.set(value.subarray(0, start), offset);
  slab.bytes.write(text, offset + start, 'latin1');
  slab.bytes.set(value.subarray(end), offset + start + text.length);
  const item = new StoredItem(kind, entry, { slab, offset, byteLength });
  kind.memory.arena.admit(item);
  return item;
}

/** An item for one answer. */
export function passingItem(kind: ItemKind, entry: Entry): StoredItem {
  return looseItem(kind, entry, withResourceVersion(entry.value, entry.revision));
}

function looseItem(kind: ItemKind, identity: Identity, json: Buffer): StoredItem {
  return new StoredItem(kind, identity, { slab: looseSlab(json), offset: 0, byteLength: json.length });
}
