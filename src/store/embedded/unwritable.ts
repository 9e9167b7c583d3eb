// Turns a failed commit into an error that says what is wrong with the disk.
import { statfsSync } from 'node:fs';
import { StoreUnwritableError } from '#store/store.ts';
import { messageOf } from '#base/message-of.ts';

/** LMDB reports a short write as an I/O error, so a full disk has to be recognised by its free space. */
const NEARLY_FULL_BYTES = 1 << 20;

export function unwritable(directory: string, cause: unknown): StoreUnwritableError {
  const reason = freeBytes(directory) < NEARLY_FULL_BYTES ? 'its disk is full' : messageOf(cause);
  return new StoreUnwritableError(`the store in ${directory} cannot be written: ${reason}`, { cause });
}

function freeBytes(directory: string): number {
  try {
    const { bavail, bsize } = statfsSync(directory);
    return bavail * bsize;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
