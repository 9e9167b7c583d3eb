// The store as it was after one commit. Holding one keeps its pages from being reused: every `retain` needs its `release`.
import type { RootDatabase } from 'lmdb';
import type { Tables } from '#store/embedded/engine.ts';
import { asBuffer, decodeLogRecord, decodeStanding, type LogRecord, readRevisionKey, revisionKey, type Standing } from '#store/embedded/records.ts';
import type { Entry, Revision } from '#store/store.ts';

type ReadTransaction = ReturnType<RootDatabase['useReadTransaction']>;

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

  standing(key: Buffer): Standing | undefined {
    const bytes = this.#tables.latest.get(key, this.#read);
    return bytes && decodeStanding(bytes);
  }

  record(revision: Revision): LogRecord | undefined {
    if (revision === 0) return undefined;
    const bytes = this.#tables.log.get(revisionKey(revision), this.#read);
    return bytes && decodeLogRecord(bytes);
  }

  /** What the write of this revision left at its key. */
  entry(revision: Revision): Entry | undefined {
    const record = this.record(revision);
    return record?.value && { key: record.key, value: record.value, revision };
  }

  /** What a key that stands like this held at an earlier revision: goes back from write to write. */
  entryAt(standing: Standing, at: Revision): Entry | undefined {
    if (standing.deleted && standing.revision <= at) return undefined;
    let revision = standing.revision;
    while (revision > at) revision = this.record(revision)?.before ?? 0;
    return this.entry(revision);
  }

  *standings(start: Buffer, end: Buffer): Generator<Standing, void, undefined> {
    for (const { value } of this.#tables.latest.getRange({ start, end, ...this.#read })) yield decodeStanding(value);
  }

  /** The writes after `after`, oldest first. */
  *log(after: Revision): Generator<LogRecord & { revision: Revision }, void, undefined> {
    for (const { key, value } of this.#tables.log.getRange({ start: revisionKey(after + 1), ...this.#read })) {
      yield { ...decodeLogRecord(value), revision: readRevisionKey(key) };
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
}
