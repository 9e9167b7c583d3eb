// All writes of the embedded store, one transaction at a time. What arrives while a transaction is on its way to the
// disk shares the next one: a hundred writers wait for one flush, not for a hundred.
import type { Engine, Transaction } from '#store/embedded/engine.ts';
import { encodeLeaseKey, encodeLogRecord, encodeStanding, revisionKey, type Standing } from '#store/embedded/records.ts';
import type { Snapshot } from '#store/embedded/snapshot.ts';
import { unwritable } from '#store/embedded/unwritable.ts';
import type { Change, Entry, Revision, WriteResult } from '#store/store.ts';
import { nextTurn } from '#store/turn.ts';

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

/** Where tests may stop or kill the process. Throwing before the commit stands for a disk that refuses it. */
export type Failpoint = 'before-commit' | 'after-commit' | 'after-publish' | 'before-sweep' | 'after-sweep';

export interface CommitTarget {
  readonly engine: Engine;
  snapshot(): Snapshot;
  /** The transaction is durable: take a new snapshot and tell the changes to whoever watches. */
  publish(changes: readonly Change[]): void;
  /** The transaction failed, or so it seems: find out what the disk says. */
  recover(): void;
  readonly failpoint: (point: Failpoint) => void | Promise<void>;
}

interface Pending {
  readonly request: WriteRequest;
  resolve(result: WriteResult): void;
  reject(error: Error): void;
}

interface Accepted {
  readonly request: WriteRequest;
  readonly change: Change;
  /** The write that this one follows, deletions included. */
  readonly before: Revision;
}

/** Looks at the snapshot and says what to do in the transaction; `budget` is how much of it is welcome now. */
export type Chore = (snapshot: Snapshot, budget: number) => (transaction: Transaction) => void;

interface PendingChore {
  readonly chore: Chore;
  resolve(): void;
  reject(error: Error): void;
}

/** Large enough to fill a flush, small enough that none takes long. */
const GROUP_LIMIT = 1_000;
const GROUP_LIMIT_BYTES = 8 << 20;
/** A chore that goes along with writes takes its share of their time, and still keeps ahead of them. */
const BUDGET_PER_WRITE = 2;
const SMALLEST_BUDGET = 32;
const IDLE_BUDGET = 256;

export class GroupCommit {
  readonly #target: CommitTarget;
  #lastRevision: Revision;
  readonly #queue: Pending[] = [];
  readonly #chores: PendingChore[] = [];
  #running: Promise<void> | undefined;

  constructor(target: CommitTarget, lastRevision: Revision) {
    this.#target = target;
    this.#lastRevision = lastRevision;
  }

  write(request: WriteRequest): Promise<WriteResult> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ request, resolve, reject });
      this.#start();
    });
  }

  /** Work of the store itself. It shares the transaction of the writes that wait at that moment, and is done before them. */
  transact(chore: Chore): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#chores.push({ chore, resolve, reject });
      this.#start();
    });
  }

  /** Resolves when everything that was asked for is settled. */
  async drained(): Promise<void> {
    await this.#running;
  }

  #start(): void {
    this.#running ??= this.#run();
  }

  async #run(): Promise<void> {
    while (this.#queue.length > 0 || this.#chores.length > 0) {
      await nextTurn();
      await this.#settle(this.#takeGroup(), this.#chores.shift());
    }
    // In the turn of the last look at the queue: whoever comes later starts anew.
    this.#running = undefined;
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
    const snapshot = this.#target.snapshot();
    const group = new Group(snapshot, this.#lastRevision);
    const results = new Map<Pending, WriteResult>();
    for (const one of pending) {
      const { result, dependsOnGroup } = group.decide(one.request);
      if (dependsOnGroup) results.set(one, result);
      else one.resolve(result);
    }
    const doChore = chore?.chore(snapshot, budgetBeside(pending.length));
    if (group.isEmpty() && doChore === undefined) return;
    this.#lastRevision = group.lastRevision;
    await this.#commit((transaction) => {
      doChore?.(transaction);
      group.writeTo(transaction);
    }, group.changes());
    for (const [one, result] of results) one.resolve(result);
    chore?.resolve();
    await this.#target.failpoint('after-publish');
  }

  async #commit(write: (transaction: Transaction) => void, changes: readonly Change[]): Promise<void> {
    const { engine, failpoint } = this.#target;
    try {
      await failpoint('before-commit');
      await engine.commit(write);
    } catch (error) {
      this.#target.recover();
      throw unwritable(engine.directory, error);
    }
    await failpoint('after-commit');
    this.#target.publish(changes);
  }
}

function budgetBeside(writes: number): number {
  return writes === 0 ? IDLE_BUDGET : Math.max(SMALLEST_BUDGET, writes * BUDGET_PER_WRITE);
}

/** The writes of one transaction, each decided on top of those before it. */
class Group {
  readonly #snapshot: Snapshot;
  readonly #accepted: Accepted[] = [];
  readonly #settledLeases: Buffer[] = [];
  readonly #written = new Map<string, { standing: Standing; entry: Entry | undefined }>();
  lastRevision: Revision;

  constructor(snapshot: Snapshot, lastRevision: Revision) {
    this.#snapshot = snapshot;
    this.lastRevision = lastRevision;
  }

  /** `dependsOnGroup`: true only if the group commits, so nobody may hear of it earlier. */
  decide(request: WriteRequest): { result: WriteResult; dependsOnGroup: boolean } {
    if (request.lease !== undefined) this.#settledLeases.push(request.lease);
    const written = this.#written.get(request.key);
    const standing = written?.standing ?? this.#snapshot.standing(request.keyBytes);
    const at = standing === undefined || standing.deleted ? 0 : standing.revision;
    const current = at === 0 ? undefined : (written?.entry ?? this.#snapshot.entry(at));
    if (at !== request.expected || (at === 0 && request.value === undefined)) {
      return { result: { committed: false, current }, dependsOnGroup: written !== undefined || request.lease !== undefined };
    }
    const revision = this.#accept(request, current, standing?.revision ?? 0);
    return { result: { committed: true, revision }, dependsOnGroup: true };
  }

  isEmpty(): boolean {
    return this.#accepted.length === 0 && this.#settledLeases.length === 0;
  }

  changes(): Change[] {
    return this.#accepted.map(({ change }) => change);
  }

  writeTo(transaction: Transaction): void {
    for (const { request, change, before } of this.#accepted) {
      const { revision } = change;
      transaction.append('log', revisionKey(revision), encodeLogRecord(request.keyBytes, before, request.value));
      transaction.put('latest', request.keyBytes, encodeStanding({ revision, deleted: request.value === undefined }));
      if (request.deadline !== undefined) transaction.put('leases', encodeLeaseKey({ deadline: request.deadline, revision }), request.keyBytes);
    }
    for (const lease of this.#settledLeases) transaction.remove('leases', lease);
  }

  #accept(request: WriteRequest, previous: Entry | undefined, before: Revision): Revision {
    const { key, value } = request;
    const revision = ++this.lastRevision;
    this.#accepted.push({ request, before, change: { key, revision, value, previous } });
    this.#written.set(key, { standing: { revision, deleted: value === undefined }, entry: value && { key, value, revision } });
    return revision;
  }
}
