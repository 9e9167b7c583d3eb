// Two builds of the server beside each other in one run: what each operation costs the processor now against a build of another commit.
//   npm run bench -- --before DIR [--only REGEX] [--blocks 10] [--pairs 2] [--pods 5000] [--flags '--v=0 …']
// DIR is a checkout of that commit with a bundle of its own (npm ci, npm run build). Turns go before, now, now, before, so that whatever
// else the machine does meets both; every pair of processes is new, because V8 compiles each a little differently. What counts is the
// ratio of the CPU time of the two servers; a cell is WORSE when it is over the bar by more than the uncertainty of the reading.
import { bootCells } from './compare-boots.ts';
import { type Cell, cells, prepareCells } from './compare-cells.ts';
import { cpuOfThreadsMs } from './server-processes.ts';
import { Target } from './target.ts';

export interface Comparison {
  /** The checkout of the other build. */
  readonly before: string;
  readonly only: RegExp;
  /** Of four turns each, per pair of servers. */
  readonly blocks: number;
  readonly pairs: number;
  readonly pods: number;
  /** Both servers get them. */
  readonly flags: readonly string[];
}

/** Two turns of each build. */
export interface Block {
  readonly before: readonly number[];
  readonly now: readonly number[];
}

/** So much more may a cell cost. */
const bar = 1.03;

/** The loops that every build has: what later builds do beside the requests is not what is compared. */
const loopsOfAll =
  '--controllers=clusterrole-aggregation-controller,namespace-controller,root-ca-certificate-publisher-controller,serviceaccount-controller,resourcequota-controller';

/** Whether no cell has become worse. */
export async function compareBuilds(comparison: Comparison): Promise<boolean> {
  const chosen = cells.filter(({ name }) => comparison.only.test(name));
  const blocks = new Map<string, Block[]>(chosen.map(({ name }) => [name, []]));
  let kept = true;
  for (let pair = 1; chosen.length > 0 && pair <= comparison.pairs; pair++) {
    await comparePair(comparison, chosen, ({ name, unit }, readings) => {
      const all = blocks.get(name) ?? [];
      all.push(...readings);
      if (pair === comparison.pairs) kept = report(name, unit, all) && kept;
    });
  }
  for (const { name, unit, read } of bootCells.filter(({ name }) => comparison.only.test(name))) {
    const rounds: Block[] = [];
    for (let round = 0; round < comparison.blocks; round++) {
      rounds.push(await oneBlock((build) => read(build === 'now' ? undefined : comparison.before, [loopsOfAll, ...comparison.flags])));
    }
    kept = report(name, unit, rounds) && kept;
  }
  return kept;
}

type OnReadings = (cell: Cell, blocks: readonly Block[]) => void;

async function comparePair({ before, blocks, pods, flags }: Comparison, chosen: readonly Cell[], onReadings: OnReadings): Promise<void> {
  await using old = await Target.startBinnacle(undefined, [loopsOfAll, ...flags], before);
  await using current = await Target.startBinnacle(undefined, [loopsOfAll, ...flags]);
  for (const target of [old, current]) await prepareCells(target, pods);
  for (const cell of chosen) {
    for (const target of [old, current]) await cell.turn(target, cell.warmUp);
    const readings: Block[] = [];
    for (let block = 0; block < blocks; block++) readings.push(await oneBlock((build) => cpuPerOperation(build === 'now' ? current : old, cell)));
    onReadings(cell, readings);
  }
}

async function cpuPerOperation(target: Target, { turn, operations }: Cell): Promise<number> {
  const start = cpuOfThreadsMs(target.pids);
  await turn(target, operations);
  return ((cpuOfThreadsMs(target.pids) - start) * 1000) / operations;
}

async function oneBlock(read: (build: 'before' | 'now') => Promise<number>): Promise<Block> {
  const first = await read('before');
  const now = [await read('now'), await read('now')];
  return { before: [first, await read('before')], now };
}

function report(name: string, unit: string, blocks: readonly Block[]): boolean {
  const [before, now] = [quietHalf(blocks, 'before'), quietHalf(blocks, 'now')];
  const [ratio, spread] = [now / before, uncertainty(blocks)];
  const worse = ratio - spread > bar;
  const verdict = worse ? 'WORSE' : ratio > bar ? 'unclear' : 'ok';
  const number = (value: number) => value.toPrecision(4).padStart(9);
  console.log(`${name.padEnd(34)}${number(before)} → ${number(now)} ${unit.padEnd(3)} ${ratio.toFixed(3)} ± ${spread.toFixed(3)}  ${verdict}`);
  return !worse;
}

/** Whatever else the machine does only makes a turn dearer: the cheaper half of them says what the build costs. */
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
