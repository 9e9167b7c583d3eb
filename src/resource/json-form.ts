// Objects that are stored as the JSON that is served. Nothing is parsed to put a resourceVersion in place (test/bench/front.ts and
// test/bench/cache.ts pay for that). Built-in kinds have their keys in the order of their tables; the keys of custom ones are sorted, so
// that fields of their own stand before their metadata.
import { apiVersionOf, type GroupVersionKind } from '#api/names.ts';
import type { KubernetesObject } from '#api/object.ts';
import type { Splice, StoredForm } from '#api/stored-form.ts';
import { findValue, pathOf } from '#base/json-scan.ts';
import { shortLived, Slabs } from '#base/memory/short-lived.ts';
import type { StructSchema } from '#schema/build.ts';
import { encodeJsonBytes } from '#schema/json/encode-bytes.ts';
import { parseStored } from '#schema/json/parse-json.ts';
import { isCustom } from '#schema/struct-plan.ts';

export interface FormedKind extends GroupVersionKind {
  readonly schema: StructSchema;
  /** Default: the kind with `List` behind it. */
  readonly listKind?: string | undefined;
}

export function jsonForm(kind: FormedKind): StoredForm {
  return { ...codecOf(kind), ...(isCustom(kind.schema) ? customForm(kind) : builtInForm(kind)) };
}

/** Values of writes: a store has one for as long as the write is on its way, and copies what it keeps. */
const values = new Slabs();
const roomForValue = (length: number) => values.piece(length);

type Codec = Pick<StoredForm, 'encode' | 'encodeWhole' | 'parse'>;
type Layout = Omit<StoredForm, keyof Codec>;

function codecOf({ schema }: FormedKind): Codec {
  return {
    encode(object) {
      return encodeJsonBytes(schema, hasVersion(object) ? withoutVersion(object) : object, roomForValue);
    },
    encodeWhole: (object) => encodeJsonBytes(schema, object, shortLived),
    parse: (json) => parseStored(json, schema),
  };
}

export function hasVersion({ metadata: { resourceVersion, selfLink } }: KubernetesObject): boolean {
  return resourceVersion !== undefined || selfLink !== undefined;
}

/** selfLink says nothing any more. Nothing is added to the copy: a literal that adds a field to a spread takes V8 half a microsecond. */
export function withoutVersion(object: KubernetesObject): KubernetesObject {
  const metadata = { ...object.metadata, resourceVersion: undefined };
  if (metadata.selfLink !== undefined) metadata.selfLink = undefined;
  return { ...object, metadata };
}

const uidField = Buffer.from('"uid":"');
const metadataField = Buffer.from('"metadata":{');
const versionField = Buffer.from('"resourceVersion":"');
const quote = 0x22;
const closingBrace = 0x7d;

/** Metadata stands before everything that kinds have of their own, and in it the uid before everything that could hold another. */
function builtInForm(kind: FormedKind): Layout {
  const { apiVersion, listKind } = namesOf(kind);
  const typeMeta = `{"kind":"${kind.kind}","apiVersion":"${apiVersion}",`;
  return {
    placeOfVersion(json, revision) {
      const bytes = asBuffer(json);
      const uid = bytes.indexOf(uidField);
      if (uid >= 0) return behindUid(bytes.indexOf(quote, uid + uidField.length) + 1, revision);
      const metadata = bytes.indexOf(metadataField);
      if (metadata < 0) throw new Error('a stored object has no metadata');
      return atBeginning(bytes, metadata + metadataField.length, revision);
    },
    placeOfOtherVersion(json, revision) {
      const bytes = asBuffer(json);
      const field = bytes.indexOf(versionField);
      if (field < 0) return this.placeOfVersion(json, revision);
      const start = field + versionField.length;
      return { start, end: bytes.indexOf(quote, start), text: String(revision) };
    },
    // Items of typed lists do not repeat their type.
    listFrame: (metadata) => ({
      head: `{"kind":"${listKind}","apiVersion":"${apiVersion}","metadata":${JSON.stringify(metadata)},"items":[`,
      tail: ']}\n',
      skip: typeMeta.length,
    }),
    listObject: (items, metadata) => ({
      kind: listKind,
      apiVersion,
      metadata,
      items: items.map(({ kind: _kind, apiVersion: _apiVersion, ...rest }) => rest),
    }),
  };
}

const [metadataPath, uidPath, versionPath] = [pathOf('metadata'), pathOf('metadata.uid'), pathOf('metadata.resourceVersion')];

function customForm(kind: FormedKind): Layout {
  const { apiVersion, listKind } = namesOf(kind);
  return {
    placeOfVersion(json, revision) {
      const uid = findValue(json, 0, uidPath);
      if (uid !== undefined) return behindUid(uid.end, revision);
      const metadata = findValue(json, 0, metadataPath);
      if (metadata === undefined) throw new Error('a stored object has no metadata');
      return atBeginning(json, metadata.start + 1, revision);
    },
    placeOfOtherVersion(json, revision) {
      const value = findValue(json, 0, versionPath);
      return value === undefined ? this.placeOfVersion(json, revision) : { ...value, text: `"${revision}"` };
    },
    listFrame: (metadata) => ({
      head: `{"apiVersion":"${apiVersion}","items":[`,
      tail: `],"kind":"${listKind}","metadata":${JSON.stringify(sorted({ continue: '', ...metadata }))}}\n`,
      skip: 1,
    }),
    listObject: (items, metadata) => ({ apiVersion, items, kind: listKind, metadata: sorted({ continue: '', ...metadata }) }),
  };
}

function namesOf(kind: FormedKind): { readonly apiVersion: string; readonly listKind: string } {
  return { apiVersion: apiVersionOf(kind), listKind: kind.listKind ?? `${kind.kind}List` };
}

function behindUid(end: number, revision: number): Splice {
  return { start: end, end, text: `,"resourceVersion":"${revision}"` };
}

function atBeginning(bytes: Uint8Array, start: number, revision: number): Splice {
  return { start, end: start, text: `"resourceVersion":"${revision}"${bytes[start] === closingBrace ? '' : ','}` };
}

function sorted(object: object): object {
  return Object.fromEntries(Object.entries(object).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
