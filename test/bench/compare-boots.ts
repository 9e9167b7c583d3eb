// What a start costs, and what the server holds when it idles: compared between two builds, a new process each time.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startServer } from '../support/server-under-test.mjs';
import { cpuOfThreadsMs, memoryOf } from './server-processes.ts';

export interface BootCell {
  readonly name: string;
  readonly unit: string;
  /** One start of the build in this checkout, or of our own. */
  readonly read: (checkout: string | undefined, flags: readonly string[]) => Promise<number>;
}

type Server = Awaited<ReturnType<typeof startServer>>;

/** One directory of certificates and one of data for each build, made by its first start. */
const directories = new Map<string, string>();

export const bootCells: readonly BootCell[] = [
  { name: 'boot empty, CPU', unit: 'ms', read: (checkout, flags) => booted(checkout, ['--memory=true', ...flags], cpuOf) },
  { name: 'boot existing, CPU', unit: 'ms', read: (checkout, flags) => booted(checkout, ['--memory=false', ...flags], cpuOf) },
  { name: 'boot existing, time', unit: 'ms', read: (checkout, flags) => booted(checkout, ['--memory=false', ...flags], (_, tookMs) => tookMs) },
  { name: 'idle RSS', unit: 'MB', read: (checkout, flags) => booted(checkout, ['--memory=false', ...flags], idleMemory) },
];

async function booted(
  checkout: string | undefined,
  flags: readonly string[],
  read: (server: Server, tookMs: number) => number | Promise<number>,
): Promise<number> {
  const dir = await directoryOf(checkout);
  const start = performance.now();
  const server = await startServer({ from: 'bundle', dir, keep: true, flags, checkout, everyMs: 2 });
  const value = await read(server, performance.now() - start);
  await server.stop();
  return value;
}

async function directoryOf(checkout = ''): Promise<string> {
  const known = directories.get(checkout);
  if (known !== undefined) return known;
  const dir = mkdtempSync(join(tmpdir(), 'binnacle-compare-'));
  process.once('exit', () => rmSync(dir, { recursive: true, force: true }));
  directories.set(checkout, dir);
  const first = await startServer({ from: 'bundle', dir, keep: true, flags: ['--memory=false'], ...(checkout !== '' && { checkout }) });
  await first.stop();
  return dir;
}

function cpuOf({ child }: Server): number {
  return cpuOfThreadsMs([child.pid ?? 0]);
}

async function idleMemory({ child }: Server): Promise<number> {
  await pause(1500);
  return memoryOf([child.pid ?? 0]).wholeMb;
}
