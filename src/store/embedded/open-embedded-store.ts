// Opening a data directory: check the file, load LMDB, make sure that no other server is here, that we know the format and that the journal
// belongs to it.
import { randomBytes } from 'node:crypto';
import { accessSync, constants, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Clock, systemClock } from '#base/clock.ts';
import { systemTimers, type Timers } from '#base/timers.ts';
import { settleJournal } from '#store/embedded/apply-journal.ts';
import { putCompacted } from '#store/embedded/compaction.ts';
import { refuseDamaged } from '#store/embedded/data-file.ts';
import { claimDirectory } from '#store/embedded/directory-claim.ts';
import { EmbeddedStore } from '#store/embedded/embedded-store.ts';
import { dataFile, type Engine, openEngine } from '#store/embedded/engine.ts';
import { applyGroup } from '#store/embedded/group-entries.ts';
import type { Failpoint } from '#store/embedded/group-writer.ts';
import type { Journal } from '#store/embedded/journal.ts';
import { ID_LENGTH } from '#store/embedded/journal-layout.ts';
import { putMark, readMark, removeMark } from '#store/embedded/journal-mark.ts';
import { readJournalOfFormat2 } from '#store/embedded/journal-of-format-2.ts';
import { lastRevision } from '#store/embedded/last-revision.ts';
import { StoreOpenError } from '#store/embedded/open-error.ts';
import { adviceIn, giveUpFile, journalFile, openJournal } from '#store/embedded/open-journal.ts';
import { FORMAT, readRevisionKey, revisionKey } from '#store/embedded/records.ts';
import { copyOfUsed, identityOf, isMostlyFree, refuseWhileShrinking } from '#store/embedded/shrink-data-file.ts';
import type { Snapshot } from '#store/embedded/snapshot.ts';
import { syncDirectory } from '#store/embedded/sync-directory.ts';
import type { ExpiringStore } from '#store/expiry.ts';

export interface EmbeddedStoreOptions {
  readonly clock?: Clock;
  readonly timers?: Timers;
  /** Forgets all history and leaves no byte of what is not stored any more: in the data file, its free pages, or the journal. */
  readonly rewrite?: boolean;
  /** For fault tests. */
  readonly failpoint?: (point: Failpoint) => void | Promise<void>;
}

/** How many revisions a journal can have held, and more. */
const REVISIONS_GIVEN_UP = 1_000_000;

export async function openEmbeddedStore(directory: string, options: EmbeddedStoreOptions = {}): Promise<ExpiringStore> {
  const { clock = systemClock, timers = systemTimers, failpoint = () => undefined } = options;
  const isFresh = prepareDirectory(directory);
  const rewrite = options.rewrite === true && !isFresh;
  if (rewrite) await forgetHistory(directory, options);
  const claim = await claimData(directory, clock, rewrite);
  try {
    if (rewrite) removeJournal(claim.engine);
    if (isFresh) syncDirectory(directory);
    const journal = await settle(claim.engine);
    const store = new EmbeddedStore({ engine: claim.engine, journal, clock, timers, failpoint, release: claim.release });
    claim.presence.release();
    return store;
  } catch (error) {
    await letGo(claim);
    throw error;
  }
}

/** Everything that is stored is in LMDB then, and LMDB knows that the journal holds nothing else. */
async function forgetHistory(directory: string, options: EmbeddedStoreOptions): Promise<void> {
  const store = await openEmbeddedStore(directory, { ...options, rewrite: false });
  try {
    await store.compact(await store.revision());
  } finally {
    await store.close();
  }
}

/** Its blocks are used again and again: those of earlier epochs are still there. */
function removeJournal(engine: Engine): void {
  const { directory } = engine;
  const mark = readMark(metaIn(engine, 'journal'));
  if (mark !== undefined && mark.state !== 'resting')
    throw new StoreOpenError(journalFile(directory), 'it could not be settled before the store was to be rewritten');
  rmSync(journalFile(directory), { force: true });
}

interface Claim {
  readonly engine: Engine;
  /** Tells other processes that the directory is taken, until the store does so itself. */
  readonly presence: Snapshot;
  /** Gives the directory back. */
  readonly release: () => void;
}

