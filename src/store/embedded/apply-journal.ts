// How LMDB gets what stands in the journal, and knows that it has it: both in one transaction.
import type { Transaction } from '#store/embedded/engine.ts';
import { applyGroup } from '#store/embedded/group-entries.ts';
import type { Journal } from '#store/embedded/journal.ts';
import { readRevisionKey, revisionKey } from '#store/embedded/records.ts';

const NAME = 'journal';

/** The records of the journal have to stay as they are until the transaction is over. */
export function applyJournal(journal: Journal, transaction: Transaction): void {
  if (journal.isEmpty) return;
  for (const record of journal.records()) applyGroup(record, transaction);
  transaction.put('meta', Buffer.from(NAME), revisionKey(journal.epoch));
}

/** The last epoch that LMDB has, or has called void. */
export function settledEpoch(snapshot: { meta(name: string): Buffer | undefined }): number {
  const bytes = snapshot.meta(NAME);
  return bytes === undefined ? 0 : readRevisionKey(bytes);
}
