// LMDB as this store uses it: four tables, one durable commit at a time, snapshots to read from.
// Without overlapping sync a commit becomes visible only once it is on disk, so readers never see what a crash could take back.
import { join } from 'node:path';
import type { RootDatabase } from 'lmdb';
import { StoreOpenError } from '#store/embedded/open-error.ts';
import { Snapshot } from '#store/embedded/snapshot.ts';
import type { Table, Tables } from '#store/embedded/tables.ts';

/** What one transaction does. Nothing is visible to others before all of it is durable. */
export interface Transaction {
  put(table: keyof Tables, key: Buffer, value: Buffer): void;
  /** Only for keys that come after all others of the table; fills its pages completely. */
  append(table: keyof Tables, key: Buffer, value: Buffer): void;
  remove(table: keyof Tables, key: Buffer): void;
}

/** Values up to about half a page lie in it side by side; most objects are smaller than 4 KB. See docs/decisions/0006-embedded-store.md. */
const PAGE_SIZE = 8192;
const TABLE_OPTIONS = { encoding: 'binary', keyEncoding: 'binary' } as const;

interface PageCounts {
  readonly pageSize: number;
  readonly treeBranchPageCount: number;
  readonly treeLeafPageCount: number;
  readonly overflowPages: number;
}

interface TableStats extends PageCounts {
  /** The table of tables, and that of free pages. */
  readonly root: PageCounts;
  readonly free: PageCounts;
}

function bytesOf({ pageSize, treeBranchPageCount, treeLeafPageCount, overflowPages }: PageCounts): number {
  return pageSize * (treeBranchPageCount + treeLeafPageCount + overflowPages);
}

export class Engine {
  readonly directory: string;
  readonly tables: Tables;
  readonly maxKeySize: number;
  readonly #root: RootDatabase;

  constructor(directory: string, root: RootDatabase) {
    this.directory = directory;
    this.#root = root;
    const table = (name: string) => root.openDB(name, TABLE_OPTIONS) as Table;
    // In a new file each of them would be a commit of its own, flushed to the disk twice.
    this.tables = root.transactionSync(() => ({ latest: table('latest'), log: table('log'), leases: table('leases'), meta: table('meta') }));
    this.maxKeySize = (root as RootDatabase & { maxKeySize: number }).maxKeySize;
  }

  snapshot(): Snapshot {
    this.#root.resetReadTxn();
    return new Snapshot(this.tables, this.#root.useReadTransaction());
  }

  /** Looks at what is committed now. */
  read<T>(look: (snapshot: Snapshot) => T): T {
    const snapshot = this.snapshot();
    try {
      return look(snapshot);
    } finally {
      snapshot.release();
    }
  }

  async commit(write: (transaction: Transaction) => void): Promise<void> {
    const appended: Promise<boolean>[] = [];
    const committed = this.#root.batch(() => write(this.#transaction(appended)));
    for (const outcome of await Promise.allSettled([committed, ...appended])) {
      if (outcome.status === 'rejected') throw await causeOf(outcome.reason);
      if (!outcome.value) throw new Error(`${dataFile(this.directory)} is damaged: a revision was given out twice`);
    }
  }

  get file(): string {
    return dataFile(this.directory);
  }

  /** Of the pages that hold something. */
  usedBytes(): number {
    const stats = Object.values(this.tables).map((table: Table) => table.getStats() as TableStats);
    const [first] = stats;
    if (first === undefined) return 0;
    return [...stats, first.root, first.free].reduce((sum, each) => sum + bytesOf(each), 2 * first.pageSize);
  }

  /** Writes a data file without free pages into a directory. Not flushed. */
  copyTo(directory: string): Promise<void> {
    return this.#root.backup(directory, true);
  }

  /** One line for each reader of the data file, in this process and in others. */
  readers(): string[] {
    this.#root.readerCheck();
    const [, ...rows] = this.#root.readerList().trim().split('\n');
    return rows;
  }

  close(): Promise<void> {
    return this.#root.close();
  }

  #transaction(appended: Promise<boolean>[]): Transaction {
    return {
      put: (table, key, value) => void this.tables[table].put(key, value),
      append: (table, key, value) => void appended.push(this.tables[table].put(key, value, { append: true } as never)),
      remove: (table, key) => void this.tables[table].remove(key),
    };
  }
}

/** Loading `lmdb` costs tens of milliseconds; servers that store elsewhere do not pay for it. */
export async function openEngine(directory: string): Promise<Engine> {
  const { open } = await import('lmdb');
  try {
    const root = open({ path: directory, pageSize: PAGE_SIZE, overlappingSync: false, eventTurnBatching: false, maxReaders: 1000, ...TABLE_OPTIONS });
    return new Engine(directory, root);
  } catch (error) {
    throw new StoreOpenError(dataFile(directory), error);
  }
}

export function dataFile(directory: string): string {
  return join(directory, 'data.mdb');
}

/** lmdb rejects with a general error that promises the real one. */
async function causeOf(error: unknown): Promise<unknown> {
  if (!(error instanceof Error) || !('commitError' in error)) return error;
  return Promise.resolve(error.commitError).then(
    () => error,
    (cause: unknown) => cause,
  );
}
