// The tables of the store, and how one is read inside a transaction.
import type { Database, RootDatabase } from 'lmdb';

export type ReadTransaction = ReturnType<RootDatabase['useReadTransaction']>;

export interface Table extends Database<Buffer, Buffer> {
  /** The published types lack the second argument. */
  getBinaryFast(key: Buffer, options?: { transaction: ReadTransaction }): Buffer | undefined;
}

export interface Tables {
  readonly latest: Table;
  readonly log: Table;
  readonly leases: Table;
  readonly meta: Table;
}
