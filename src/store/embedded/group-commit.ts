// All writes of the embedded store, one group at a time. What arrives while a group is on its way to the disk shares the
// next one: a hundred writers wait for one flush, not for a hundred. Small groups go to the journal, and to LMDB together later.
import { apart, Slabs } from '#base/memory/short-lived.ts';
import type { Transaction } from '#store/embedded/engine.ts';
import type { AcceptedWrite } from '#store/embedded/group-entries.ts';
import { type CommittedGroup, emptyGroup, GroupWriter, type WriterTarget } from '#store/embedded/group-writer.ts';
import type { Copy, KeyState } from '#store/embedded/records.ts';
import type { Snapshot } from '#store/embedded/snapshot.ts';
import { entryOf, type Unapplied } from '#store/embedded/unapplied.ts';
import { unwritable } from '#store/embedded/unwritable.ts';
import type { Change, Entry, Revision, WriteResult } from '#store/store.ts';
import { nextTurn } from '#base/next-turn.ts';

export interface WriteRequest {
  readonly key: string;
  readonly keyBytes: Buffer;
  readonly expected: Revision;
  readonly value: Uint8Array | undefined;
  /** When the key goes away by itself, in milliseconds. */
  readonly deadline?: number;
  /** The lease that asks for this deletion; it goes with it, also when the deletion is refused. */
  readonly lease?: Buffer;
}

export interface CommitTarget extends WriterTarget {
  /** The changes are durable: tell them to the watches. */
  publish(changes: readonly Change[]): void;
}

interface Pending {
  readonly request: WriteRequest;
  resolve(result: WriteResult): void;
  reject(error: Error): void;
}

/** A write whose revision was told before its transaction began. */
interface Deferred {
  request: WriteRequest;
  readonly revision: Revision;
  readonly onLost: (() => void)[];
}

/** Looks at the snapshot and says what to do in the transaction; `budget` is how much of it is welcome now. */
export type Chore = (snapshot: Snapshot, budget: number) => ((transaction: Transaction) => void) | undefined;

interface PendingChore {
  readonly chore: Chore;
  resolve(): void;
  reject(error: Error): void;
}

/** Large enough to fill a flush, small enough that none takes long. */
const GROUP_LIMIT = 1_000;
const GROUP_LIMIT_BYTES = 8 << 20;
/** A write waits at most this long for others to share its flush. */
const GATHERING_MS = 10;
/** A chore that goes along with writes takes its share of their time, and still keeps ahead of them. */
const BUDGET_PER_WRITE = 2;
const SMALLEST_BUDGET = 32;
const IDLE_BUDGET = 256;
/** Keys of deferred writes whose values are kept at hand. */
const HOT_LIMIT = 4096;

export class GroupCommit {
  readonly #target: CommitTarget;
  #lastRevision: Revision;
  readonly #queue: Pending[] = [];
  readonly #writer: GroupWriter;
  /** By key. They all go with the next transaction, in front of the queue: their revisions are the lowest. */
  #deferred = new Map<string, Deferred>();
  /** What keys hold that get deferred writes again and again: it need not be read for each. */
  readonly #hot = new Map<string, Entry>();
  /** The writes that are on their way to the disk. */
  #underWay: Group | undefined;
  readonly #chores: PendingChore[] = [];
  #running: Promise<void> | undefined;
  #lastError: Error | undefined;

  constructor(target: CommitTarget, lastRevision: Revision) {
    this.#target = target;
    this.#lastRevision = lastRevision;
    this.#writer = new GroupWriter(target, (error) => this.#failed(error));
  }

  /** What the journal has and LMDB has not. */
  get unapplied(): Unapplied {
    return this.#writer.unapplied;
  }

  /** Of the last commit, if it failed. */
  get lastError(): Error | undefined {
    return this.#lastError;
  }