async function claimData(directory: string, clock: Clock, rewrite: boolean): Promise<Claim> {
  const opened = identityOf(dataFile(directory));
  const claim = await claimOnce(directory, clock);
  try {
    await refuseWhileShrinking(directory, opened);
  } catch (error) {
    await letGo(claim);
    throw error;
  }
  const smaller = rewrite || isMostlyFree(claim.engine) ? await copyOfUsed(claim.engine) : undefined;
  if (smaller === undefined && rewrite) {
    await letGo(claim);
    throw new StoreOpenError(dataFile(directory), 'it is to be rewritten, but there is no room for a copy of what it holds');
  }
  if (smaller === undefined) return claim;
  try {
    await letGo(claim);
    smaller.putInPlace();
    return await claimOnce(directory, clock);
  } finally {
    await smaller.release();
  }
}

async function claimOnce(directory: string, clock: Clock): Promise<Claim> {
  const engine = await openEngine(directory);
  const presence = engine.snapshot();
  try {
    return { engine, presence, release: claimDirectory(engine, clock) };
  } catch (error) {
    presence.release();
    await engine.close();
    throw error;
  }
}

async function letGo({ engine, presence }: Claim): Promise<void> {
  presence.release();
  await engine.close();
}

/** Returns whether the data file will be made here. */
function prepareDirectory(directory: string): boolean {
  const file = dataFile(directory);
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    for (const path of [directory, file, join(directory, 'lock.mdb'), journalFile(directory)]) refuseUnwritable(path);
    if (existsSync(file)) refuseDamaged(file);
    return !existsSync(file);
  } catch (error) {
    throw new StoreOpenError(file, error);
  }
}

/** LMDB does not survive all of its own failures to open. */
function refuseUnwritable(path: string): void {
  if (existsSync(path)) accessSync(path, constants.R_OK | constants.W_OK);
}

/** Brings LMDB to the format of today and to the last write that was acknowledged. */
async function settle(engine: Engine): Promise<Journal | undefined> {
  const { directory } = engine;
  const format = metaIn(engine, 'format')?.toString();
  if (format !== undefined && !['1', '2', `${FORMAT}`].includes(format))
    throw new StoreOpenError(dataFile(directory), `it has format ${format}, this server knows format ${FORMAT}`);
  if (existsSync(giveUpFile(directory))) await giveUpJournal(engine);
  else if (format === '2') await settleFormat2(engine);
  const mark = readMark(metaIn(engine, 'journal'));
  const journal = openJournal({ directory, mark, format, lastRevision: engine.read(lastRevision), newId: () => randomBytes(ID_LENGTH) });
  if (journal) await settleJournal(engine, journal);
  if (format !== `${FORMAT}`) {
    await engine.commit((transaction) => {
      transaction.put('meta', Buffer.from('format'), Buffer.from(`${FORMAT}`));
      if (journal) putMark(transaction, { id: journal.id, settled: journal.epoch - 1, state: 'resting' });
    });
  }
  return journal;
}

/** Until the format is that of today, this may be done again: the journal of format 2 then holds nothing that LMDB does not have. */
async function settleFormat2(engine: Engine): Promise<void> {
  const path = journalFile(engine.directory);
  const settled = settledInFormat2(engine);
  if (!existsSync(path) && settled === 0) return;
  try {
    const left = readJournalOfFormat2(path, settled);
    if (left === undefined) return;
    await engine.commit((transaction) => {
      for (const content of left.contents) applyGroup(content, transaction);
      transaction.put('meta', Buffer.from('journal'), revisionKey(left.epoch));
    });
  } catch (error) {
    throw new StoreOpenError(path, `${error instanceof Error ? error.message : String(error)}. ${adviceIn(engine.directory)}`);
  }
}

function metaIn(engine: Engine, name: string): Buffer | undefined {
  return engine.read((snapshot) => snapshot.meta(name));
}

function settledInFormat2(engine: Engine): number {
  const bytes = metaIn(engine, 'journal');
  return bytes === undefined ? 0 : readRevisionKey(bytes);
}

/** The operator has asked for it. What the journal held may have been seen: its revisions are never given out again, and who knows them starts anew. */
async function giveUpJournal(engine: Engine): Promise<void> {
  const { directory } = engine;
  const path = journalFile(directory);
  if (existsSync(path)) renameSync(path, `${path}.given-up`);
  const last = engine.read(lastRevision);
  await engine.commit((transaction) => {
    removeMark(transaction);
    putCompacted(transaction, last + REVISIONS_GIVEN_UP);
  });
  rmSync(giveUpFile(directory));
  syncDirectory(directory);
}
