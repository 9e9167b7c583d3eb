// The store of throw-away servers: everything in this process, gone with it.
import { type Clock, systemClock } from '#base/clock.ts';
import { apart } from '#base/memory/short-lived.ts';
import { type ExpiringStore, ExpiryTimer } from '#store/expiry.ts';
import { inRange } from '#store/key-order.ts';
import { SortedKeys } from '#store/memory/sorted-keys.ts';
import {
  type Change,
  CompactedError,
  type Entry,
  FutureRevisionError,
  type KeyPage,
  type KeyRange,
  type ListOptions,
  type Page,
  type ReaderAtOnce,
  type ReadOptions,
  type Revision,
  StoreClosedError,
  type WatchBatch,
  type WriteOptions,
  type WriteResult,
} from '#store/store.ts';
import { Turn } from '#base/next-turn.ts';
import { Watchers } from '#store/watchers.ts';

export interface MemoryStoreOptions {
  readonly clock?: Clock;
}

export function openMemoryStore(options: MemoryStoreOptions = {}): ExpiringStore {
  return new MemoryStore(options.clock ?? systemClock);
}

/** A deletion is a version without a value. */
interface Version {
  readonly revision: Revision;
  readonly entry: Entry | undefined;
}

/** As in etcd: a store without writes is at 1, so that 0 can mean "nothing". */
const FIRST_REVISION = 1;
const REPLAY_STEP = 1_000;
/** Writes forgotten in one go when history is compacted. */
const SWEEP_STEP = 100;

