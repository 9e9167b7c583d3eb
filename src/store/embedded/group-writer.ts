// Where groups of writes become durable: small ones in the journal, others in LMDB together with all that the journal has. When a half of the
// journal is full, LMDB takes it over while the groups that follow go to the other half.
import { applyClosed } from '#store/embedded/apply-journal.ts';
import type { Engine, Transaction } from '#store/embedded/engine.ts';
import { applyGroup, encodeGroup, type GroupContent, lengthOfGroup } from '#store/embedded/group-entries.ts';
import type { Journal } from '#store/embedded/journal.ts';
import { putMark, readMark } from '#store/embedded/journal-mark.ts';
import { RecordRoom } from '#store/embedded/record-room.ts';
import type { Snapshot } from '#store/embedded/snapshot.ts';
import { Unapplied } from '#store/embedded/unapplied.ts';
import type { Change, Revision } from '#store/store.ts';

/** What is made durable in one go. */
export interface CommittedGroup extends GroupContent {
  readonly changes: readonly Change[];
}

export const emptyGroup: CommittedGroup = { writes: [], settledLeases: [], changes: [] };

export interface WriterTarget {
  readonly engine: Engine;
  /** Undefined where none could be made: then every group is a transaction. */
  readonly journal: Journal | undefined;
  snapshot(): Snapshot;
  /** Of the last write that was published. */
  revision(): Revision;
  /** LMDB has something new. */
  renewSnapshot(): void;
  /** A transaction failed, or so it seems: find out what the disk says. */
  recover(): void;
  readonly failpoint: (point: Failpoint) => void | Promise<void>;
}

/** Where tests may stop or kill the process. Throwing before the commit stands for a disk that refuses it. */
export type Failpoint = 'before-commit' | 'after-commit' | 'after-publish' | 'before-takeover' | 'after-takeover' | 'before-sweep' | 'after-sweep';

export class GroupWriter {
  readonly #target: WriterTarget;
  readonly #onLateFailure: (error: unknown) => void;
  readonly #room = new RecordRoom();
  /** What the journal has and LMDB has not. */
  readonly unapplied = new Unapplied();
  /** The last revision of the epoch that LMDB is taking over. */
  #closedUpTo: Revision = 0;
  /** Never rejects. */
  #takingOver: Promise<void> | undefined;

  /** `onLateFailure` hears when LMDB could not take over what is durable in the journal; it is tried again. */
  constructor(target: WriterTarget, onLateFailure: (error: unknown) => void) {
    this.#target = target;
    this.#onLateFailure = onLateFailure;
  }

  /** Something may stand in the journal that LMDB has not. */
  get isAhead(): boolean {
    const { journal } = this.#target;
    return journal !== undefined && (journal.closed !== undefined || !journal.isEmpty);
  }

  /** Resolves when it is durable, with what makes it readable. */
  async write(doChore: ((transaction: Transaction) => void) | undefined, group: CommittedGroup): Promise<() => void> {
    if (doChore === undefined && (await this.#writeToJournal(group))) return () => this.unapplied.add(group.changes);
    await this.#writeToEngine(doChore, group);
    return () => this.#showEngine();
  }

  /** After a failure: what was written may stand in the journal or not, or LMDB may have it. */
  recover(): void {
    this.#room.abandon();
    this.#target.journal?.doubt();
    this.#target.recover();
    if (this.#hasClosed()) this.#forgetClosed();
  }

  /** LMDB is told that it has everything: then nothing depends on the journal. Undefined when it knows. */
  restingMark(): ((transaction: Transaction) => void) | undefined {
    const { journal } = this.#target;
    if (journal === undefined || journal.isResting) return undefined;
    return (transaction) => putMark(transaction, { id: journal.id, settled: journal.epoch - 1, state: 'resting' });
  }

  /** False when the group should rather go to LMDB. */
  async #writeToJournal(group: CommittedGroup): Promise<boolean> {
    const { journal } = this.#target;
    if (journal === undefined || group.changes.length === 0) return false;
    const length = lengthOfGroup(group);
    if (!journal.takes(length)) return false;
    if (!journal.hasRoom(length)) await this.#beginEpoch(journal);
    encodeGroup(group, journal.room(length));
    await journal.append(length, this.#target.revision());
    return true;
  }

  async #beginEpoch(journal: Journal): Promise<void> {
    await this.#takingOver;
    if (journal.closed) await this.#settleClosed(journal);
    await this.#closeEpoch(journal);
    this.#takingOver = this.#settleClosed(journal).catch((error: unknown) => {
      this.#target.recover();
      if (this.#hasClosed()) this.#forgetClosed();
      else this.#onLateFailure(error);
    });
  }

  async #closeEpoch(journal: Journal): Promise<void> {
    this.#closedUpTo = this.unapplied.lastRevision;
    await journal.closeEpoch();
  }

  async #settleClosed(journal: Journal): Promise<void> {
    const { engine, failpoint } = this.#target;
    await failpoint('before-takeover');
    await engine.commit((transaction) => applyClosed(journal, transaction));
    await failpoint('after-takeover');
    this.#showEngine();
  }

  /** With everything that stands in the journal. */
  async #writeToEngine(doChore: ((transaction: Transaction) => void) | undefined, group: CommittedGroup): Promise<void> {
    const { engine, journal } = this.#target;
    await this.#takingOver;
    if (journal?.closed && !journal.isEmpty) await this.#settleClosed(journal);
    if (journal?.isEmpty === false) await this.#closeEpoch(journal);
    const content = this.#room.take(lengthOfGroup(group));
    encodeGroup(group, content);
    await engine.commit((transaction) => {
      if (journal?.closed || journal?.isResting) applyClosed(journal, transaction);
      doChore?.(transaction);
      applyGroup(content, transaction);
    });
    this.#room.reuse();
  }

  /** LMDB has what it was given, and the epoch that was closed. */
  #showEngine(): void {
    this.#target.renewSnapshot();
    this.#forgetClosed();
  }

  #forgetClosed(): void {
    this.unapplied.forgetUpTo(this.#closedUpTo);
    this.#target.journal?.forgetClosed();
  }

  /** LMDB may have got it by a transaction that seemed to fail. */
  #hasClosed(): boolean {
    const { journal, snapshot } = this.#target;
    const settled = readMark(snapshot().meta('journal'))?.settled ?? 0;
    return journal?.closed !== undefined && settled >= journal.closed.epoch;
  }
}
