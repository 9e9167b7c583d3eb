// Why a store could not be opened, in words for the person who starts the server.

export class StoreOpenError extends Error {
  override readonly name = 'StoreOpenError';

  constructor(file: string, cause: unknown) {
    super(`cannot open the store ${file}: ${reasonOf(cause)}`, { cause });
  }
}

const REASONS: readonly (readonly [RegExp, string])[] = [
  [/EACCES|permission denied/i, 'permission denied'],
  [/EROFS|read-only file system/i, 'the file system is read-only'],
  [/ENOSPC|no space left/i, 'no space left on the device'],
  [/MDB_CORRUPTED|MDB_PAGE_NOTFOUND|MDB_PANIC/i, 'the file is damaged'],
];

function reasonOf(cause: unknown): string {
  const text = cause instanceof Error ? cause.message : String(cause);
  const known = REASONS.find(([pattern]) => pattern.test(text));
  return known === undefined ? text : `${known[1]} (${text})`;
}
