// The bytes of the embedded store. Four tables:
//   latest  key                  -> revision of its last write (a deletion too, until it is compacted), and which it was
//   log     revision             -> that write: key, the revision before it, value
//   leases  deadline + revision  -> key to delete then, if it is still at that revision
//   meta    name                 -> what the store knows about itself
// A value lies in `log` only, once; older values of a key are found by going back from write to write.
import type { Revision } from '#store/store.ts';

/** Rises when older servers could not read what this one writes. 1 had no journal, 2 one that could not tell damage from a crash; both are taken over. */
export const FORMAT = 3;

export interface LogRecord {
  readonly key: string;
  /** Of the same key: the write before this one, deletions included. 0 if there is none or it was forgotten. */
  readonly before: Revision;
  /** Undefined for a deletion. */
  readonly value: Uint8Array | undefined;
}

/** Where a key stands: `deleted` keys are remembered until the deletion is compacted. */
export interface KeyState {
  readonly revision: Revision;
  readonly deleted: boolean;
}

export interface LeaseKey {
  readonly deadline: number;
  readonly revision: Revision;
}

export type Copy = (bytes: Buffer, start: number, end: number) => Buffer;

const WRITTEN = 1;
const DELETED = 2;
const HEADER = 11;

/** Gives bytes to write to. */
export type Room = (length: number) => Buffer;

const ofItsOwn: Room = (length) => Buffer.allocUnsafe(length);

export function revisionKey(revision: Revision, room: Room = ofItsOwn): Buffer {
  const bytes = room(8);
  writeNumber(bytes, revision, 0);
  return bytes;
}

export function readRevisionKey(bytes: Uint8Array): Revision {
  return readNumber(bytes, 0);
}

export function encodeKeyState({ revision, deleted }: KeyState, room: Room = ofItsOwn): Buffer {
  const bytes = room(9);
  writeNumber(bytes, revision, 0);
  bytes[8] = deleted ? DELETED : WRITTEN;
  return bytes;
}

export function decodeKeyState(bytes: Uint8Array): KeyState {
  return { revision: readNumber(bytes, 0), deleted: bytes[8] === DELETED };
}

export function lengthOfLogRecord(key: Buffer, value: Uint8Array | undefined): number {
  return HEADER + key.length + (value?.length ?? 0);
}

export function encodeLogRecord(key: Buffer, before: Revision, value: Uint8Array | undefined, room: Room = ofItsOwn): Buffer {
  const bytes = room(lengthOfLogRecord(key, value));
  bytes[0] = value === undefined ? DELETED : WRITTEN;
  writeNumber(bytes, before, 1);
  bytes.writeUInt16BE(key.length, 9);
  bytes.set(key, HEADER);
  if (value !== undefined) bytes.set(value, HEADER + key.length);
  return bytes;
}

/** Copies the value by `copy`, so that `record` may be reused. */
export function decodeLogRecord(record: Buffer, copy: Copy): LogRecord {
  const valueStart = HEADER + record.readUInt16BE(9);
  const value = record[0] === DELETED ? undefined : copy(record, valueStart, record.length);
  return { key: record.toString('utf8', HEADER, valueStart), before: writeBefore(record), value };
}

/** The key that a log record is about. */
export function keyIn(record: Buffer): Buffer {
  return record.subarray(HEADER, HEADER + record.readUInt16BE(9));
}

/** The revision that a log record follows. */
export function writeBefore(record: Buffer): Revision {
  return readNumber(record, 1);
}

export function encodeLeaseKey({ deadline, revision }: LeaseKey): Buffer {
  const bytes = Buffer.allocUnsafe(16);
  writeNumber(bytes, deadline, 0);
  writeNumber(bytes, revision, 8);
  return bytes;
}

export function decodeLeaseKey(bytes: Uint8Array): LeaseKey {
  return { deadline: readNumber(bytes, 0), revision: readNumber(bytes, 8) };
}

/** Eight bytes, big end first: the order of the bytes is the order of the numbers. */
export function writeNumber(bytes: Buffer, number: number, at: number): void {
  bytes.writeUInt32BE(Math.floor(number / 2 ** 32), at);
  bytes.writeUInt32BE(number >>> 0, at + 4);
}

export function readNumber(bytes: Uint8Array, at: number): number {
  const buffer = asBuffer(bytes);
  return buffer.readUInt32BE(at) * 2 ** 32 + buffer.readUInt32BE(at + 4);
}

export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
