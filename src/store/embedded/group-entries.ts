// The writes of one group as bytes: in the journal, and on their way into LMDB, which gets slices of them as they are.
//   a write           state (9 bytes), deadline (8, 0 for none), length of the log record (4), log record
//   a settled lease   zeros (8), 3, key of the lease (16)
import type { Transaction } from '#store/embedded/engine.ts';
import { encodeLeaseKey, encodeLogRecord, encodeKeyState, keyIn, lengthOfLogRecord, readNumber, writeNumber } from '#store/embedded/records.ts';
import type { Revision } from '#store/store.ts';

export interface AcceptedWrite {
  readonly revision: Revision;
  /** The write that this one follows, deletions included. */
  readonly before: Revision;
  readonly keyBytes: Buffer;
  readonly value: Uint8Array | undefined;
  /** When the key goes away by itself, in milliseconds. */
  readonly deadline: number | undefined;
}

export interface GroupContent {
  readonly writes: readonly AcceptedWrite[];
  readonly settledLeases: readonly Buffer[];
}

const KEY_STATE = 9;
const WRITE_HEADER = KEY_STATE + 12;
const LEASE = 3;
const LEASE_KEY = 16;

export function lengthOfGroup({ writes, settledLeases }: GroupContent): number {
  let length = settledLeases.length * (KEY_STATE + LEASE_KEY);
  for (const { keyBytes, value } of writes) length += WRITE_HEADER + lengthOfLogRecord(keyBytes, value);
  return length;
}

/** Fills `room`, which has the length of the group. */
export function encodeGroup({ writes, settledLeases }: GroupContent, room: Buffer): void {
  let at = 0;
  const take = (length: number) => room.subarray(at, (at += length));
  for (const { revision, before, keyBytes, value, deadline } of writes) {
    encodeKeyState({ revision, deleted: value === undefined }, take);
    writeNumber(take(8), deadline ?? 0, 0);
    take(4).writeUInt32BE(lengthOfLogRecord(keyBytes, value), 0);
    encodeLogRecord(keyBytes, before, value, take);
  }
  for (const lease of settledLeases) {
    const entry = take(KEY_STATE + LEASE_KEY);
    entry.fill(0, 0, KEY_STATE);
    entry[KEY_STATE - 1] = LEASE;
    entry.set(lease, KEY_STATE);
  }
}

/** The bytes have to stay as they are until the transaction is over. */
export function applyGroup(bytes: Buffer, transaction: Transaction): void {
  for (let at = 0; at < bytes.length; ) at = bytes[at + KEY_STATE - 1] === LEASE ? applyLease(bytes, at, transaction) : applyWrite(bytes, at, transaction);
}

function applyLease(bytes: Buffer, at: number, transaction: Transaction): number {
  const end = at + KEY_STATE + LEASE_KEY;
  transaction.remove('leases', bytes.subarray(at + KEY_STATE, end));
  return end;
}

function applyWrite(bytes: Buffer, at: number, transaction: Transaction): number {
  const start = at + WRITE_HEADER;
  const end = start + bytes.readUInt32BE(start - 4);
  const record = bytes.subarray(start, end);
  const key = keyIn(record);
  const deadline = readNumber(bytes, at + KEY_STATE);
  // A number stands in keys as it stands in values.
  transaction.append('log', bytes.subarray(at, at + 8), record);
  transaction.put('latest', key, bytes.subarray(at, at + KEY_STATE));
  if (deadline > 0) transaction.put('leases', encodeLeaseKey({ deadline, revision: readNumber(bytes, at) }), key);
  return end;
}

/** Of the last write of a group. */
export function lastRevisionIn(bytes: Buffer): Revision {
  let last = 0;
  for (let at = 0; at < bytes.length; ) {
    if (bytes[at + KEY_STATE - 1] === LEASE) {
      at += KEY_STATE + LEASE_KEY;
      continue;
    }
    last = readNumber(bytes, at);
    at += WRITE_HEADER + bytes.readUInt32BE(at + WRITE_HEADER - 4);
  }
  return last;
}
