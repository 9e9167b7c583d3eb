// The default store: durable, in the data directory of this one server.
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '#base/clock.ts';
import type { Timers } from '#base/timers.ts';
import { Compaction } from '#store/embedded/compaction.ts';
import type { Engine } from '#store/embedded/engine.ts';
import { entriesFromFile } from '#store/embedded/entries-from-file.ts';
import { GroupCommit } from '#store/embedded/group-commit.ts';
import type { Failpoint } from '#store/embedded/group-writer.ts';
import type { Journal } from '#store/embedded/journal.ts';
import { lastRevision } from '#store/embedded/last-revision.ts';
import { QuietTakeover } from '#store/embedded/quiet-takeover.ts';
import { asBuffer, decodeLeaseKey, type KeyState } from '#store/embedded/records.ts';
import type { Snapshot } from '#store/embedded/snapshot.ts';
import { entryOf, type RecentState, type Unapplied } from '#store/embedded/unapplied.ts';
import { type ExpiringStore, ExpiryTimer } from '#store/expiry.ts';
import { compareKeys, inRange } from '#store/key-order.ts';
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
import { nextTurn, Turn } from '#base/next-turn.ts';
import { Watchers } from '#store/watchers.ts';

/** Writes looked at in one go when a watch catches up. */
const REPLAY_STEP = 500;
/** Keys deleted in one go when their time is up. */
const EXPIRY_STEP = 500;
const EVERYTHING: KeyRange = { start: '', end: '\u{10ffff}' };

export interface EmbeddedStoreParts {
  readonly engine: Engine;
  readonly journal: Journal | undefined;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly failpoint: (point: Failpoint) => void | Promise<void>;
  /** Gives the directory back. */
  readonly release: () => void;
}

export class EmbeddedStore implements ExpiringStore {
  readonly #engine: Engine;
  readonly #journal: Journal | undefined;
  readonly #clock: Clock;
  readonly #release: () => void;
  readonly #commits: GroupCommit;
  readonly #compaction: Compaction;
  readonly #watchers: Watchers;
  readonly #timer: ExpiryTimer;
  readonly #takeover: QuietTakeover;
  /** What LMDB has; the rest up to `#revision` is in `#commits.unapplied`. Always held, which also tells other processes that the directory is taken. */
  #snapshot: Snapshot;
  readonly atOnce: ReaderAtOnce = { get: (key, options = {}) => this.#getAtOnce(key, options) };
  #revision: Revision;
  #longReads = 0;
  #closing: Promise<void> | undefined;

  constructor({ engine, journal, clock, timers, failpoint, release }: EmbeddedStoreParts) {
    this.#engine = engine;
    this.#journal = journal;
    this.#clock = clock;
    this.#release = release;
    this.#snapshot = engine.snapshot();
    this.#revision = lastRevision(this.#snapshot);
    const target = {
      engine,
      journal,
      failpoint,
      snapshot: () => this.#snapshot,
      revision: () => this.#revision,
      renewSnapshot: () => this.#renewSnapshot(),
      publish: (changes: readonly Change[]) => this.#publish(changes),
      recover: () => this.#recover(),
    };
    this.#commits = new GroupCommit(target, this.#revision);
    this.#compaction = new Compaction(this.#commits, this.#snapshot, failpoint);
    this.#watchers = new Watchers({
      revision: () => this.#revision,
      compactedAt: () => this.#compaction.compactedAt,
      read: (range, after) => readHistory(this.#snapshot, this.#commits.unapplied, range, after),
    });
    this.#timer = new ExpiryTimer(clock, () => this.expireDue());
    this.#armTimer();
    this.#takeover = new QuietTakeover(timers, this.#commits);
    // What an earlier process left unfinished; the next compaction tries again if the disk does not let us now.
    this.#compaction.sweep().catch(() => undefined);
  }

  revision(): Revision {
    return this.#revision;
  }

  async get(key: string, options: ReadOptions = {}): Promise<Entry | undefined> {
    return this.atOnce.get(key, options);
  }

