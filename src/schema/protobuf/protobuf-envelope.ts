// What stands around protobuf objects: the magic number, runtime.Unknown with the kind, and the frames of a watch.
import { ProtobufError, ProtobufReader } from '#base/protobuf/protobuf-reader.ts';
import { ProtobufWriter } from '#base/protobuf/protobuf-writer.ts';

export interface Envelope {
  readonly apiVersion: string;
  readonly kind: string;
  readonly raw: Buffer;
  readonly contentEncoding: string;
  readonly contentType: string;
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

const magic = Buffer.from('k8s\0');

export function isEnvelope(bytes: Uint8Array): boolean {
  return bytes.length >= magic.length && magic.every((byte, index) => bytes[index] === byte);
}

/** `k8s\0` and runtime.Unknown around the message. */
export function writeEnvelope(apiVersion: string, kind: string, raw: Uint8Array): Buffer {
  return Buffer.concat(envelopeAround(apiVersion, kind, raw.length, [raw]));
}

/** The same for a message that is there in pieces, such as a list of kept objects. */
export function envelopeAround(apiVersion: string, kind: string, rawLength: number, raw: readonly Uint8Array[]): Uint8Array[] {
  return [head(apiVersion, kind, rawLength), ...raw, tail];
}

/** What stands before the length of the message, and behind the message. */
export function envelopeParts(apiVersion: string, kind: string): { readonly before: Buffer; readonly after: Buffer } {
  // The length of nothing is one byte.
  return { before: head(apiVersion, kind, 0).subarray(0, -1), after: tail };
}

/** Empty contentEncoding and contentType. */
const tail = Buffer.from([0x1a, 0, 0x22, 0]);

function head(apiVersion: string, kind: string, rawLength: number): Buffer {
  const writer = new ProtobufWriter(64 + apiVersion.length + kind.length);
  writer.varint(rawLength);
  writer.key(2, 2);
  const before = writer.length;
  writeText(writer, 2, kind);
  writeText(writer, 1, apiVersion);
  writer.close(1, before);
  writer.bytes(magic);
  return writer.take();
}

function writeText(writer: ProtobufWriter, tag: number, text: string): void {
  const before = writer.length;
  writer.text(text);
  writer.close(tag, before);
}

export function readEnvelope(bytes: Uint8Array): Envelope {
  if (bytes.length === 0) throw new ProtobufError('empty data');
  if (!isEnvelope(bytes)) throw new ProtobufError('provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]');
  if (bytes.length === magic.length) throw new ProtobufError('empty body');
  const envelope: Writable<Envelope> = { apiVersion: '', kind: '', raw: Buffer.alloc(0), contentEncoding: '', contentType: '' };
  const reader = new ProtobufReader(bytes.subarray(magic.length));
  while (!reader.done) {
    const key = reader.key('Unknown');
    const tag = (key & 7) === 2 ? key >>> 3 : 0;
    if (tag === 1) reader.nested((inner) => readTypeMeta(inner, envelope));
    else if (tag === 2) envelope.raw = reader.bytes();
    else if (tag === 3) envelope.contentEncoding = reader.text();
    else if (tag === 4) envelope.contentType = reader.text();
    else reader.skip(key & 7);
  }
  return envelope;
}

function readTypeMeta(reader: ProtobufReader, into: { apiVersion: string; kind: string }): void {
  while (!reader.done) {
    const key = reader.key('TypeMeta');
    const tag = (key & 7) === 2 ? key >>> 3 : 0;
    if (tag === 1) into.apiVersion = reader.text();
    else if (tag === 2) into.kind = reader.text();
    else reader.skip(key & 7);
  }
}

/** A frame of a watch: big-endian length, then a WatchEvent whose object is a whole envelope. */
export function watchFrame(type: string, envelope: Uint8Array): Buffer {
  const writer = new ProtobufWriter(envelope.length + 64);
  writer.bytes(envelope);
  writer.close(1, 0);
  writer.close(2, 0);
  writeText(writer, 1, type);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(writer.length);
  writer.bytes(length);
  return writer.take();
}

export interface WatchFrame {
  readonly type: string;
  /** The envelope of the object. */
  readonly object: Buffer;
}

/** The frames that are complete in `bytes`, and what is left of an incomplete one. */
export function readWatchFrames(bytes: Buffer): { readonly frames: readonly WatchFrame[]; readonly rest: Buffer } {
  const frames: WatchFrame[] = [];
  let at = 0;
  while (bytes.length - at >= 4 && bytes.length - at - 4 >= bytes.readUInt32BE(at)) {
    const end = at + 4 + bytes.readUInt32BE(at);
    frames.push(readWatchEvent(bytes.subarray(at + 4, end)));
    at = end;
  }
  return { frames, rest: bytes.subarray(at) };
}

function readWatchEvent(bytes: Buffer): WatchFrame {
  const event: Writable<WatchFrame> = { type: '', object: Buffer.alloc(0) };
  const reader = new ProtobufReader(bytes);
  while (!reader.done) {
    const key = reader.key('WatchEvent');
    if (key >>> 3 === 1) event.type = reader.text();
    else if (key >>> 3 === 2) reader.nested((inner) => readRawExtension(inner, event));
    else reader.skip(key & 7);
  }
  return event;
}

function readRawExtension(reader: ProtobufReader, into: { object: Buffer }): void {
  while (!reader.done) {
    const key = reader.key('RawExtension');
    if (key >>> 3 === 1) into.object = reader.bytes();
    else reader.skip(key & 7);
  }
}
