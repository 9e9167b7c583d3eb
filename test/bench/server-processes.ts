// What the processes of a server stack have used, from /proc (Linux).
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { cpus } from 'node:os';

/** One tick of utime and stime, in ms: USER_HZ is 100 wherever Linux runs node. */
const tickMs = 10;

/** All of these processes share the first core; whoever asks them has the others. Needs taskset (util-linux) and more than one core. */
export function giveOneCore(pids: readonly number[]): void {
  const last = cpus().length - 1;
  if (last < 1) throw new Error('this machine has one core: nobody could ask a server that has it to itself');
  for (const pid of pids) execFileSync('taskset', ['--all-tasks', '--cpu-list', '--pid', '0', String(pid)], { stdio: 'ignore' });
  execFileSync('taskset', ['--all-tasks', '--cpu-list', '--pid', `1-${last}`, String(process.pid)], { stdio: 'ignore' });
}

/** What these processes do of themselves, as collections of garbage, waits until `act` is done. They go on however this program ends. */
export async function whileStopped<T>(pids: readonly number[], act: () => Promise<T>): Promise<T> {
  const resume = () => signalAll(pids, 'SIGCONT');
  process.once('exit', resume);
  process.once('SIGINT', exitInterrupted);
  try {
    signalAll(pids, 'SIGSTOP');
    return await act();
  } finally {
    resume();
    process.off('exit', resume);
    process.off('SIGINT', exitInterrupted);
  }
}

/** By itself node runs no handlers of `exit` when it is interrupted. */
function exitInterrupted(): void {
  process.exit(130);
}

function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) process.kill(pid, signal);
}

export interface Memory {
  readonly anonymousMb: number;
  readonly wholeMb: number;
}

export function cpuMs(pids: readonly number[]): number {
  return sum(pids.map((pid) => ticksOf(pid) * tickMs));
}

/** To the nanosecond; without threads that have ended. */
export function cpuOfThreadsMs(pids: readonly number[]): number {
  return sum(pids.flatMap((pid) => readdirSync(`/proc/${pid}/task`).map((thread) => threadMs(`/proc/${pid}/task/${thread}/schedstat`))));
}

export function cpuOfMainThreadMs(pids: readonly number[]): number {
  return sum(pids.map((pid) => threadMs(`/proc/${pid}/task/${pid}/schedstat`)));
}

function threadMs(file: string): number {
  return Number(readFileSync(file, 'utf8').split(' ')[0]) / 1e6;
}

export function memoryOf(pids: readonly number[]): Memory {
  const statuses = pids.map((pid) => readFileSync(`/proc/${pid}/status`, 'utf8'));
  return { anonymousMb: sum(statuses.map((text) => megabytes(text, 'RssAnon'))), wholeMb: sum(statuses.map((text) => megabytes(text, 'VmRSS'))) };
}

function ticksOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name in parentheses may hold spaces: count from behind it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(fields[11]) + Number(fields[12]);
}

function megabytes(status: string, field: string): number {
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) / 1024;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
