// The process that is killed: concurrent writers, a watcher and a compaction, until the end comes.
// Arguments: directory, file for the journal, seed, and optionally "failpoint@n@turns": die there at the n-th pass, some turns later.
import { openSync, writeSync } from 'node:fs';
import { openEmbeddedStore } from '#store/embedded/open-embedded-store.ts';
import { rangeOf, type Store } from '#store/store.ts';
import { nextTurn } from '#base/next-turn.ts';
import { encodeValue, type JournalLine } from './crash-journal.ts';
import { randomFrom } from '../support/random.mjs';

const KEYS = 40;
const WRITERS = 24;
const everything = rangeOf('/registry/');

type Tell = (line: JournalLine) => void;

async function main(directory: string, journal: string, seed: number, deadline: string | undefined): Promise<void> {
  const tell = journalIn(journal);
  const store = await openEmbeddedStore(directory, { failpoint: dieAt(deadline) });
  process.stdout.write('ready\n');
  const work = Array.from({ length: WRITERS }, (_, i) => writeOn(store, tell, `${seed}.${i}`, seed * 1000 + i));
  await Promise.all([watchOn(store, tell), compactOn(store, tell, seed), ...work]);
}

/** What a process has written to a file stays there when it is killed. */
function journalIn(path: string): Tell {
  const journal = openSync(path, 'a');
  return (line) => void writeSync(journal, `${JSON.stringify(line)}\n`);
}

/** Holding the store there for some turns first lets everybody else act on what they were told too early, if they were. */
function dieAt(deadline: string | undefined): (point: string) => Promise<void> {
  const [name, passes, turns] = (deadline ?? '').split('@');
  let left = Number(passes);
  return async (point) => {
    if (point !== name || --left !== 0) return;
    for (let i = 0; i < Number(turns); i++) await nextTurn();
    process.kill(process.pid, 'SIGKILL');
  };
}

async function writeOn(store: Store, tell: Tell, writer: string, seed: number): Promise<void> {
  const random = randomFrom(seed);
  for (let sequence = 0; ; sequence++) {
    const key = `/registry/pods/default/p${Math.floor(random() * KEYS)}`;
    const current = await store.get(key);
    const stamp = current !== undefined && random() < 0.2 ? undefined : { key, writer, sequence, expires: random() < 0.2 };
    const value = stamp && encodeValue(stamp, Math.floor(random() ** 4 * 20_000));
    tell({ event: 'trying', key, ...(stamp && { stamp }) });
    const result = await store.compareAndSet(key, current?.revision ?? 0, value, stamp?.expires ? { ttlSeconds: 1e6 } : {});
    if (result.committed) tell({ event: 'written', key, revision: result.revision, ...(stamp && { stamp }) });
  }
}

async function watchOn(store: Store, tell: Tell): Promise<void> {
  for await (const { changes } of store.watch(everything, await store.revision(), new AbortController().signal)) {
    for (const { revision } of changes) tell({ event: 'watched', revision });
  }
}

/** Every third life compacts nothing: only then the journal fills, and LMDB takes it over while writers go on. */
async function compactOn(store: Store, tell: Tell, seed: number): Promise<void> {
  const random = randomFrom(seed);
  while (seed % 3 !== 0) {
    const revision = await store.revision();
    await new Promise((resolve) => setTimeout(resolve, random() * 60));
    tell({ event: 'compacting', before: revision });
    await store.compact(revision);
  }
}

const [directory = '', journal = '', seed = '0', deadline] = process.argv.slice(2);
await main(directory, journal, Number(seed), deadline);
