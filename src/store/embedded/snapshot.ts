// The store as it was after one commit. Holding one keeps its pages from being reused: every `retain` needs its `release`.
import { shortLivedCopy } from '#base/memory/short-lived.ts';
import type { ReadTransaction, Tables } from '#store/embedded/tables.ts';
import {
  asBuffer,
  type Copy,
  decodeLogRecord,
  decodeKeyState,
  type LogRecord,
  readRevisionKey,
  revisionKey,
  type KeyState,
  writeBefore,
} from '#store/embedded/records.ts';
import type { Entry, Revision } from '#store/store.ts';

export class Snapshot {
  readonly #tables: Tables;
  readonly #transaction: ReadTransaction;
  readonly #read: { readonly transaction: ReadTransaction };
  #holders = 1;

  constructor(tables: Tables, transaction: ReadTransaction) {
    this.#tables = tables;
    this.#transaction = transaction;
    this.#read = { transaction };
  }

  retain(): this {
    this.#holders++;
    return this;
  }

  release(): void {
    if (--this.#holders === 0) this.#transaction.done();
  }

  keyState(key: Buffer): KeyState | undefined {
    const bytes = this.#tables.latest.get(key, this.#read);
    return bytes && decodeKeyState(bytes);
  }

  record(revision: Revision, copy: Copy = shortLivedCopy): LogRecord | undefined {
    const bytes = this.#borrowRecord(revision);
    return bytes && decodeLogRecord(bytes, copy);
  }

  /** What the write of this revision left at its key. `copy`: for who keeps it for longer than a request. */
  entry(revision: Revision, copy: Copy = shortLivedCopy): Entry | undefined {
    const record = this.record(revision, copy);
    return record?.value && { key: record.key, value: record.value, revision };
  }

  /** What a key that stands like this held at an earlier revision: goes back from write to write. */
  entryAt(state: KeyState, at: Revision): Entry | undefined {
    if (state.deleted && state.revision <= at) return undefined;
    let { revision } = state;
    while (revision > at) revision = this.#writeBefore(revision);
    return this.entry(revision);
  }

  *keyStates(start: Buffer, end: Buffer): Generator<{ key: Buffer; state: KeyState }, void, undefined> {
    for (const { key, value } of this.#tables.latest.getRange({ start, end, ...this.#read })) yield { key, state: decodeKeyState(value) };
  }

  /** The writes after `after`, oldest first. */
  *log(after: Revision): Generator<LogRecord & { revision: Revision }, void, undefined> {
    for (const { key, value } of this.#tables.log.getRange({ start: revisionKey(after + 1), ...this.#read })) {
      yield { ...decodeLogRecord(asBuffer(value), keepInPlace), revision: readRevisionKey(key) };
    }
  }

  lastLogged(): Revision {
    for (const key of this.#tables.log.getKeys({ reverse: true, limit: 1, ...this.#read })) return readRevisionKey(key);
    return 0;
  }

  *leases(): Generator<{ leaseKey: Buffer; key: string }, void, undefined> {
    for (const { key, value } of this.#tables.leases.getRange({ ...this.#read })) yield { leaseKey: asBuffer(key), key: asBuffer(value).toString() };
  }

  meta(name: string): Buffer | undefined {
    return this.#tables.meta.get(Buffer.from(name), this.#read);
  }

  #writeBefore(revision: Revision): Revision {
    const bytes = this.#borrowRecord(revision);
    return bytes === undefined ? 0 : writeBefore(bytes);
  }

  /** Valid until the next read from any table. */
  #borrowRecord(revision: Revision): Buffer | undefined {
    if (revision === 0) return undefined;
    const bytes = this.#tables.log.getBinaryFast(revisionKey(revision), this.#read);
    return bytes && asBuffer(bytes);
  }
}

/** For bytes that LMDB does not use again. */
function keepInPlace(bytes: Buffer, start: number, end: number): Buffer {
  return bytes.subarray(start, end);
}
