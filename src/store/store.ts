// The durable state of the server: bytes under ordered keys, each change stamped with one global revision.
// Implementations: memory/, embedded/, later etcd/. All of them pass store-contract.ts.

import type { MaybePromise } from '#base/maybe-promise.ts';

export type Revision = number;

/** `value` is owned by the store: read it, never write to it. Values of one list may share memory: copy those that are kept for long. */
export interface Entry {
  readonly key: string;
  readonly value: Uint8Array;
  /** Of the write that made this value. */
  readonly revision: Revision;
}

/** All keys `k` with `start <= k < end`, in byte order of their UTF-8 form. */
export interface KeyRange {
  readonly start: string;
  readonly end: string;
}

export interface Page {
  readonly entries: readonly Entry[];
  /** The store's revision at which the page is true. */
  readonly revision: Revision;
  readonly more: boolean;
}

/** `value` is undefined for a deletion; `previous` is what the key held before (undefined for a creation). */
export interface Change {
  readonly key: string;
  readonly revision: Revision;
  readonly value: Uint8Array | undefined;
  readonly previous: Entry | undefined;
}

export type WriteResult = { readonly committed: true; readonly revision: Revision } | { readonly committed: false; readonly current: Entry | undefined };

/** Which keys there are, and the writes that made their values. */
export interface KeyPage {
  readonly keys: readonly Pick<Entry, 'key' | 'revision'>[];
  /** The store's revision at which the page is true. */
  readonly revision: Revision;
}

export interface ReadOptions {
  /** Read the state as of this revision. Throws CompactedError when it is gone, FutureRevisionError when it has not happened. */
  readonly at?: Revision;
}
export interface ListOptions extends ReadOptions {
  readonly limit?: number;
}

/** Everything up to `revision` has been told, with these changes; there may be none. */
export interface WatchBatch {
  readonly changes: readonly Change[];
  readonly revision: Revision;
}

export interface StoreReader {
  /** Revision of the last committed write, by whichever server; 1 before the first. A promise only where the store has to be asked for it. */
  revision(): MaybePromise<Revision>;
  get(key: string, options?: ReadOptions): Promise<Entry | undefined>;
  /** `get` without waiting; undefined for a store that is not in this process. */
  readonly atOnce: ReaderAtOnce | undefined;
  list(range: KeyRange, options?: ListOptions): Promise<Page>;
  /** The same without reading the values. */
  keys(range: KeyRange): Promise<KeyPage>;
  count(range: KeyRange): Promise<number>;
  /**
   * Shows everything in a range at one revision, in any order; a value is true only during its visit. For readers that keep
   * something of very many entries. Throws CompactedError when the revision is forgotten meanwhile.
   */
  visitAll(range: KeyRange, visitorAt: (revision: Revision) => (entry: Entry) => void, signal: AbortSignal): Promise<void>;
  /**
   * Every change after `after`, in order, without gaps, until `signal` aborts. A batch tells how far the store has come, also when nothing in
   * the range was written: a reader that waits for a revision is not kept waiting.
   * Throws CompactedError when history is gone; one from the future waits. `close()` ends it like an abort.
   */
  watch(range: KeyRange, after: Revision, signal: AbortSignal): AsyncIterable<WatchBatch>;
}

export interface ReaderAtOnce {
  get(key: string, options?: ReadOptions): Entry | undefined;
}

export interface Store extends StoreReader {
  /** The one write: succeeds only if the key is still at `expected` (0: must not exist). No value deletes the key (refused if there is none). Durable when it resolves. */
  compareAndSet(key: string, expected: Revision, value: Uint8Array | undefined, options?: WriteOptions): Promise<WriteResult>;
  /**
   * The same without waiting for the disk: answers as soon as the outcome is decided, most often at once. The write is durable no later than
   * any write that is asked for afterwards; a caller that must know that it is waits for such a one. Several on one key may become one, with the
   * revision of the first. `onLost` hears when the disk refused it after all; writes that were asked for afterwards have not happened then,
   * or will follow without it.
   */
  compareAndSetDeferred(key: string, expected: Revision, value: Uint8Array, onLost: () => void): WriteResult | Promise<WriteResult>;
  /** History up to and including this revision may be forgotten; the latest state never is. */
  compact(before: Revision): Promise<void>;
  /** True when it is this server's turn to compact, as it always is where no other one shares the store. */
  claimCompaction(before: Revision): Promise<boolean>;
  /** Why the last attempt to make writes durable failed; undefined when it succeeded. For health checks. */
  writeError(): Error | undefined;
  /** In bytes; undefined for a store that has nothing on a disk. */
  sizeOnDisk(): Promise<number | undefined>;
  close(): Promise<void>;
}

export interface WriteOptions {
  /** The key goes away by itself this many seconds after the write, as a deletion like any other. */
  readonly ttlSeconds?: number;
}

/** What was asked for is older than the history kept. */
export class CompactedError extends Error {
  override readonly name = 'CompactedError';
  readonly compactedAt: Revision;
  constructor(asked: Revision, compactedAt: Revision) {
    super(`revision ${asked} has been compacted (history starts after ${compactedAt})`);
    this.compactedAt = compactedAt;
  }
}

/** What was asked for has not happened yet. */
export class FutureRevisionError extends Error {
  override readonly name = 'FutureRevisionError';
  readonly current: Revision;
  constructor(asked: Revision, current: Revision) {
    super(`revision ${asked} is in the future (current ${current})`);
    this.current = current;
  }
}

/** The disk refuses writes (full, read-only, damaged): reads go on, writes fail with this until it heals. */
export class StoreUnwritableError extends Error {
  override readonly name = 'StoreUnwritableError';
}

/** The store is elsewhere and does not answer: nothing was read, and nothing was written. */
export class StoreUnavailableError extends Error {
  override readonly name = 'StoreUnavailableError';
}

/** The store is elsewhere, and whether it took a write cannot be found out: it may have happened, or happen yet (docs/decisions/0008-etcd-store.md). */
export class UnknownOutcomeError extends Error {
  override readonly name = 'UnknownOutcomeError';
}

/** The store was used after its `close()`. */
export class StoreClosedError extends Error {
  override readonly name = 'StoreClosedError';
  constructor() {
    super('the store is closed');
  }
}

/** The range that holds every key starting with `prefix` (which ends in an ASCII character). */
export function rangeOf(prefix: string): KeyRange {
  return { start: prefix, end: prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1) };
}
