// The messages of etcd's KV, Lease and Maintenance services, as far as a store needs them.
import { ProtobufReader } from '#base/protobuf/protobuf-reader.ts';
import { ProtobufWriter } from '#base/protobuf/protobuf-writer.ts';
import { readFields, readNumber, writeBytes, writeFlag, writeMessage, writeNumber, writeText } from '#base/protobuf/message-fields.ts';

export interface KeyValue {
  readonly key: string;
  readonly value: Uint8Array;
  readonly modRevision: number;
  /** How often the key was written since it was created. */
  readonly version: number;
}

export interface RangeRequest {
  readonly key: string;
  /** Absent: one key. */
  readonly rangeEnd?: string;
  readonly limit?: number;
  readonly revision?: number;
  readonly countOnly?: boolean;
}

export interface RangeResponse {
  /** Of the whole store, when it answered. */
  readonly revision: number;
  readonly kvs: readonly KeyValue[];
  readonly more: boolean;
  readonly count: number;
}

/** A lease may lie beyond 2^53. */
export type LeaseId = number | bigint;

export interface CompareAndSetRequest {
  readonly key: string;
  /** What must be equal: the revision of the last write, or how often the key was written. */
  readonly compare: { readonly modRevision: number } | { readonly version: number };
  /** Undefined: the key is deleted. */
  readonly value: Uint8Array | undefined;
  readonly lease?: LeaseId;
}

export interface CompareAndSetResponse {
  readonly revision: number;
  readonly succeeded: boolean;
  /** What the key holds where the comparison failed. */
  readonly current: KeyValue | undefined;
}

export function encodeRange(request: RangeRequest): Buffer {
  const writer = new ProtobufWriter(request.key.length * 2 + 128);
  writeRange(writer, request);
  return writer.written;
}

function writeRange(writer: ProtobufWriter, { key, rangeEnd, limit = 0, revision = 0, countOnly = false }: RangeRequest): void {
  writeFlag(writer, 9, countOnly);
  writeNumber(writer, 4, revision);
  writeNumber(writer, 3, limit);
  if (rangeEnd !== undefined) writeText(writer, 2, rangeEnd);
  writeText(writer, 1, key);
}

export function readRangeResponse(bytes: Buffer): RangeResponse {
  return rangeFrom(new ProtobufReader(bytes));
}

function rangeFrom(reader: ProtobufReader): RangeResponse {
  const response = { revision: 0, kvs: [] as KeyValue[], more: false, count: 0 };
  readFields(reader, 'RangeResponse', (field) => {
    if (field === 1) response.revision = readHeader(reader);
    else if (field === 2) response.kvs.push(readKeyValue(reader));
    else if (field === 3) response.more = reader.boolean();
    else if (field === 4) response.count = readNumber(reader);
    else return false;
    return true;
  });
  return response;
}

/** The store's revision, of the header that every answer begins with. */
export function readHeader(reader: ProtobufReader): number {
  let revision = 0;
  reader.nested((inner) =>
    readFields(inner, 'ResponseHeader', (field) => {
      if (field !== 3) return false;
      revision = readNumber(inner);
      return true;
    }),
  );
  return revision;
}

export function readKeyValue(reader: ProtobufReader): KeyValue {
  const kv = { key: '', value: empty as Uint8Array, modRevision: 0, version: 0 };
  reader.nested((inner) =>
    readFields(inner, 'KeyValue', (field) => {
      if (field === 1) kv.key = inner.text();
      else if (field === 3) kv.modRevision = readNumber(inner);
      else if (field === 4) kv.version = readNumber(inner);
      else if (field === 5) kv.value = inner.bytes();
      else return false;
      return true;
    }),
  );
  return kv;
}

const empty = Buffer.alloc(0);

const comparesModRevision = 2;

/** A transaction of one comparison: the write where it holds, what is there where it does not. */
export function encodeCompareAndSet({ key, compare, value, lease = 0 }: CompareAndSetRequest): Buffer {
  const writer = new ProtobufWriter((value?.length ?? 0) + key.length * 6 + 256);
  writeMessage(writer, 3, () => writeMessage(writer, 1, () => writeRange(writer, { key })));
  writeMessage(writer, 2, () => {
    if (value === undefined) writeMessage(writer, 3, () => writeText(writer, 1, key));
    else writeMessage(writer, 2, () => writePut(writer, key, value, lease));
  });
  writeMessage(writer, 1, () => {
    if ('modRevision' in compare) writeNumber(writer, 6, compare.modRevision);
    else writeNumber(writer, 4, compare.version);
    writeText(writer, 3, key);
    if ('modRevision' in compare) writeNumber(writer, 2, comparesModRevision);
  });
  return writer.written;
}

function writePut(writer: ProtobufWriter, key: string, value: Uint8Array, lease: LeaseId): void {
  writeNumber(writer, 3, lease);
  writeBytes(writer, 2, value);
  writeText(writer, 1, key);
}

export function readCompareAndSetResponse(bytes: Buffer): CompareAndSetResponse {
  const response = { revision: 0, succeeded: false, current: undefined as KeyValue | undefined };
  const reader = new ProtobufReader(bytes);
  readFields(reader, 'TxnResponse', (field) => {
    if (field === 1) response.revision = readHeader(reader);
    else if (field === 2) response.succeeded = reader.boolean();
    else if (field === 3) response.current = readFoundKey(reader);
    else return false;
    return true;
  });
  return response;
}

function readFoundKey(reader: ProtobufReader): KeyValue | undefined {
  let found: KeyValue | undefined;
  reader.nested((operation) =>
    readFields(operation, 'ResponseOp', (field) => {
      if (field !== 1) return false;
      operation.nested((inner) => {
        found = rangeFrom(inner).kvs[0];
      });
      return true;
    }),
  );
  return found;
}

export function encodeCompaction(revision: number): Buffer {
  const writer = new ProtobufWriter(16);
  writeNumber(writer, 1, revision);
  return writer.written;
}

export function encodeLeaseGrant(ttlSeconds: number): Buffer {
  const writer = new ProtobufWriter(16);
  writeNumber(writer, 1, ttlSeconds);
  return writer.written;
}

export function readLeaseGrantResponse(bytes: Buffer): LeaseId {
  const reader = new ProtobufReader(bytes);
  let id: LeaseId = 0;
  readFields(reader, 'LeaseGrantResponse', (field) => {
    if (field !== 2) return false;
    id = reader.int64();
    return true;
  });
  return id;
}

export function encodeLeaseRevoke(id: LeaseId): Buffer {
  const writer = new ProtobufWriter(16);
  writeNumber(writer, 1, id);
  return writer.written;
}

export interface StatusResponse {
  /** `3.6.8` */
  readonly version: string;
  /** The file as it is on the disk of the member, with pages that are free. */
  readonly dbSize: number;
}

export function readStatusResponse(bytes: Buffer): StatusResponse {
  const status = { version: '', dbSize: 0 };
  const reader = new ProtobufReader(bytes);
  readFields(reader, 'StatusResponse', (field) => {
    if (field === 2) status.version = reader.text();
    else if (field === 3) status.dbSize = readNumber(reader);
    else return false;
    return true;
  });
  return status;
}

/** Without a value. */
export function encodePut(key: string): Buffer {
  const writer = new ProtobufWriter(key.length * 4 + 16);
  writeText(writer, 1, key);
  return writer.written;
}
