// One server per data directory. The kernel keeps the truth: every server reads its data file all the time, LMDB lists
// the readers, and those of dead processes do not count. `owner.json` only puts a name to it, and may be out of date.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '#base/clock.ts';
import type { Engine } from '#store/embedded/engine.ts';

/** The directory belongs to another server that is running. */
export class DirectoryInUseError extends Error {
  override readonly name = 'DirectoryInUseError';
}

/** Call while this process holds exactly one snapshot of the engine. Returns what gives the directory back. */
export function claimDirectory(engine: Engine, clock: Clock): () => void {
  const file = join(engine.directory, 'owner.json');
  if (engine.readers().length > 1) throw new DirectoryInUseError(`the data directory ${engine.directory} is in use by ${ownerIn(file)}`);
  writeFileSync(file, `${JSON.stringify({ pid: process.pid, host: hostname(), since: clock.now().toISOString() })}\n`);
  return () => rmSync(file, { force: true });
}

function ownerIn(file: string): string {
  try {
    const { pid, host, since } = JSON.parse(readFileSync(file, 'utf8'));
    return `another server: process ${pid} on ${host}, since ${since}`;
  } catch {
    return 'another process';
  }
}
