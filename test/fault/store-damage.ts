// Damages the files of a store that was killed, byte by byte, and opens it: it has every acknowledged write, or refuses and names the file.
// npx tsx test/fault/store-damage.ts [--every 1] [--seed 1]    (--every 50: one byte and one length in fifty)
import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openEmbeddedStore } from '#store/embedded/open-embedded-store.ts';
import { BLOCK, FILE_SIZE, placeOfRecord } from '#store/embedded/journal-layout.ts';
import { rangeOf } from '#store/store.ts';
import { randomFrom } from '../support/random.mjs';

/** Where flushing costs nothing. */
const MEMORY = '/dev/shm';
const FILES = ['data.mdb', 'writes.journal'];
const pods = rangeOf('/registry/pods/');
/** Records of the epoch that is being written when the process dies. */
const RECORDS = 6;

interface Killed {
  readonly directory: string;
  /** Acknowledged before it was killed. */
  readonly keys: readonly string[];
  readonly revision: number;
}

const tally = { opened: 0, refused: 0 };

async function main(every: number, seed: number): Promise<void> {
  const scratch = mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'binnacle-damage-'));
  const [early, late, other] = [killed(scratch, 'early'), killed(scratch, 'late', 'early'), killed(scratch, 'other')];
  const random = randomFrom(seed);
  const tried = join(scratch, 'tried');
  const damage = (what: string, change: (journal: string, data: string) => void) => openDamaged(late, tried, what, change);
  await damage('nothing', () => undefined);
  if (tally.opened !== 1) throw new Error('the store does not open although nothing is damaged: this run has shown nothing');
  const used = placeOfRecord(2, RECORDS + 1);
  for (let at = Math.floor(random() * every); at < used; at += every)
    await damage(`byte ${at} flipped`, (journal) => flip(journal, at, 1 << Math.floor(random() * 8)));
  for (let length = Math.floor(random() * every) * 64; length < FILE_SIZE; length += every * 64)
    await damage(`cut to ${length} bytes`, (journal) => truncateSync(journal, length));
  for (let at = 0; at < used; at += BLOCK) await damage(`block at ${at} lost`, (journal) => overwrite(journal, at, Buffer.alloc(BLOCK, 0xa5)));
  await damage('journal missing', (journal) => rmSync(journal));
  await damage('data file missing', (_, data) => rmSync(data));
  for (const [name, from] of [
    ['earlier', early],
    ['foreign', other],
  ] as const) {
    await damage(`${name} journal`, (journal) => copyFileSync(join(from.directory, 'writes.journal'), journal));
    await damage(`${name} data file`, (_, data) => copyFileSync(join(from.directory, 'data.mdb'), data));
  }
  rmSync(scratch, { recursive: true });
  console.log(
    `${tally.opened + tally.refused} damaged stores: ${tally.opened} opened with every acknowledged write, ${tally.refused} refused and named the file`,
  );
  if (tally.refused < 10) throw new Error('hardly anything was refused: this run has shown nothing');
}

/** A directory whose process was killed, with writes that only the journal has. `from`: another life of that directory. */
function killed(scratch: string, name: string, from?: string): Killed {
  const directory = join(scratch, name);
  if (from) cpSync(join(scratch, from), directory, { recursive: true });
  const { stdout, stderr, signal } = spawnSync(process.execPath, ['--import', 'tsx', fileURLToPath(import.meta.url), 'write', directory], { encoding: 'utf8' });
  if (signal !== 'SIGKILL') throw new Error(`the writer ended by itself: ${stderr}`);
  const { keys, revision } = JSON.parse(stdout);
  return { directory, keys, revision };
}

async function writeAndDie(directory: string): Promise<void> {
  const store = await openEmbeddedStore(directory);
  for (let i = 0; i < 20; i++) await store.compareAndSet(`${pods.start}${process.pid}-${i}`, 0, Buffer.alloc(3000, 'x'));
  // LMDB takes what stands in the journal, whose next epoch begins.
  await store.compact(2);
  for (let i = 0; i < RECORDS; i++) await store.compareAndSet(`${pods.start}${process.pid}-last-${i}`, 0, Buffer.alloc(i % 2 === 0 ? 10 : 3000, 'x'));
  const { entries, revision } = await store.list(pods);
  process.stdout.write(JSON.stringify({ keys: entries.map(({ key }) => key), revision }));
  process.kill(process.pid, 'SIGKILL');
}

async function openDamaged({ directory, keys, revision }: Killed, tried: string, what: string, change: (journal: string, data: string) => void): Promise<void> {
  mkdirSync(tried);
  for (const file of FILES) copyFileSync(join(directory, file), join(tried, file));
  const [data = '', journal = ''] = FILES.map((file) => join(tried, file));
  change(journal, data);
  const store = await openEmbeddedStore(tried).catch((error: Error) => {
    if (!error.message.includes(journal) && !error.message.includes(data)) throw new Error(`${what}: refused without naming the file`, { cause: error });
    tally.refused++;
  });
  if (store) {
    const found = new Set((await store.list(pods)).entries.map(({ key }) => key));
    const lost = keys.filter((key) => !found.has(key));
    if (lost.length > 0) throw new Error(`${what}: ${lost.length} acknowledged writes are lost`);
    if ((await store.revision()) < revision) throw new Error(`${what}: revisions after ${await store.revision()} would be given out again`);
    await store.close();
    tally.opened++;
  }
  rmSync(tried, { recursive: true });
}

function flip(path: string, at: number, mask: number): void {
  const file = readFileSync(path);
  file[at] = (file[at] ?? 0) ^ mask;
  writeFileSync(path, file);
}

function overwrite(path: string, at: number, bytes: Buffer): void {
  const file = readFileSync(path);
  bytes.copy(file, at);
  writeFileSync(path, file);
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { every: { type: 'string', default: '1' }, seed: { type: 'string', default: '1' } },
});
if (positionals[0] === 'write') await writeAndDie(positionals[1] ?? '');
else await main(Number(values.every), Number(values.seed));