class MemoryStore implements ExpiringStore {
  readonly #clock: Clock;
  readonly #timer: ExpiryTimer;
  readonly #keys = new SortedKeys();
  /** Oldest first; never empty. */
  readonly #versions = new Map<string, Version[]>();
  /** All changes after `#compactedAt`, one for each revision. */
  #log: Change[] = [];
  readonly atOnce: ReaderAtOnce = { get: (key, options = {}) => this.#getAtOnce(key, options) };
  #revision: Revision = FIRST_REVISION;
  #compactedAt: Revision = 0;
  readonly #deadlines = new Map<string, number>();
  readonly #watchers: Watchers;
  #sweeping: Promise<void> | undefined;
  #closed = false;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#timer = new ExpiryTimer(clock, () => this.expireDue());
    this.#watchers = new Watchers({
      revision: () => this.#revision,
      compactedAt: () => this.#compactedAt,
      read: (range, after) => this.#readLog(range, after),
    });
  }

  revision(): Revision {
    return this.#revision;
  }

  async get(key: string, options: ReadOptions = {}): Promise<Entry | undefined> {
    return this.atOnce.get(key, options);
  }

  #getAtOnce(key: string, options: ReadOptions): Entry | undefined {
    this.#refuseClosed();
    return this.#versionAt(key, this.#readableRevision(options.at))?.entry;
  }

  async list(range: KeyRange, options: ListOptions = {}): Promise<Page> {
    this.#refuseClosed();
    const at = this.#readableRevision(options.at);
    const limit = options.limit ?? Number.POSITIVE_INFINITY;
    const entries: Entry[] = [];
    for (const key of this.#keys.within(range)) {
      const entry = this.#versionAt(key, at)?.entry;
      if (entry === undefined) continue;
      if (entries.length >= limit) return { entries, revision: at, more: true };
      entries.push(entry);
    }
    return { entries, revision: at, more: false };
  }

  async keys(range: KeyRange): Promise<KeyPage> {
    const { entries, revision } = await this.list(range);
    return { keys: entries, revision };
  }

  async count(range: KeyRange): Promise<number> {
    this.#refuseClosed();
    let count = 0;
    for (const key of this.#keys.within(range)) if (this.#latest(key) !== undefined) count++;
    return count;
  }

  watch(range: KeyRange, after: Revision, signal: AbortSignal): AsyncIterable<WatchBatch> {
    this.#refuseClosed();
    return this.#watchers.watch(range, after, signal);
  }

  async visitAll(range: KeyRange, visitorAt: (revision: Revision) => (entry: Entry) => void, signal: AbortSignal): Promise<void> {
    this.#refuseClosed();
    const revision = this.#revision;
    const visit = visitorAt(revision);
    const turn = new Turn();
    // What is written meanwhile moves the keys.
    const keys = Array.from(this.#keys.within(range));
    for (const key of keys) {
      const entry = this.#versionAt(key, this.#readableRevision(revision))?.entry;
      if (entry) visit(entry);
      const others = turn.nextSmall();
      if (others === undefined) continue;
      await others;
      this.#refuseClosed();
      signal.throwIfAborted();
    }
  }

  async compareAndSet(key: string, expected: Revision, value: Uint8Array | undefined, options: WriteOptions = {}): Promise<WriteResult> {
    return this.#set(key, expected, value, options);
  }

  /** There is nothing to wait for. */
  compareAndSetDeferred(key: string, expected: Revision, value: Uint8Array): WriteResult {
    return this.#set(key, expected, value);
  }

  async claimCompaction(): Promise<boolean> {
    return true;
  }

  async compact(before: Revision): Promise<void> {
    this.#refuseClosed();
    if (before > this.#revision) throw new FutureRevisionError(before, this.#revision);
    this.#compactedAt = Math.max(this.#compactedAt, before);
    this.#sweeping ??= this.#sweep().finally(() => {
      this.#sweeping = undefined;
    });
    await this.#sweeping;
  }

  writeError(): undefined {
    return undefined;
  }

  async expireDue(): Promise<void> {
    if (this.#closed) return;
    const now = this.#clock.now().getTime();
    for (const [key, deadline] of this.#deadlines) {
      if (deadline > now) continue;
      await this.compareAndSet(key, this.#latest(key)?.revision ?? 0, undefined);
    }
    this.#timer.arm(earliest(this.#deadlines.values()));
  }

  async sizeOnDisk(): Promise<undefined> {
    return undefined;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#timer.stop();
    this.#watchers.end();
  }

  #set(key: string, expected: Revision, value: Uint8Array | undefined, options: WriteOptions = {}): WriteResult {
    this.#refuseClosed();
    const current = this.#latest(key);
    if ((current?.revision ?? 0) !== expected) return { committed: false, current };
    if (current === undefined && value === undefined) return { committed: false, current };
    const revision = ++this.#revision;
    // Kept for as long as its object. Watches get the very bytes that were written: their writer may know them again.
    const kept = value && apart(value);
    this.#remember(key, { revision, entry: kept && { key, value: kept, revision } });
    this.#setDeadline(key, kept && options.ttlSeconds);
    this.#log.push({ key, revision, value: kept, previous: current });
    this.#watchers.publish([{ key, revision, value, previous: current }]);
    return { committed: true, revision };
  }

  #refuseClosed(): void {
    if (this.#closed) throw new StoreClosedError();
  }

  #readableRevision(at: Revision = this.#revision): Revision {
    if (at > this.#revision) throw new FutureRevisionError(at, this.#revision);
    if (at < this.#compactedAt) throw new CompactedError(at, this.#compactedAt);
    return at;
  }

  #latest(key: string): Entry | undefined {
    return this.#versions.get(key)?.at(-1)?.entry;
  }

  #versionAt(key: string, at: Revision): Version | undefined {
    return this.#versions.get(key)?.findLast((version) => version.revision <= at);
  }

  #remember(key: string, version: Version): void {
    const versions = this.#versions.get(key);
    if (versions !== undefined) {
      versions.push(version);
      return;
    }
    this.#versions.set(key, [version]);
    this.#keys.add(key);
  }

  /** Goes on in other turns, so that it never holds the event loop; the line may move on meanwhile. */
  async #sweep(): Promise<void> {
    const turn = new Turn();
    while (!this.#closed) {
      const forgotten = this.#log.slice(0, Math.min(SWEEP_STEP, this.#firstAfter(this.#compactedAt)));
      if (forgotten.length === 0) return;
      for (const { key } of forgotten) this.#forgetVersions(key, this.#compactedAt);
      this.#log.splice(0, forgotten.length);
      await turn.next();
    }
  }

  /** What was superseded up to and including `before` goes; the state at `before` stays readable. */
  #forgetVersions(key: string, before: Revision): void {
    const versions = this.#versions.get(key);
    if (versions === undefined) return;
    const current = versions.findLastIndex((version) => version.revision <= before);
    versions.splice(0, versions[current]?.entry === undefined ? current + 1 : current);
    if (versions.length > 0) return;
    this.#versions.delete(key);
    this.#keys.delete(key);
  }

  #setDeadline(key: string, ttlSeconds: number | undefined): void {
    this.#deadlines.delete(key);
    if (ttlSeconds === undefined) return;
    const deadline = this.#clock.now().getTime() + ttlSeconds * 1000;
    this.#deadlines.set(key, deadline);
    this.#timer.arm(deadline);
  }

  #readLog(range: KeyRange, after: Revision): { changes: readonly Change[]; upTo: Revision } {
    const first = this.#firstAfter(after);
    const step = this.#log.slice(first, first + REPLAY_STEP);
    return { changes: step.filter(({ key }) => inRange(range, key)), upTo: step.at(-1)?.revision ?? this.#revision };
  }

  #firstAfter(revision: Revision): number {
    const oldest = this.#log[0]?.revision ?? 0;
    return Math.max(0, revision + 1 - oldest);
  }
}

/** As arguments of one Math.min, hundreds of thousands of them would not fit on the stack. */
function earliest(deadlines: Iterable<number>): number {
  let first = Number.POSITIVE_INFINITY;
  for (const deadline of deadlines) first = Math.min(first, deadline);
  return first;
}
