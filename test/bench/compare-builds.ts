// Two builds of the server beside each other in one run: what each operation costs the processor now against a build of another commit.
//   npm run bench -- --before DIR [--only REGEX] [--blocks 10] [--pairs 2] [--pods 5000] [--flags '--v=0 …']
// DIR is a checkout of that commit with a bundle of its own (npm ci, npm run build). Turns go before, now, now, before, so that whatever
// else the machine does meets both; every pair of processes is new, because V8 compiles each a little differently. What counts is the
// ratio of the CPU time of the two servers; a cell is WORSE when it is over the bar by more than the uncertainty of the reading.
import { bootCells } from './compare-boots.ts';
import type { Cell } from './cell.ts';
import { cells, prepare } from './cells.ts';
import { Target } from './target.ts';
import { type Block, oneBlock, quietHalf, takeTurn, uncertainty } from './turns.ts';

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
    await comparePair(comparison, chosen, ({ name }, readings) => {
      const all = blocks.get(name) ?? [];
      all.push(...readings);
      if (pair === comparison.pairs) kept = report(name, 'µs', all) && kept;
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
  for (const target of [old, current]) await prepare(target, pods);
  for (const cell of chosen) {
    using _old = await cell.open?.(old);
    using _current = await cell.open?.(current);
    for (const target of [old, current]) await cell.turn(target, cell.warmUp);
    const readings: Block[] = [];
    for (let block = 0; block < blocks; block++) readings.push(await oneBlock(async (build) => (await takeTurn(build === 'now' ? current : old, cell)).cpu));
    onReadings(cell, readings);
  }
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
