// A stored object has no resourceVersion: it is the revision of the write, unknown before. It is put in place in the
// encoded form, behind the uid, where the field belongs; nothing is parsed.

const uidField = Buffer.from('"uid":"');
const metadataField = Buffer.from('"metadata":{');
const versionField = Buffer.from('"resourceVersion":"');
const quote = 0x22;
const closingBrace = 0x7d;

/** Where bytes are added (`start === end`) or exchanged. */
export interface VersionPlace {
  readonly start: number;
  readonly end: number;
  /** What stands there, in latin1. */
  readonly text: string;
}

export function withResourceVersion(stored: Uint8Array, revision: number): Buffer {
  return spliced(stored, placeOfVersion(stored, revision));
}

/** The same object as written at another revision. */
export function exchangeResourceVersion(json: Uint8Array, revision: number): Buffer {
  const bytes = asBuffer(json);
  const start = bytes.indexOf(versionField);
  if (start < 0) return withResourceVersion(json, revision);
  const from = start + versionField.length;
  return spliced(json, { start: from, end: bytes.indexOf(quote, from), text: String(revision) });
}

/** For callers that copy the bytes themselves. */
export function placeOfVersion(stored: Uint8Array, revision: number): VersionPlace {
  const bytes = asBuffer(stored);
  const uid = bytes.indexOf(uidField);
  if (uid >= 0) {
    const end = bytes.indexOf(quote, uid + uidField.length) + 1;
    return { start: end, end, text: `,"resourceVersion":"${revision}"` };
  }
  const metadata = bytes.indexOf(metadataField);
  if (metadata < 0) throw new Error('a stored object has no metadata');
  const start = metadata + metadataField.length;
  return { start, end: start, text: `"resourceVersion":"${revision}"${bytes[start] === closingBrace ? '' : ','}` };
}

function spliced(bytes: Uint8Array, { start, end, text }: VersionPlace): Buffer {
  const result = Buffer.allocUnsafe(bytes.length - (end - start) + text.length);
  result.set(bytes.subarray(0, start));
  result.write(text, start, 'latin1');
  result.set(bytes.subarray(end), start + text.length);
  return result;
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
