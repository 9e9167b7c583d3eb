// How LMDB gets what stands in the journal, and knows that it has it: both in one transaction.
import type { Engine, Transaction } from '#store/embedded/engine.ts';
import { applyGroup } from '#store/embedded/group-entries.ts';
import type { Journal } from '#store/embedded/journal.ts';
import { putMark } from '#store/embedded/journal-mark.ts';

/** The epoch that was closed. Its contents have to stay as they are until the transaction is over. */
export function applyClosed(journal: Journal, transaction: Transaction): void {
  const { closed, id, epoch } = journal;
  for (const content of closed?.contents ?? []) applyGroup(content, transaction);
  putMark(transaction, { id, settled: epoch - 1, state: 'in use' });
}

/** Brings everything to LMDB. */
export async function settleJournal(engine: Engine, journal: Journal): Promise<void> {
  if (journal.closed) await settleClosed(engine, journal);
  if (journal.isEmpty) return;
  await journal.closeEpoch();
  await settleClosed(engine, journal);
}

async function settleClosed(engine: Engine, journal: Journal): Promise<void> {
  await engine.commit((transaction) => applyClosed(journal, transaction));
  journal.forgetClosed();
}
