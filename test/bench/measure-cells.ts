// All cells of one server, or of two in turns.
import type { Progress } from '#cli/progress-bar.ts';
import type { Cell } from './cell.ts';
import { percentile } from './reading.ts';
import type { CellResult, Summary } from './results.ts';
import { whileStopped } from './server-processes.ts';
import type { Target } from './target.ts';
import { type Block, oneBlock, takeTurn, type Turn, uncertainty } from './turns.ts';

/** How many times as much a second as the other server, where both have all cores. */
const leastSpeedup = 3;

/** The reference is compiled before it starts: it needs full caches, not the thousands of operations after which V8 is done. */
const mostWarmUpOfOthers = 300;

export interface Measuring {
  readonly own: Target;
  /** What it is measured beside. */
  readonly other: Target | undefined;
  /** Of two turns of each server. */
  readonly blocks: number;
  /** The share of the usual one. */
  readonly warmUp: number;
  /** Instead of all: bars of throughput are not about that. */
  readonly isOnOneCore: boolean;
  readonly progress: Progress;
  readonly onResult: (result: CellResult) => void;
}

export async function measureCells(cells: readonly Cell[], measuring: Measuring): Promise<readonly CellResult[]> {
  const results: CellResult[] = [];
  const warm = new Set<string>();
  for (const [index, cell] of cells.entries()) {
    measuring.progress.report(index, cells.length, cell.name);
    const result = await measureCell(cell, measuring, warm);
    results.push(result);
    measuring.onResult(result);
  }
  measuring.progress.report(cells.length, cells.length, '');
  measuring.progress.end();
  return results;
}

async function measureCell(cell: Cell, { own, other, blocks, warmUp, isOnOneCore }: Measuring, warm: Set<string>): Promise<CellResult> {
  using _own = await cell.open?.(own);
  using _other = other && (await cell.open?.(other));
  await cell.turn(own, Math.max(cell.operations, Math.ceil((warmUpOf(cell, warm) * warmUp) / cell.operations) * cell.operations));
  if (other !== undefined) await cell.turn(other, Math.max(cell.operations, Math.min(cell.warmUp, mostWarmUpOfOthers)));
  const taken: Block<Turn>[] = [];
  for (let block = 0; block < blocks; block++) {
    if (other === undefined) taken.push({ before: [], now: [await takeTurn(own, cell), await takeTurn(own, cell)] });
    else taken.push(await oneBlock((build) => (build === 'now' ? turnAlone(own, other, cell) : turnAlone(other, own, cell))));
  }
  const result = resultOf(cell, taken, other !== undefined);
  return isOnOneCore ? result : { ...result, leastSpeedup };
}

function turnAlone(target: Target, other: Target, cell: Cell): Promise<Turn> {
  return whileStopped(other.pids, () => takeTurn(target, cell));
}

/** Cells that differ only in how many do it (what stands behind the comma of their name) warm the same code. */
function warmUpOf({ name, operations, warmUp }: Cell, warm: Set<string>): number {
  const code = name.replace(/, \d+ (writer|watcher|connection)s?$/, '');
  if (warm.has(code)) return operations;
  warm.add(code);
  return warmUp;
}

function resultOf({ name, bar }: Cell, taken: readonly Block<Turn>[], isCompared: boolean): CellResult {
  const own = summaryOf(taken.flatMap(({ now }) => now));
  if (!isCompared) return { name, ...(bar !== undefined && { bar }), own };
  const other = summaryOf(taken.flatMap(({ before }) => before));
  const cpu = taken.map(({ before, now }) => ({ before: before.map((turn) => turn.cpu), now: now.map((turn) => turn.cpu) }));
  return { name, ...(bar !== undefined && { bar }), own, other, ratio: own.cpu / other.cpu, uncertainty: uncertainty(cpu) };
}

function summaryOf(turns: readonly Turn[]): Summary {
  const cpu = turns.map((turn) => turn.cpu);
  const times = turns.flatMap((turn) => turn.times);
  return {
    cpu: percentile(cpu, 0.5),
    spread: (percentile(cpu, 0.75) - percentile(cpu, 0.25)) / percentile(cpu, 0.5),
    perSecond: percentile(
      turns.map((turn) => turn.perSecond),
      0.5,
    ),
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
  };
}
