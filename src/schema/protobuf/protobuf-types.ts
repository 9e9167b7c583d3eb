// The types of the API whose protobuf messages are not those of their JSON: quantities, times, raw JSON and their like.
import { canonicalQuantity } from '#base/quantity.ts';
import { formatDuration } from '#base/time/duration.ts';
import { jsonValue } from '#schema/protobuf/protobuf-json.ts';
import type { ProtobufReader } from '#base/protobuf/protobuf-reader.ts';

/** Reads one field of a message into `collected`; false when it does not know the tag. */
type ReadPart<T> = (reader: ProtobufReader, tag: number, wireType: number, collected: T) => boolean;

export function readMessage<T>(reader: ProtobufReader, name: string, collected: T, part: ReadPart<T>): T {
  const outer = reader.enter();
  while (!reader.done) {
    const key = reader.key(name);
    if (!part(reader, key >>> 3, key & 7, collected)) reader.skip(key & 7);
  }
  reader.leave(outer);
  return collected;
}

export function readQuantity(reader: ProtobufReader): string {
  const { text } = readMessage(reader, 'Quantity', { text: '' }, (inner, tag, wireType, collected) => {
    if (tag !== 1 || wireType !== 2) return false;
    collected.text = inner.text();
    return true;
  });
  return text === '' ? '0' : canonicalQuantity(text);
}

export function readIntOrString(reader: ProtobufReader): number | string {
  const { type, int, text } = readMessage(reader, 'IntOrString', { type: 0, int: 0, text: '' }, (inner, tag, wireType, collected) => {
    if (tag === 1 && wireType === 0) collected.type = inner.int32();
    else if (tag === 2 && wireType === 0) collected.int = inner.int32();
    else if (tag === 3 && wireType === 2) collected.text = inner.text();
    else return false;
    return true;
  });
  return type === 0 ? int : text;
}

interface Timestamp {
  /** Nothing in the message: the time is not set. */
  empty: boolean;
  seconds: number;
  nanos: number;
}

function readTimestamp(reader: ProtobufReader): Timestamp {
  return readMessage<Timestamp>(reader, 'Timestamp', { empty: true, seconds: 0, nanos: 0 }, (inner, tag, wireType, collected) => {
    collected.empty = false;
    if (tag === 1 && wireType === 0) collected.seconds = Number(inner.int64());
    else if (tag === 2 && wireType === 0) collected.nanos = inner.int32();
    else return false;
    return true;
  });
}

const zeroSeconds = -62135596800;
/** The last second of the year 9999: what has no RFC 3339 form cannot be held. */
const lastSecond = 253402300799;

/** Whole seconds; null for the zero time. */
export function readTime(reader: ProtobufReader): string | null {
  const { empty, seconds } = readTimestamp(reader);
  return empty || seconds === zeroSeconds ? null : `${isoSeconds(seconds)}Z`;
}

export function readMicroTime(reader: ProtobufReader): string | null {
  const { empty, seconds, nanos } = readTimestamp(reader);
  const micros = Math.trunc(nanos / 1000);
  if (empty || (seconds === zeroSeconds && micros === 0)) return null;
  const carried = Math.floor(micros / 1e6);
  return `${isoSeconds(seconds + carried)}.${String(micros - carried * 1e6).padStart(6, '0')}Z`;
}

export function isoSeconds(seconds: number): string {
  const bounded = Math.min(Math.max(seconds, zeroSeconds), lastSecond);
  return new Date(bounded * 1000).toISOString().slice(0, 19);
}

export function readDuration(reader: ProtobufReader): string {
  const { value } = readMessage(reader, 'Duration', { value: 0 as number | bigint }, (inner, tag, wireType, collected) => {
    if (tag !== 1 || wireType !== 0) return false;
    collected.value = inner.int64();
    return true;
  });
  return formatDuration(BigInt(value));
}

export function readRawJson(reader: ProtobufReader): unknown {
  return jsonValue(readRaw(reader));
}

/** The bytes of a message that holds nothing but JSON. */
export function readRaw(reader: ProtobufReader): Buffer {
  const { raw } = readMessage<{ raw: Buffer }>(reader, 'RawExtension', { raw: none }, (inner, tag, wireType, collected) => {
    if (tag !== 1 || wireType !== 2) return false;
    collected.raw = inner.bytes();
    return true;
  });
  return raw;
}

const none = Buffer.alloc(0);
