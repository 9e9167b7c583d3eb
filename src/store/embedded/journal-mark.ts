// What LMDB knows of the journal, so that a journal which is missing, older, or of another store is not taken for an empty one.
import type { Transaction } from '#store/embedded/engine.ts';
import { ID_LENGTH } from '#store/embedded/journal-layout.ts';
import { readNumber, writeNumber } from '#store/embedded/records.ts';

export interface JournalMark {
  /** Of the store; the journal bears it too. */
  readonly id: Buffer;
  /** The last epoch that LMDB has. */
  readonly settled: number;
  /** 'resting': LMDB has everything, and will be told before the journal is written again. */
  readonly state: 'in use' | 'resting';
}

const NAME = Buffer.from('journal');
const IN_USE = 1;

/** Of formats before 3 it is the settled epoch alone. */
export function readMark(bytes: Buffer | undefined): JournalMark | undefined {
  if (bytes === undefined || bytes.length <= ID_LENGTH) return undefined;
  return {
    id: Buffer.from(bytes.subarray(0, ID_LENGTH)),
    settled: readNumber(bytes, ID_LENGTH),
    state: bytes[ID_LENGTH + 8] === IN_USE ? 'in use' : 'resting',
  };
}

export function putMark(transaction: Transaction, { id, settled, state }: JournalMark): void {
  const bytes = Buffer.alloc(ID_LENGTH + 9);
  id.copy(bytes);
  writeNumber(bytes, settled, ID_LENGTH);
  if (state === 'in use') bytes[ID_LENGTH + 8] = IN_USE;
  transaction.put('meta', NAME, bytes);
}

export function removeMark(transaction: Transaction): void {
  transaction.remove('meta', NAME);
}
