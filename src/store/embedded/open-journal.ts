// Finds out whether the journal and LMDB belong together, and what the journal has that LMDB has not. Where they do not agree, writes that were
// acknowledged are missing in one of them: the store is not opened, because going on would lose them and give their revisions out again.
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { dataFile } from '#store/embedded/engine.ts';
import { lastRevisionIn } from '#store/embedded/group-entries.ts';
import { Journal, type JournalStart, makeJournal, readJournalFile } from '#store/embedded/journal.ts';
import { EpochReader, type JournalHeader, type JournalRecord, readHeader } from '#store/embedded/journal-layout.ts';
import type { JournalMark } from '#store/embedded/journal-mark.ts';
import { StoreOpenError } from '#store/embedded/open-error.ts';
import type { Revision } from '#store/store.ts';
import { messageOf } from '#base/message-of.ts';

export interface JournalPlace {
  readonly directory: string;
  /** Undefined: LMDB knows of none. */
  readonly mark: JournalMark | undefined;
  /** As LMDB says; undefined when it is new. */
  readonly format: string | undefined;
  /** The last revision that LMDB has. */
  readonly lastRevision: Revision;
  /** Of a store that has none yet. */
  readonly newId: () => Buffer;
}

export function journalFile(directory: string): string {
  return join(directory, 'writes.journal');
}

/** A file that the operator makes to go on without a journal that cannot be used. */
export function giveUpFile(directory: string): string {
  return join(directory, 'writes.journal.give-up');
}

/** Undefined where none can be made: the store works without it. */
export function openJournal(place: JournalPlace): Journal | undefined {
  const { directory, mark } = place;
  const path = journalFile(directory);
  if (mark?.state === 'in use') return refusing(place, path, () => openInUse(place, path, mark));
  const isThere = existsSync(path) && statSync(path).isFile();
  const isUsable = isThere && refusing(place, path, () => isUsableAfterRest(place, path));
  const id = mark?.id ?? place.newId();
  const epoch = (mark?.settled ?? 0) + 1;
  try {
    if (!isUsable) makeJournal(path, id, epoch);
    return new Journal(path, { id, epoch, records: [], blocks: 0, isResting: true });
  } catch {
    return undefined;
  }
}

function openInUse(place: JournalPlace, path: string, mark: JournalMark): Journal {
  return new Journal(path, readInUse(readJournalFile(path), mark, place));
}

/** Throws when the file does not hold everything that LMDB has not. */
export function readInUse(
  file: Buffer,
  { id, settled }: JournalMark,
  { directory, lastRevision }: Pick<JournalPlace, 'directory' | 'lastRevision'>,
): JournalStart {
  const header = readHeader(file);
  refuseOther(header, id);
  const { epoch, blocksBefore } = header;
  if (epoch <= settled) throw new Error(`it is older than ${dataFile(directory)}`);
  if (epoch > settled + 2) throw new Error(`${dataFile(directory)} is older than it`);
  const closed = epoch === settled + 2 ? new EpochReader(file, id, epoch - 1).readClosed(blocksBefore) : undefined;
  const { records, blocks } = new EpochReader(file, id, epoch).readOpen();
  refuseGaps([...(closed ?? []), ...records], lastRevision, dataFile(directory));
  const contents = closed?.map(({ content }) => content);
  return { id, epoch, records, blocks, closed: contents && { epoch: epoch - 1, contents }, isResting: false };
}

/** LMDB has everything that it knows of. Throws when a journal is there that may hold more; false when another has to be made. */
function isUsableAfterRest({ directory, mark, format }: JournalPlace, path: string): boolean {
  const found = journalIn(path);
  if (mark === undefined) {
    // One that was made when the process died, before LMDB knew of it.
    const isUnused = found?.header.epoch === 1 && !holdsRecords(found);
    if (!isUnused && !(found === undefined && format === '2'))
      throw new Error(`${dataFile(directory)} does not know it: it is of another store, or that file was replaced`);
    return false;
  }
  if (found === undefined) return false;
  const { header } = found;
  refuseOther(header, mark.id);
  if (header.epoch > mark.settled + 1 || (header.epoch === mark.settled + 1 && holdsRecords(found))) throw new Error(`${dataFile(directory)} is older than it`);
  return header.epoch === mark.settled + 1;
}

interface FoundJournal {
  readonly file: Buffer;
  readonly header: JournalHeader;
}

/** Undefined when the file is no whole journal. */
function journalIn(path: string): FoundJournal | undefined {
  try {
    const file = readJournalFile(path);
    return { file, header: readHeader(file) };
  } catch {
    return undefined;
  }
}

function holdsRecords({ file, header }: FoundJournal): boolean {
  return new EpochReader(file, header.id, header.epoch).readOpen().blocks > 0;
}

function refuseOther({ id }: JournalHeader, expected: Buffer): void {
  if (!id.equals(expected)) throw new Error('it is the journal of another store');
}

/** Each group follows the last revision before it: in LMDB, or in the group before. */
function refuseGaps(records: readonly JournalRecord[], lastRevision: Revision, data: string): void {
  let last = lastRevision;
  for (const { base, content } of records) {
    if (base !== last) throw new Error(`it goes on after revision ${base}, but ${data} and what stands before end with ${last}: one of the two files is older`);
    last = lastRevisionIn(content);
  }
}

function refusing<T>({ directory }: JournalPlace, path: string, open: () => T): T {
  try {
    return open();
  } catch (error) {
    throw new StoreOpenError(path, `${whyClosed(error)}. ${adviceIn(directory)}`);
  }
}

function whyClosed(error: unknown): string {
  return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'it is missing, and held writes that are nowhere else' : messageOf(error);
}

export function adviceIn(directory: string): string {
  return `Restore the whole directory ${directory} from one backup; or, to give up the last writes before the server ended, make the file ${giveUpFile(directory)} and start again`;
}
