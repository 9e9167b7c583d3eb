// What a run of the bench has found, as it is written to a file: docs/performance.md is made of one.
import { execFileSync } from 'node:child_process';
import { cpus, release, totalmem } from 'node:os';
import type { Reading } from './reading.ts';
import type { Target } from './target.ts';

/** Of all turns of one server: medians, and how far the middle half of them is apart. */
export interface Summary {
  /** Of all processes of the server, per operation, in µs. */
  readonly cpu: number;
  readonly spread: number;
  readonly perSecond: number;
  /** Of single operations, in ms. */
  readonly p50: number;
  readonly p99: number;
}

export interface CellResult {
  readonly name: string;
  readonly own: Summary;
  readonly other?: Summary;
  /** Of CPU; how much of it is chance. */
  readonly ratio?: number;
  readonly uncertainty?: number;
  readonly bar?: number;
  /** How many times as many operations a second as the reference it must do. */
  readonly leastSpeedup?: number;
}

/** The same reading of both servers. */
export interface ReadingResult extends Reading {
  readonly other?: number;
}

export interface Results {
  readonly facts: Readonly<Record<string, string>>;
  readonly cells: readonly CellResult[];
  readonly readings: readonly ReadingResult[];
}

/** What the numbers depend on beside the program. */
export async function factsOf(targets: readonly Target[], options: Readonly<Record<string, string>>): Promise<Results['facts']> {
  const versions: Record<string, string> = {};
  for (const target of targets) {
    const { gitVersion } = JSON.parse((await target.expect(200, { path: '/version' })).body.toString()) as { gitVersion: string };
    versions[target.name] = gitVersion;
  }
  const [first] = cpus();
  return {
    commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim(),
    processor: `${cpus().length} × ${first?.model ?? 'unknown'}`,
    memory: `${Math.round(totalmem() / 2 ** 30)} GiB`,
    kernel: release(),
    node: process.version,
    ...versions,
    ...options,
  };
}

/** Results of the same name are replaced, others stay where they were. */
export function mergeResults(before: Results, now: Results): Results {
  return { facts: now.facts, cells: mergeByName(before.cells, now.cells), readings: mergeByName(before.readings, now.readings) };
}

function mergeByName<T extends { readonly name: string }>(before: readonly T[], now: readonly T[]): readonly T[] {
  return [...new Map([...before, ...now].map((result) => [result.name, result])).values()];
}

/** Undefined: there is nothing that it must keep. */
export function keepsBar({ ratio, bar }: CellResult): boolean | undefined {
  return ratio === undefined || bar === undefined ? undefined : ratio <= bar;
}

/** Undefined: the servers had no more than one core. */
export function keepsSpeedup({ own, other, leastSpeedup }: CellResult): boolean | undefined {
  return other === undefined || leastSpeedup === undefined ? undefined : own.perSecond / other.perSecond >= leastSpeedup;
}

export function keepsP99({ own, other }: CellResult): boolean | undefined {
  return other && own.p99 <= other.p99;
}

export function keepsReading({ value, other, bar, most, least }: ReadingResult): boolean | undefined {
  const verdicts = [
    bar !== undefined && other !== undefined ? value / other <= bar : undefined,
    most !== undefined ? value <= most : undefined,
    least !== undefined ? value >= least : undefined,
  ].filter((verdict) => verdict !== undefined);
  return verdicts.length === 0 ? undefined : verdicts.every(Boolean);
}