  write(request: WriteRequest): Promise<WriteResult> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ request, resolve, reject });
      this.#start();
    });
  }

  /** Decided at once, on top of what is under way; where that cannot be known yet, like any other write. */
  writeDeferred(request: WriteRequest, onLost: () => void): WriteResult | Promise<WriteResult> {
    if (this.#queue.some((other) => other.request.key === request.key)) return this.write(request);
    const waiting = this.#deferred.get(request.key);
    const at = waiting?.revision ?? this.#underWay?.revisionOf(request.key) ?? this.#hot.get(request.key)?.revision ?? this.#revisionOf(request);
    if (at !== request.expected) return this.write(request);
    if (waiting) {
      waiting.request = { ...request, expected: waiting.request.expected };
      waiting.onLost.push(onLost);
      return { committed: true, revision: waiting.revision };
    }
    const revision = ++this.#lastRevision;
    this.#deferred.set(request.key, { request, revision, onLost: [onLost] });
    this.#start();
    return { committed: true, revision };
  }

  /** Work of the store itself. It shares the transaction of the writes that wait at that moment, and is done before them. */
  transact(chore: Chore): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#chores.push({ chore, resolve, reject });
      this.#start();
    });
  }

  /** Brings what only the journal has to LMDB. */
  async apply(): Promise<void> {
    if (this.unapplied.lastRevision > 0) await this.transact(() => undefined);
  }

  /** Brings everything to LMDB for good: nothing may be asked for afterwards. */
  async rest(): Promise<void> {
    await this.transact(() => this.#writer.restingMark());
  }

  /** Resolves when everything that was asked for is settled. */
  async drained(): Promise<void> {
    await this.#running;
  }

  #start(): void {
    this.#running ??= this.#run();
  }

  async #run(): Promise<void> {
    while (this.#queue.length > 0 || this.#deferred.size > 0 || this.#chores.length > 0) {
      await this.#gather();
      await this.#settle(this.#takeGroup(), this.#chores.shift());
    }
    // In the turn of the last look at the queue: a write that comes later starts it anew.
    this.#running = undefined;
  }

  /** Waits for a turn, and as long as every turn brings more writes: they all share one flush, which costs more than their wait. */
  async #gather(): Promise<void> {
    const latest = performance.now() + GATHERING_MS;
    for (let seen = -1; this.#queue.length > seen && performance.now() < latest; ) {
      seen = this.#queue.length;
      await nextTurn();
    }
  }

  #takeGroup(): Pending[] {
    let bytes = 0;
    const end = this.#queue.findIndex(({ request }, i) => {
      const isFull = i >= GROUP_LIMIT || bytes > GROUP_LIMIT_BYTES;
      bytes += request.value?.length ?? 0;
      return isFull;
    });
    return this.#queue.splice(0, end === -1 ? this.#queue.length : end);
  }

  async #settle(pending: readonly Pending[], chore: PendingChore | undefined): Promise<void> {
    try {
      await this.#commitGroup(pending, chore);
    } catch (error) {
      for (const { reject } of pending) reject(error as Error);
      chore?.reject(error as Error);
    }
  }

  async #commitGroup(pending: readonly Pending[], chore: PendingChore | undefined): Promise<void> {
    // A chore looks at what LMDB has.
    if (chore && this.#writer.isAhead) await this.#commit(undefined, emptyGroup);
    const snapshot = this.#target.snapshot();
    const group = new Group(snapshot, this.unapplied, this.#lastRevision);
    const deferred = this.#takeDeferred(group);
    const results = new Map<Pending, WriteResult>();
    for (const one of pending) {
      const { result, dependsOnGroup } = group.decide(one.request);
      if (dependsOnGroup) results.set(one, result);
      else one.resolve(result);
    }
    const doChore = chore?.chore(snapshot, budgetBeside(pending.length));
    if (group.isEmpty() && doChore === undefined) return chore?.resolve();
    this.#lastRevision = group.lastRevision;
    this.#underWay = group;
    try {
      await this.#commit(doChore, group);
    } catch (error) {
      this.#hot.clear();
      for (const one of deferred) if (this.#revisionOf(one.request) !== one.revision) tellLost(one);
      throw error;
    } finally {
      this.#underWay = undefined;
    }
    this.#warm(group, deferred);
    for (const [one, result] of results) one.resolve(result);
    chore?.resolve();
    await this.#target.failpoint('after-publish');
  }

  /** One that was decided on top of a transaction which failed is lost with it. */
  #takeDeferred(group: Group): readonly Deferred[] {
    const all = [...this.#deferred.values()];
    this.#deferred = new Map();
    return all.filter((one) => {
      const kept = group.keep(one.request, one.revision, this.#hot.get(one.request.key));
      if (!kept) tellLost(one);
      return kept;
    });
  }

  #warm(group: Group, deferred: readonly Deferred[]): void {
    if (this.#hot.size > HOT_LIMIT) this.#hot.clear();
    for (const key of this.#hot.size === 0 ? [] : group.keys()) if (this.#hot.has(key)) this.#hot.delete(key);
    for (const { request } of deferred) {
      const entry = group.entryOf(request.key);
      if (entry) this.#hot.set(request.key, { ...entry, value: apart(entry.value) });
    }
  }

  async #commit(doChore: ((transaction: Transaction) => void) | undefined, group: CommittedGroup): Promise<void> {
    const { failpoint } = this.#target;
    let show: () => void;
    try {
      await failpoint('before-commit');
      show = await this.#writer.write(doChore, group);
    } catch (error) {
      this.#writer.recover();
      throw this.#failed(error);
    }
    this.#lastError = undefined;
    await failpoint('after-commit');
    show();
    this.#target.publish(group.changes);
  }

  #failed(error: unknown): Error {
    this.#lastError = unwritable(this.#target.engine.directory, error);
    return this.#lastError;
  }

  /** 0 where there is nothing. */
  #revisionOf({ key, keyBytes }: WriteRequest): Revision {
    const change = this.unapplied.latest(key);
    if (change) return change.value === undefined ? 0 : change.revision;
    const state = this.#target.snapshot().keyState(keyBytes);
    return state === undefined || state.deleted ? 0 : state.revision;
  }
}

