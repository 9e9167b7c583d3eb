// Whether the cost of an operation grows with what is stored or with how many watch: a server with few objects and one with many, in turns.
//   npm run build && npx tsx test/bench/growth.ts [--objects 10000,100000,300000] [--watchers 10,100,1000,10000] [--blocks 6] [--data-dir DIR]
// 300,000 pods take 1.2 GB on disk and some minutes to load; a data directory is kept for the next time. Definitions: custom-resources.ts.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startServer } from '../support/server-under-test.mjs';
import { type Cell, succeed, timed } from './cell.ts';
import { prepare } from './cells.ts';
import { watching } from './cells-watches.ts';
import { extraPods, nextSerial, nodeOf, ownPod, percentile, pods } from './reading.ts';
import { memoryOf } from './server-processes.ts';
import { Target } from './target.ts';
import { type Block, oneBlock, quietHalf, takeTurn, uncertainty } from './turns.ts';

const { values: options } = parseArgs({
  options: {
    objects: { type: 'string', default: '10000,100000' },
    watchers: { type: 'string', default: '10,100,1000' },
    blocks: { type: 'string', default: '6' },
    'data-dir': { type: 'string' },
  },
});
const few = 1000;
/** The list by node is as long with few pods as with many. */
const podsPerNode = 10;
const blocks = Number(options.blocks);
const [mostGrowth, mostBootGrowth] = [1.3, 2];
const boots = 5;

const cells: readonly Cell[] = [
  reading('GET', 500, (i) => `${pods}/pod-${i % few}`),
  reading('LIST by spec.nodeName', 200, (i) => `/api/v1/pods?fieldSelector=spec.nodeName%3D${nodeOf(i % few, podsPerNode)}`),
  {
    name: 'CREATE',
    operations: 200,
    warmUp: 4000,
    turn: (target, operations) => timed(16, operations, () => succeed(target, { method: 'POST', path: extraPods, body: ownPod(`extra-${nextSerial()}`) })),
  },
];

await main();

async function main(): Promise<void> {
  const kept = options['data-dir'];
  const dir = kept ?? mkdtempSync(join(tmpdir(), 'binnacle-growth-'));
  try {
    await growthOfObjects(dir, numbers(options.objects));
    await growthOfWatchers(numbers(options.watchers));
  } finally {
    if (kept === undefined) rmSync(dir, { recursive: true, force: true });
  }
}

async function growthOfObjects(dir: string, counts: readonly number[]): Promise<void> {
  {
    await using small = await Target.startBinnacle(join(dir, 'few'));
    await using large = await Target.startBinnacle(join(dir, 'many'));
    await prepare(small, few, podsPerNode);
    for (const count of counts) {
      await prepare(large, count, podsPerNode);
      console.log(`${count} pods: ${memoryOf(large.pids).anonymousMb.toFixed(0)} MB of anonymous memory`);
      for (const cell of cells) {
        for (const target of [small, large]) await cell.turn(target, cell.warmUp);
        const taken: Block[] = [];
        for (let block = 0; block < blocks; block++) taken.push(await oneBlock(async (which) => (await takeTurn(which === 'now' ? large : small, cell)).cpu));
        report(`${cell.name}, ${count} pods against ${few}`, taken, mostGrowth);
      }
    }
  }
  const empty = join(dir, 'empty');
  await bootMs(empty);
  const taken: Block[] = [];
  for (let boot = 0; boot < boots; boot++) taken.push(await oneBlock((which) => bootMs(which === 'now' ? join(dir, 'many') : empty)));
  report(`boot to ready, ${counts.at(-1)} pods against none, ms`, taken, mostBootGrowth);
}

async function growthOfWatchers(counts: readonly number[]): Promise<void> {
  await using target = await Target.startBinnacle();
  await prepare(target, few, podsPerNode);
  for (const count of counts) {
    const cell = watching(`${count} watchers`, { count, connections: Math.ceil(count / 100), writes: Math.max(4, Math.ceil(2000 / count)), bar: 1 });
    using _watchers = await cell.open?.(target);
    await cell.turn(target, cell.operations);
    const turns = [];
    for (let turn = 0; turn < blocks; turn++) turns.push(await takeTurn(target, cell));
    const [cpu, last] = [turns.map((turn) => turn.cpu), turns.flatMap((turn) => turn.times)];
    console.log(`${cell.name}: ${percentile(cpu, 0.5).toFixed(1)} µs of CPU per event, write to last delivery p50 ${percentile(last, 0.5).toFixed(1)} ms`);
  }
}

function reading(name: string, operations: number, path: (i: number) => string): Cell {
  return { name, operations, warmUp: 3000, turn: (target, times) => timed(8, times, (i) => succeed(target, { path: path(i), discard: true })) };
}

function report(name: string, taken: readonly Block[], most: number): void {
  const [before, now] = [quietHalf(taken, 'before'), quietHalf(taken, 'now')];
  const ratio = now / before;
  console.log(
    `${name}: ${before.toFixed(0)} → ${now.toFixed(0)}, ${ratio.toFixed(2)} ± ${uncertainty(taken).toFixed(2)}  ≤ ${most} ${ratio <= most ? 'kept' : 'MISSED'}`,
  );
  if (ratio - uncertainty(taken) > most) process.exitCode = 1;
}

async function bootMs(dir: string): Promise<number> {
  const began = performance.now();
  const server = await startServer({ from: 'bundle', dir, keep: true, flags: ['--memory=false', '--v=0', '--controllers='], everyMs: 2 });
  const took = performance.now() - began;
  await server.stop();
  return took;
}

function numbers(list: string): readonly number[] {
  return list
    .split(',')
    .filter((word) => word !== '')
    .map(Number);
}
