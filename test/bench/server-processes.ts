// What the processes of a server stack have used, from /proc (Linux).
import { readdirSync, readFileSync } from 'node:fs';

/** One tick of utime and stime, in ms: USER_HZ is 100 wherever Linux runs node. */
const tickMs = 10;

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