function tellLost({ onLost }: Deferred): void {
  for (const tell of onLost) tell();
}

function budgetBeside(writes: number): number {
  return writes === 0 ? IDLE_BUDGET : Math.max(SMALLEST_BUDGET, writes * BUDGET_PER_WRITE);
}

/** Where a key stands, and what it holds. */
interface Known {
  readonly state: KeyState | undefined;
  readonly entry: Entry | undefined;
}

/** Writes that become durable together, each decided on top of those before it. */
class Group implements CommittedGroup {
  readonly #snapshot: Snapshot;
  readonly #unapplied: Unapplied;
  readonly #written = new Map<string, { state: KeyState; entry: Entry | undefined }>();
  readonly writes: AcceptedWrite[] = [];
  readonly settledLeases: Buffer[] = [];
  readonly changes: Change[] = [];
  lastRevision: Revision;

  constructor(snapshot: Snapshot, unapplied: Unapplied, lastRevision: Revision) {
    this.#snapshot = snapshot;
    this.#unapplied = unapplied;
    this.lastRevision = lastRevision;
  }

  /** `dependsOnGroup`: true only if the group commits, so its writer must not hear of it earlier. */
  decide(request: WriteRequest): { result: WriteResult; dependsOnGroup: boolean } {
    if (request.lease !== undefined) this.settledLeases.push(request.lease);
    const written = this.#written.get(request.key);
    const { state, entry: current } = written ?? this.#committed(request);
    const at = state === undefined || state.deleted ? 0 : state.revision;
    if (at !== request.expected || (at === 0 && request.value === undefined)) {
      return { result: { committed: false, current }, dependsOnGroup: written !== undefined || request.lease !== undefined };
    }
    const revision = this.#accept(request, ++this.lastRevision, current, state?.revision ?? 0);
    return { result: { committed: true, revision }, dependsOnGroup: true };
  }

  /** A write that was promised this revision; false when what it stands on did not come about. */
  keep(request: WriteRequest, revision: Revision, known: Entry | undefined): boolean {
    const { state, entry } = known ? { state: { revision: known.revision, deleted: false }, entry: known } : this.#committed(request);
    const at = state === undefined || state.deleted ? 0 : state.revision;
    if (at !== request.expected) return false;
    this.#accept(request, revision, entry, state?.revision ?? 0);
    return true;
  }

  keys(): Iterable<string> {
    return this.#written.keys();
  }

  entryOf(key: string): Entry | undefined {
    return this.#written.get(key)?.entry;
  }

  /** Undefined for a key that is not written here. */
  revisionOf(key: string): Revision | undefined {
    const written = this.#written.get(key);
    return written && (written.state.deleted ? 0 : written.state.revision);
  }

  isEmpty(): boolean {
    return this.writes.length === 0 && this.settledLeases.length === 0;
  }

  /** Before this group. */
  #committed({ key, keyBytes }: WriteRequest): Known {
    const change = this.#unapplied.latest(key);
    if (change) return { state: { revision: change.revision, deleted: change.value === undefined }, entry: entryOf(change) };
    const state = this.#snapshot.keyState(keyBytes);
    return { state, entry: state === undefined || state.deleted ? undefined : this.#snapshot.entry(state.revision, copyOfReplaced) };
  }

  #accept({ key, keyBytes, value, deadline }: WriteRequest, revision: Revision, previous: Entry | undefined, before: Revision): Revision {
    this.writes.push({ revision, before, keyBytes, value, deadline });
    this.changes.push({ key, revision, value, previous });
    this.#written.set(key, { state: { revision, deleted: value === undefined }, entry: value && { key, value, revision } });
    return revision;
  }
}

/** What a write replaces is known until LMDB has taken the write over, which may be long after its request: all of it ends together, and nothing else. */
const replaced = new Slabs();
const copyOfReplaced: Copy = (bytes, start, end) => replaced.copy(bytes, start, end);