  #getAtOnce(key: string, options: ReadOptions): Entry | undefined {
    this.#refuseClosed();
    const at = this.#readableRevision(options.at);
    const recent = this.#commits.unapplied.lastUpTo(key, at);
    if (recent) return entryOf(recent);
    const state = this.#snapshot.keyState(Buffer.from(key));
    return state && this.#snapshot.entryAt(state, at);
  }

  async list(range: KeyRange, options: ListOptions = {}): Promise<Page> {
    this.#refuseClosed();
    const revision = this.#readableRevision(options.at);
    const limit = options.limit ?? Number.POSITIVE_INFINITY;
    const page = new PageInWork(this.#commits.unapplied.statesAt(range, revision), limit);
    const hasRoom = await this.#walk(range, (state, snapshot) => {
      const entry = snapshot.entryAt(state, revision);
      return entry === undefined || page.take(entry);
    });
    if (hasRoom) page.takeRest();
    return { entries: page.entries, revision, more: page.more };
  }

  async visitAll(range: KeyRange, visitorAt: (revision: Revision) => (entry: Entry) => void, signal: AbortSignal): Promise<void> {
    this.#refuseClosed();
    const visit = visitorAt(this.#revision);
    const snapshot = this.#snapshot.retain();
    const recent = new Map(this.#commits.unapplied.statesAt(range, this.#revision).map(({ key, entry }) => [key, entry]));
    this.#longReads++;
    const turn = new Turn();
    try {
      for (const entry of recent.values()) if (entry) visit(entry);
      for (const entry of entriesFromFile(this.#engine.file, snapshot, await this.#liveRevisions(range))) {
        if (!recent.has(entry.key)) visit(entry);
        const others = turn.nextSmall();
        if (others === undefined) continue;
        await others;
        this.#refuseClosed();
        signal.throwIfAborted();
      }
    } finally {
      snapshot.release();
      this.#longReads--;
    }
  }

  async #liveRevisions(range: KeyRange): Promise<Float64Array> {
    const revisions: Revision[] = [];
    await this.#walk(range, ({ revision, deleted }) => {
      if (!deleted) revisions.push(revision);
      return true;
    });
    return Float64Array.from(revisions).sort();
  }

  async keys(range: KeyRange): Promise<KeyPage> {
    this.#refuseClosed();
    const revision = this.#revision;
    const recent = this.#commits.unapplied.statesAt(range, revision);
    const found = new Map<string, Revision>();
    await this.#walk(range, (state, _snapshot, key) => {
      if (!state.deleted) found.set(asBuffer(key).toString(), state.revision);
      return true;
    });
    for (const { key, entry } of recent) {
      if (entry === undefined) found.delete(key);
      else found.set(key, entry.revision);
    }
    return { keys: [...found].map(([key, made]) => ({ key, revision: made })).sort((a, b) => compareKeys(a.key, b.key)), revision };
  }

  async count(range: KeyRange): Promise<number> {
    this.#refuseClosed();
    let count = 0;
    for (const { key, entry } of this.#commits.unapplied.statesAt(range, this.#revision)) {
      const state = this.#snapshot.keyState(Buffer.from(key));
      count += Number(entry !== undefined) - Number(state !== undefined && !state.deleted);
    }
    await this.#walk(range, ({ deleted }) => {
      if (!deleted) count++;
      return true;
    });
    return count;
  }

  watch(range: KeyRange, after: Revision, signal: AbortSignal): AsyncIterable<WatchBatch> {
    this.#refuseClosed();
    return this.#watchers.watch(range, after, signal);
  }

  async compareAndSet(key: string, expected: Revision, value: Uint8Array | undefined, options: WriteOptions = {}): Promise<WriteResult> {
    this.#refuseClosed();
    const keyBytes = Buffer.from(key);
    this.#refuseBadKey(keyBytes);
    if (options.ttlSeconds === undefined || value === undefined) return this.#commits.write({ key, keyBytes, expected, value });
    const deadline = Math.ceil(this.#clock.now().getTime() + options.ttlSeconds * 1000);
    const result = await this.#commits.write({ key, keyBytes, expected, value, deadline });
    if (result.committed) this.#timer.arm(deadline);
    return result;
  }

  compareAndSetDeferred(key: string, expected: Revision, value: Uint8Array, onLost: () => void): WriteResult | Promise<WriteResult> {
    this.#refuseClosed();
    const keyBytes = Buffer.from(key);
    this.#refuseBadKey(keyBytes);
    return this.#commits.writeDeferred({ key, keyBytes, expected, value }, onLost);
  }

  async claimCompaction(): Promise<boolean> {
    return true;
  }

  async compact(before: Revision): Promise<void> {
    this.#refuseClosed();
    if (before > this.#revision) throw new FutureRevisionError(before, this.#revision);
    await this.#compaction.compact(before);
  }

  writeError(): Error | undefined {
    return this.#commits.lastError;
  }

  async expireDue(): Promise<void> {
    await this.#commits.apply();
    while (this.#closing === undefined) {
      const due = dueLeases(this.#snapshot, this.#clock.now().getTime());
      if (due.length === 0) break;
      await Promise.all(due.map((deletion) => this.#commits.write(deletion)));
    }
    this.#armTimer();
  }

  async sizeOnDisk(): Promise<number> {
    const { directory } = this.#engine;
    const sizes = await Promise.all((await readdir(directory)).map(async (name) => (await stat(join(directory, name))).size));
    return sizes.reduce((sum, size) => sum + size, 0);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#timer.stop();
    this.#takeover.stop();
    this.#watchers.end();
    await this.#compaction.stop();
    await this.#commits.drained();
    // Where the disk refuses, the next start finds it in the journal.
    await this.#commits.rest().catch(() => undefined);
    while (this.#longReads > 0) await nextTurn();
    this.#snapshot.release();
    await this.#engine.close();
    this.#journal?.close();
    this.#release();
  }

  #refuseClosed(): void {
    if (this.#closing !== undefined) throw new StoreClosedError();
  }

  #refuseBadKey(key: Buffer): void {
    const { maxKeySize } = this.#engine;
    if (key.length === 0 || key.length > maxKeySize) throw new RangeError(`a key has between 1 and ${maxKeySize} bytes, not ${key.length}`);
  }

  #readableRevision(at: Revision = this.#revision): Revision {
    if (at > this.#revision) throw new FutureRevisionError(at, this.#revision);
    if (at < this.#compaction.compactedAt) throw new CompactedError(at, this.#compaction.compactedAt);
    return at;
  }

  /** Visits keys in order on one snapshot until `visit` has had enough (false), giving way to other work now and then. */
  async #walk(range: KeyRange, visit: (state: KeyState, snapshot: Snapshot, key: Buffer) => boolean): Promise<boolean> {
    if (compareKeys(range.start, range.end) >= 0) return true;
    const snapshot = this.#snapshot.retain();
    this.#longReads++;
    const turn = new Turn();
    try {
      for (const { key, state } of snapshot.keyStates(Buffer.from(range.start), Buffer.from(range.end))) {
        if (!visit(state, snapshot, key)) return false;
        const others = turn.nextSmall();
        if (others === undefined) continue;
        await others;
        this.#refuseClosed();
      }
      return true;
    } finally {
      snapshot.release();
      this.#longReads--;
    }
  }

  #publish(changes: readonly Change[]): void {
    this.#revision = Math.max(this.#revision, changes.at(-1)?.revision ?? 0);
    this.#watchers.publish(changes);
    this.#takeover.written();
  }

  /** The new one is taken before the old one is let go, so that the directory never looks unused. */
  #renewSnapshot(): void {
    const old = this.#snapshot;
    this.#snapshot = this.#engine.snapshot();
    old.release();
  }

  /** A commit that reported failure may still have reached the disk: then its changes are told like any others. */
  #recover(): void {
    try {
      this.#renewSnapshot();
    } catch {
      return; // LMDB wants a restart; the snapshot at hand still serves reads.
    }
    while (this.#revision < lastRevision(this.#snapshot)) {
      const { changes, upTo } = readLog(this.#snapshot, EVERYTHING, this.#revision);
      this.#revision = upTo;
      this.#watchers.publish(changes);
    }
  }

  #armTimer(): void {
    for (const { leaseKey } of this.#snapshot.leases()) {
      this.#timer.arm(decodeLeaseKey(leaseKey).deadline);
      return;
    }
  }
}

/** The entries of a page in the order of keys: those of LMDB, and what the journal has in their place. */
class PageInWork {
  readonly entries: Entry[] = [];
  more = false;
  readonly #recent: readonly RecentState[];
  readonly #limit: number;
  #next = 0;

  constructor(recent: readonly RecentState[], limit: number) {
    this.#recent = recent;
    this.#limit = limit;
  }

  /** Entries of LMDB, in order. False when the page is full. */
  take(entry: Entry): boolean {
    if (!this.#takeRecent((key) => compareKeys(key, entry.key) < 0)) return false;
    return this.#recent[this.#next]?.key === entry.key || this.#add(entry);
  }

  takeRest(): void {
    this.#takeRecent(() => true);
  }

  #takeRecent(isDue: (key: string) => boolean): boolean {
    for (let state = this.#recent[this.#next]; state && isDue(state.key); state = this.#recent[++this.#next]) {
      if (state.entry && !this.#add(state.entry)) return false;
    }
    return true;
  }

  #add(entry: Entry): boolean {
    this.more = this.entries.length >= this.#limit;
    if (!this.more) this.entries.push(entry);
    return !this.more;
  }
}

function readHistory(snapshot: Snapshot, unapplied: Unapplied, range: KeyRange, after: Revision): { changes: readonly Change[]; upTo: Revision } {
  const logged = readLog(snapshot, range, after);
  if (logged.upTo < lastRevision(snapshot)) return logged;
  const recent = unapplied.after(logged.upTo).filter(({ key }) => inRange(range, key));
  return { changes: [...logged.changes, ...recent], upTo: Math.max(logged.upTo, unapplied.lastRevision) };
}

function readLog(snapshot: Snapshot, range: KeyRange, after: Revision): { changes: readonly Change[]; upTo: Revision } {
  const changes: Change[] = [];
  let upTo = after;
  let looked = 0;
  for (const { revision, key, value, before } of snapshot.log(after)) {
    if (inRange(range, key)) changes.push({ key, revision, value, previous: snapshot.entry(before) });
    upTo = revision;
    if (++looked === REPLAY_STEP) return { changes, upTo };
  }
  return { changes, upTo: Math.max(upTo, lastRevision(snapshot)) };
}

function dueLeases(snapshot: Snapshot, now: number): { key: string; keyBytes: Buffer; expected: Revision; value: undefined; lease: Buffer }[] {
  const due = [];
  for (const { leaseKey, key } of snapshot.leases()) {
    const { deadline, revision } = decodeLeaseKey(leaseKey);
    if (deadline > now || due.length === EXPIRY_STEP) break;
    due.push({ key, keyBytes: Buffer.from(key), expected: revision, value: undefined, lease: leaseKey });
  }
  return due;
}
