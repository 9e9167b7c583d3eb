// Kills a writing server again and again, at random moments and at named points, and checks what is left each time.
// npx tsx test/fault/store-crash.ts --rounds 200 [--seed 1] [--compacting: every kill during a compaction]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openEmbeddedStore } from '#store/embedded/open-embedded-store.ts';
import type { JournalLine } from './crash-journal.ts';
import { expiringKeys, Ledger } from './crash-ledger.ts';
import { randomFrom } from '../support/random.mjs';

const POINTS = ['before-commit', 'after-commit', 'after-publish', 'before-takeover', 'after-takeover', 'before-sweep', 'after-sweep'];
const compactionPoints = POINTS.slice(-2);
/** A directory goes on for some rounds, then a new one begins. */
const ROUNDS_PER_DIRECTORY = 10;
const FAR_FUTURE = { now: () => new Date(Date.now() + 1e7 * 1000) };

interface Run {
  readonly rounds: number;
  readonly seed: number;
  readonly compacting: boolean;
}

interface Round {
  readonly directory: string;
  readonly ledger: Ledger;
  readonly seed: number;
  readonly deadline: string;
}

async function main({ rounds, seed, compacting }: Run): Promise<void> {
  let acknowledged = 0;
  for (let first = 0; first < rounds; first += ROUNDS_PER_DIRECTORY) {
    acknowledged += await liveAndDie({ seed: seed + first, rounds: Math.min(ROUNDS_PER_DIRECTORY, rounds - first), compacting });
  }
  console.log(`${rounds} kills survived: ${acknowledged} acknowledged writes, none lost, no revision reused, no watch with gaps`);
  if (acknowledged < rounds) throw new Error('hardly anything was written: this run has shown nothing');
}

async function liveAndDie({ seed, rounds, compacting }: Run): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), 'binnacle-crash-'));
  const ledger = new Ledger();
  for (let i = 0; i < rounds; i++) {
    // Lives with a seed that three divides compact nothing.
    const life = compacting ? 3 * (seed + i) + 1 : seed + i;
    const random = randomFrom(life);
    const deadline = compacting ? namedPoint(random, compactionPoints, 6) : random() < 0.5 ? '' : namedPoint(random, POINTS, 40);
    await runRound({ directory, ledger, seed: life, deadline }, random).catch((error) => {
      throw new Error(`seed ${seed + i} (first of its directory: ${seed}), killed at ${deadline || 'random'}, data kept in ${directory}`, { cause: error });
    });
  }
  await checkLeases(directory);
  rmSync(directory, { recursive: true });
  return ledger.acknowledged;
}

function namedPoint(random: () => number, points: readonly string[], mostPasses: number): string {
  const pass = 1 + Math.floor(random() * mostPasses);
  return `${points[Math.floor(random() * points.length)]}@${pass}@${random() < 0.5 ? 0 : 3}`;
}

async function runRound(round: Round, random: () => number): Promise<void> {
  const watched = await writeUntilKilled(round, 20 + random() * 400);
  const store = await openEmbeddedStore(round.directory);
  try {
    await round.ledger.check(store, watched, random);
  } finally {
    await store.close();
  }
}

/** Returns the last revision that a watcher in the killed process saw. */
async function writeUntilKilled({ directory, ledger, seed, deadline }: Round, delay: number): Promise<number> {
  const journal = join(directory, 'journal');
  rmSync(journal, { force: true });
  const program = fileURLToPath(new URL('crash-writer.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', program, directory, journal, `${seed}`, deadline], { stdio: ['ignore', 'pipe', 'inherit'] });
  // One that is to die at a named point gets a while to come there.
  child.stdout.once('data', () => setTimeout(() => child.kill('SIGKILL'), deadline === '' ? delay : 1500));
  const [, signal] = await once(child, 'close');
  if (signal !== 'SIGKILL') throw new Error('the writer ended by itself');
  const lines = readJournal(journal);
  for (const line of lines) ledger.note(line);
  return lines.findLast((line) => line.event === 'watched')?.revision ?? 0;
}

/** The last line may be cut off. */
function readJournal(path: string): JournalLine[] {
  const lines = readFileSync(path, 'utf8').split('\n');
  lines.pop();
  return lines.map((line) => JSON.parse(line) as JournalLine);
}

async function checkLeases(directory: string): Promise<void> {
  const store = await openEmbeddedStore(directory, { clock: FAR_FUTURE });
  try {
    const { lasting } = await expiringKeys(store);
    await store.expireDue();
    const left = await expiringKeys(store);
    if (left.expiring.length > 0 || left.lasting.length !== lasting.length) throw new Error('deadlines were lost, or hit the wrong keys');
  } finally {
    await store.close();
  }
}

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '20' }, seed: { type: 'string', default: '1' }, compacting: { type: 'boolean', default: false } },
});
await main({ rounds: Number(values.rounds), seed: Number(values.seed), compacting: values.compacting });
