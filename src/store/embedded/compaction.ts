// Forgetting history: first the line is drawn, durably, then what lies before it is removed in small transactions.
import type { Transaction } from '#store/embedded/engine.ts';
import type { GroupCommit } from '#store/embedded/group-commit.ts';
import type { Failpoint } from '#store/embedded/group-writer.ts';
import { readRevisionKey, revisionKey } from '#store/embedded/records.ts';
import type { Snapshot } from '#store/embedded/snapshot.ts';
import type { Revision } from '#store/store.ts';

const COMPACTED = 'compacted';
const SWEPT = 'swept';

interface Step {
  readonly reached: Revision;
  readonly remove: (transaction: Transaction) => void;
}

export class Compaction {
  readonly #commits: GroupCommit;
  readonly #failpoint: (point: Failpoint) => void | Promise<void>;
  #compactedAt: Revision;
  #swept: Revision;
  #sweeping: Promise<void> | undefined;
  #stopped = false;

  constructor(commits: GroupCommit, snapshot: Snapshot, failpoint: (point: Failpoint) => void | Promise<void>) {
    this.#commits = commits;
    this.#failpoint = failpoint;
    this.#compactedAt = compactedRevision(snapshot);
    this.#swept = numberIn(snapshot, SWEPT);
  }

  get compactedAt(): Revision {
    return this.#compactedAt;
  }

  async compact(before: Revision): Promise<void> {
    if (before > this.#compactedAt) {
      await this.#commits.transact(() => (transaction) => putCompacted(transaction, before));
      this.#compactedAt = Math.max(this.#compactedAt, before);
    }
    await this.sweep();
  }

  /** Also finishes what an earlier process began. */
  async sweep(): Promise<void> {
    if (this.#isSwept()) return;
    this.#sweeping ??= this.#sweepAll();
    await this.#sweeping;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#sweeping?.catch(() => undefined);
  }

  #isSwept(): boolean {
    return this.#swept >= this.#compactedAt || this.#stopped;
  }

  async #sweepAll(): Promise<void> {
    try {
      while (!this.#isSwept()) await this.#sweepOn();
    } finally {
      this.#sweeping = undefined;
    }
  }

  async #sweepOn(): Promise<void> {
    await this.#failpoint('before-sweep');
    let reached = this.#swept;
    await this.#commits.transact((snapshot, budget) => {
      const step = planStep(snapshot, { after: this.#swept, upTo: this.#compactedAt, budget });
      reached = step.reached;
      return step.remove;
    });
    this.#swept = reached;
    await this.#failpoint('after-sweep');
  }
}

export function putCompacted(transaction: Transaction, before: Revision): void {
  transaction.put('meta', Buffer.from(COMPACTED), revisionKey(before));
}

export function compactedRevision(snapshot: Snapshot): Revision {
  return numberIn(snapshot, COMPACTED);
}

/**
 * Each write up to the line makes the one before it (of the same key) superfluous, and a deletion itself as well.
 * What a later write superseded stays: it is the state at the line.
 */
function planStep(snapshot: Snapshot, { after, upTo, budget }: { after: Revision; upTo: Revision; budget: number }): Step {
  const superfluous: Revision[] = [];
  const gone: Buffer[] = [];
  let reached = upTo;
  let looked = 0;
  for (const { revision, before, key, value } of snapshot.log(after)) {
    if (revision > upTo) break;
    if (before > 0) superfluous.push(before);
    if (value === undefined) {
      superfluous.push(revision);
      const keyBytes = Buffer.from(key);
      if (snapshot.keyState(keyBytes)?.revision === revision) gone.push(keyBytes);
    }
    if (++looked < budget) continue;
    reached = revision;
    break;
  }
  return { reached, remove: (transaction) => removeAll(transaction, superfluous, gone, reached) };
}

function removeAll(transaction: Transaction, superfluous: readonly Revision[], gone: readonly Buffer[], reached: Revision): void {
  for (const revision of superfluous) transaction.remove('log', revisionKey(revision));
  for (const key of gone) transaction.remove('latest', key);
  transaction.put('meta', Buffer.from(SWEPT), revisionKey(reached));
}

function numberIn(snapshot: Snapshot, name: string): number {
  const bytes = snapshot.meta(name);
  return bytes === undefined ? 0 : readRevisionKey(bytes);
}
