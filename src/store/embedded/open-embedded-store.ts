// Opening a data directory: check the file, load LMDB, make sure that nobody else is here and that we know the format.
import { accessSync, closeSync, constants, existsSync, fsyncSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { type Clock, systemClock } from '#base/clock.ts';
import { refuseDamaged } from '#store/embedded/data-file.ts';
import { applyJournal, settledEpoch } from '#store/embedded/apply-journal.ts';
import { claimDirectory } from '#store/embedded/directory-claim.ts';
import { EmbeddedStore } from '#store/embedded/embedded-store.ts';
import { dataFile, type Engine, openEngine } from '#store/embedded/engine.ts';
import type { Failpoint } from '#store/embedded/group-commit.ts';
import { isJournal, Journal } from '#store/embedded/journal.ts';
import { StoreOpenError } from '#store/embedded/open-error.ts';
import { FORMAT, FORMAT_BEFORE } from '#store/embedded/records.ts';
import type { ExpiringStore } from '#store/expiry.ts';

export interface EmbeddedStoreOptions {
  readonly clock?: Clock;
  /** For fault tests. */
  readonly failpoint?: (point: Failpoint) => void | Promise<void>;
}

export async function openEmbeddedStore(directory: string, options: EmbeddedStoreOptions = {}): Promise<ExpiringStore> {
  const { clock = systemClock, failpoint = () => undefined } = options;
  const fresh = prepareDirectory(directory);
  const engine = await openEngine(directory);
  const presence = engine.snapshot();
  try {
    const release = claimDirectory(engine, clock);
    await settleFormat(engine);
    const journal = openJournal(directory, settledEpoch({ meta: (name) => engine.tables.meta.get(Buffer.from(name)) }));
    if (fresh) syncDirectory(directory);
    if (journal) await settleJournal(engine, journal);
    const store = new EmbeddedStore({ engine, journal, clock, failpoint, release });
    presence.release();
    return store;
  } catch (error) {
    presence.release();
    await engine.close();
    throw error;
  }
}

/** Returns whether files will be made here. */
function prepareDirectory(directory: string): boolean {
  const file = dataFile(directory);
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    for (const path of [directory, file, join(directory, 'lock.mdb'), journalFile(directory)]) refuseUnwritable(path);
    if (existsSync(file)) refuseDamaged(file);
    return !existsSync(file) || !isJournal(journalFile(directory));
  } catch (error) {
    throw new StoreOpenError(file, error);
  }
}

/** LMDB does not survive all of its own failures to open. */
function refuseUnwritable(path: string): void {
  if (existsSync(path)) accessSync(path, constants.R_OK | constants.W_OK);
}

async function settleFormat(engine: Engine): Promise<void> {
  const name = Buffer.from('format');
  const format = engine.tables.meta.get(name)?.toString();
  if (format === `${FORMAT}`) return;
  if (format !== undefined && format !== `${FORMAT_BEFORE}`)
    throw new StoreOpenError(dataFile(engine.directory), `it has format ${format}, this server knows format ${FORMAT}`);
  await engine.commit((transaction) => transaction.put('meta', name, Buffer.from(`${FORMAT}`)));
}

function journalFile(directory: string): string {
  return join(directory, 'writes.journal');
}

/** Undefined where there is no place for one: the store works without it. One that is there may hold what nobody else has. */
function openJournal(directory: string, settled: number): Journal | undefined {
  const path = journalFile(directory);
  const mustOpen = isJournal(path);
  try {
    return new Journal(path, settled);
  } catch (error) {
    if (mustOpen) throw new StoreOpenError(path, error);
    return undefined;
  }
}

/** What a process that was killed left for LMDB. */
async function settleJournal(engine: Engine, journal: Journal): Promise<void> {
  if (journal.isEmpty) return;
  await engine.commit((transaction) => applyJournal(journal, transaction));
  journal.rewind();
}

/** A new file survives a crash only if the directory that names it does. */
function syncDirectory(directory: string): void {
  const descriptor = openSync(directory, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
