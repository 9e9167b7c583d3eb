// LMDB reuses the pages that compaction frees, but never gives them back: a file that has once grown stays so. At the start, one that is mostly
// free is replaced by a copy of what is used. Another server that starts meanwhile must not go on with the old file: while the directory is not
// claimed, a second, tiny LMDB beside it is, in `shrinking/`.
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DirectoryInUseError } from '#store/embedded/directory-claim.ts';
import { dataFile, type Engine, openEngine } from '#store/embedded/engine.ts';
import { syncDirectory } from '#store/embedded/sync-directory.ts';

/** Smaller files are not worth the time of a start. */
const SMALLEST_BYTES = 32 << 20;
/** How much of a file has to be free. */
const FREE_SHARE = 0.5;

/** Tells one data file from another of the same name. */
export function identityOf(file: string): number {
  return existsSync(file) ? statSync(file).ino : 0;
}

/** Call when the directory is claimed. `opened`: the file that there was before it was. */
export async function refuseWhileShrinking(directory: string, opened: number): Promise<void> {
  const place = shrinkingIn(directory);
  if (existsSync(place)) {
    const guard = await claimGuard(directory);
    await guard.release();
  }
  if (opened !== 0 && opened !== identityOf(dataFile(directory))) throw inUse(directory);
}

export function isMostlyFree(engine: Engine): boolean {
  const { size } = statSync(engine.file);
  return size >= SMALLEST_BYTES && engine.usedBytes() < size * (1 - FREE_SHARE);
}

export interface SmallerFile {
  /** Call when this process has closed the data file. */
  putInPlace(): void;
  /** Call when the directory is claimed again. */
  release(): Promise<void>;
}

/** Undefined where there is no room for it: the store works as it is. */
export async function copyOfUsed(engine: Engine): Promise<SmallerFile | undefined> {
  const { directory } = engine;
  const guard = await claimGuard(directory);
  const copy = join(shrinkingIn(directory), 'copy');
  try {
    mkdirSync(copy, { mode: 0o700 });
    await engine.copyTo(copy);
    flush(dataFile(copy));
  } catch {
    await guard.release();
    return undefined;
  }
  const putInPlace = () => {
    renameSync(dataFile(copy), dataFile(directory));
    syncDirectory(directory);
  };
  return { putInPlace, release: guard.release };
}

/** What a server that was killed left is removed. */
async function claimGuard(directory: string): Promise<{ release(): Promise<void> }> {
  const place = shrinkingIn(directory);
  mkdirSync(place, { recursive: true, mode: 0o700 });
  const guard = await openEngine(place);
  const presence = guard.snapshot();
  const isTaken = guard.readers().length > 1;
  const release = async () => {
    presence.release();
    await guard.close();
    if (!isTaken) rmSync(place, { recursive: true, force: true });
  };
  if (isTaken) {
    await release();
    throw inUse(directory);
  }
  rmSync(join(place, 'copy'), { recursive: true, force: true });
  return { release };
}

function shrinkingIn(directory: string): string {
  return join(directory, 'shrinking');
}

function flush(file: string): void {
  const descriptor = openSync(file, 'r+');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function inUse(directory: string): Error {
  return new DirectoryInUseError(`the data directory ${directory} is in use by another server, which is making its data file smaller`);
}
