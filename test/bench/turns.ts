// Servers that are measured in turns: one, the other, the other, the one, so that whatever else the machine does meets both.
import type { Cell } from './cell.ts';
import { cpuOfThreadsMs } from './server-processes.ts';
import type { Target } from './target.ts';

export interface Turn {
  /** Of all processes of the server, per operation, in µs. */
  readonly cpu: number;
  readonly perSecond: number;
  /** Of each operation, in ms. */
  readonly times: readonly number[];
}

/** Two turns of each server, or of the only one. */
export interface Block<T = number> {
  readonly before: readonly T[];
  readonly now: readonly T[];
}

export async function takeTurn(target: Target, { turn, operations }: Cell): Promise<Turn> {
  const [cpu, began] = [cpuOfThreadsMs(target.pids), performance.now()];
  const times = await turn(target, operations);
  const elapsed = performance.now() - began;
  return { cpu: ((cpuOfThreadsMs(target.pids) - cpu) * 1000) / operations, perSecond: (operations * 1000) / elapsed, times };
}

export async function oneBlock<T>(read: (build: 'before' | 'now') => Promise<T>): Promise<Block<T>> {
  const first = await read('before');
  const now = [await read('now'), await read('now')];
  return { before: [first, await read('before')], now };
}

/** Whatever else the machine does only makes a turn dearer: the cheaper half of them says what the server costs. */
export function quietHalf(blocks: readonly Block[], build: keyof Block): number {
  const turns = blocks.flatMap((block) => block[build]).sort((a, b) => a - b);
  return mean(turns.slice(0, Math.ceil(turns.length / 2)));
}

/** Twice the standard error of the ratio, from leaving out one block after the other (jackknife). */
export function uncertainty(blocks: readonly Block[]): number {
  const ratios = blocks.map((left) => blocks.filter((block) => block !== left)).map((some) => quietHalf(some, 'now') / quietHalf(some, 'before'));
  const middle = mean(ratios);
  return 2 * Math.sqrt((blocks.length - 1) * mean(ratios.map((ratio) => (ratio - middle) ** 2)));
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
