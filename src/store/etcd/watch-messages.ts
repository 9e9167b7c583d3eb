// The messages of etcd's Watch service.
import { ProtobufReader } from '#base/protobuf/protobuf-reader.ts';
import { ProtobufWriter } from '#base/protobuf/protobuf-writer.ts';
import { type KeyValue, readHeader, readKeyValue } from '#store/etcd/kv-messages.ts';
import { readFields, readNumber, writeFlag, writeMessage, writeNumber, writeText } from '#base/protobuf/message-fields.ts';

export interface WatchCreateRequest {
  readonly key: string;
  /** Absent: one key. */
  readonly rangeEnd?: string;
  readonly startRevision: number;
}

export interface WatchEvent {
  readonly deleted: boolean;
  readonly kv: KeyValue;
  readonly previous: KeyValue | undefined;
}

export interface WatchResponse {
  readonly revision: number;
  readonly created: boolean;
  readonly canceled: boolean;
  readonly cancelReason: string;
  /** History starts after this one where the watch was cancelled for that. */
  readonly compactRevision: number;
  /** The events go on in the next response. */
  readonly fragment: boolean;
  readonly events: readonly WatchEvent[];
}

/** With previous values, and large answers in fragments. */
export function encodeWatchCreate({ key, rangeEnd, startRevision }: WatchCreateRequest): Buffer {
  const writer = new ProtobufWriter(key.length * 4 + 128);
  writeMessage(writer, 1, () => {
    writeFlag(writer, 8, true);
    writeFlag(writer, 6, true);
    writeNumber(writer, 3, startRevision);
    if (rangeEnd !== undefined) writeText(writer, 2, rangeEnd);
    writeText(writer, 1, key);
  });
  return writer.written;
}

export function encodeProgressRequest(): Buffer {
  const writer = new ProtobufWriter(8);
  writeMessage(writer, 3, () => undefined);
  return writer.written;
}

export function readWatchResponse(bytes: Buffer): WatchResponse {
  const response = { revision: 0, created: false, canceled: false, cancelReason: '', compactRevision: 0, fragment: false, events: [] as WatchEvent[] };
  const reader = new ProtobufReader(bytes);
  readFields(reader, 'WatchResponse', (field) => {
    if (field === 1) response.revision = readHeader(reader);
    else if (field === 3) response.created = reader.boolean();
    else if (field === 4) response.canceled = reader.boolean();
    else if (field === 5) response.compactRevision = readNumber(reader);
    else if (field === 6) response.cancelReason = reader.text();
    else if (field === 7) response.fragment = reader.boolean();
    else if (field === 11) response.events.push(readEvent(reader));
    else return false;
    return true;
  });
  return response;
}

function readEvent(reader: ProtobufReader): WatchEvent {
  const event = { deleted: false, kv: none, previous: undefined as KeyValue | undefined };
  reader.nested((inner) =>
    readFields(inner, 'Event', (field) => {
      if (field === 1) event.deleted = inner.int32() === 1;
      else if (field === 2) event.kv = readKeyValue(inner);
      else if (field === 3) event.previous = readKeyValue(inner);
      else return false;
      return true;
    }),
  );
  return event;
}

const none: KeyValue = { key: '', value: Buffer.alloc(0), modRevision: 0, version: 0 };
