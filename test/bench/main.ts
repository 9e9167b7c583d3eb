// The whole server over the wire, and with a second kubeconfig the same of another server in turns, with ratios and the bars they must keep.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { progressBar } from '#cli/progress-bar.ts';
import { cells, prepare } from './cells.ts';
import { compareBuilds } from './compare-builds.ts';
import { measureCells } from './measure-cells.ts';
import { measuresAfter, measuresBefore } from './measures.ts';
import { printCell, printReading } from './print-results.ts';
import type { Measure } from './reading.ts';
import { factsOf, mergeResults, type ReadingResult, type Results } from './results.ts';
import { toSvg } from './results-chart.ts';
import { toMarkdown } from './results-markdown.ts';
import { giveOneCore } from './server-processes.ts';
import { Target } from './target.ts';

const usage = `npm run build && npm run bench -- [--against KUBECONFIG] [--one-core] [--pods 10000] [--only REGEX] [--blocks 5] [--data-dir DIR] [--out DIR]
npm run build && npm run bench -- --before DIR    against the build of another checkout: [--only REGEX] [--blocks 10] [--pairs 2] [--pods 5000]
npm run bench -- --page docs/performance          writes docs/performance.md and its chart from the results.json there; so for docs/performance-all-cores

  --against KUBECONFIG  the other server; a file pids beside it names its processes, as ../shared/reference-server/up writes it
  --one-core            the servers have one core and this program the others: bars of CPU are about this; without it they have all, which bars of throughput are about
  --server KUBECONFIG   what is measured runs already, instead of one that is started for it
  --data-dir DIR        kept; what is in it or in the other server is measured as it is: loading 100,000 pods takes a while
  --only REGEX          cells and readings by name
  --warm-up 0.1         a share of the usual one, for a server that has just been measured
  --flags '--a=b --c'   for the server that is started
  --out DIR             results.json, results.md and cpu.svg; results of cells that were not measured now stay in them
  --note TEXT           what a reader of the page must know of the machine
  BENCH_HTTP2=1         requests share one HTTP/2 connection, as those of a program in Go do
  BENCH_THROUGH=...     how the server is started, for instance 'node --cpu-prof'`;

await main();

function given() {
  return parseArgs({
    options: {
      help: { type: 'boolean', default: false },
      server: { type: 'string' },
      against: { type: 'string' },
      'one-core': { type: 'boolean', default: false },
      pods: { type: 'string' },
      only: { type: 'string', default: '.' },
      'data-dir': { type: 'string' },
      out: { type: 'string' },
      note: { type: 'string', default: '' },
      page: { type: 'string' },
      before: { type: 'string' },
      blocks: { type: 'string' },
      'warm-up': { type: 'string', default: '1' },
      pairs: { type: 'string', default: '2' },
      flags: { type: 'string', default: '' },
    },
  }).values;
}

function understood(): ReturnType<typeof given> | undefined {
  try {
    return given();
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${usage}`);
    process.exitCode = 2;
    return undefined;
  }
}

async function main(): Promise<void> {
  const values = understood();
  if (values === undefined) return;
  if (values.help) return console.log(usage);
  const only = new RegExp(values.only);
  const flags = values.flags.split(' ').filter((flag) => flag !== '');
  if (values.page !== undefined) return writePage(values.page);
  if (values.before !== undefined) {
    const [blocks, pairs, pods] = [Number(values.blocks ?? '10'), Number(values.pairs), Number(values.pods ?? '5000')];
    process.exitCode = (await compareBuilds({ before: values.before, only, blocks, pairs, pods, flags })) ? 0 : 1;
    return;
  }
  await using own = values.server ? Target.running(values.server, 'binnacle') : await Target.startBinnacle(values['data-dir'], flags);
  const other = values.against === undefined ? undefined : Target.running(values.against, 'reference');
  const results = await measureAll({
    own,
    other,
    only,
    pods: Number(values.pods ?? '10000'),
    blocks: Number(values.blocks ?? '5'),
    warmUp: Number(values['warm-up']),
    isOnOneCore: values['one-core'],
  });
  const facts = { ...results.facts, ...(values.note !== '' && { note: values.note }) };
  if (values.out !== undefined) writeResults(values.out, { ...results, facts });
}

interface Run {
  readonly own: Target;
  readonly other: Target | undefined;
  readonly only: RegExp;
  readonly pods: number;
  readonly blocks: number;
  /** The share of the usual one. */
  readonly warmUp: number;
  readonly isOnOneCore: boolean;
}

async function measureAll({ own, other, only, pods, blocks, warmUp, isOnOneCore }: Run): Promise<Results> {
  const targets = other ? [own, other] : [own];
  if (isOnOneCore) giveOneCore(targets.flatMap(({ pids }) => pids));
  for (const target of targets) {
    console.log(`loading ${pods} pods into ${target.name}`);
    await prepare(target, pods);
  }
  const facts = await factsOf(targets, { pods: String(pods), blocks: String(blocks), cores: isOnOneCore ? 'one for each server' : 'all for each server' });
  const before = await readAll(
    measuresBefore(pods).filter(({ name }) => only.test(name)),
    targets,
  );
  const chosen = cells.filter(({ name }) => only.test(name));
  const progress = progressBar('bench', process.stderr, () => performance.now());
  const measured = await measureCells(chosen, {
    own,
    other,
    blocks,
    warmUp,
    isOnOneCore,
    progress,
    onResult: printCell,
  });
  const after = await readAll(
    measuresAfter(pods).filter(({ name }) => only.test(name)),
    targets,
  );
  return { facts, cells: measured, readings: [...before, ...after] };
}

async function readAll(measures: readonly Measure[], targets: readonly Target[]): Promise<readonly ReadingResult[]> {
  const results: ReadingResult[] = [];
  for (const { run } of measures) {
    const [own = [], other = []] = [await run(targets[0] as Target), targets[1] && (await run(targets[1]))];
    const both = own.map((reading, i) => ({ ...reading, ...(other[i] && { other: other[i].value }) }));
    both.forEach(printReading);
    results.push(...both);
  }
  return results;
}

function writeResults(dir: string, measured: Results): void {
  const file = join(dir, 'results.json');
  const results = existsSync(file) ? mergeResults(JSON.parse(readFileSync(file, 'utf8')) as Results, measured) : measured;
  mkdirSync(dir, { recursive: true });
  writeFileSync(file, `${JSON.stringify(results, undefined, 2)}\n`);
  writeFileSync(join(dir, 'results.md'), toMarkdown(results, 'cpu.svg'));
  writeFileSync(join(dir, 'cpu.svg'), toSvg(results.cells));
}

function writePage(dir: string): void {
  const results = JSON.parse(readFileSync(join(dir, 'results.json'), 'utf8')) as Results;
  writeFileSync(`${dir}.md`, toMarkdown(results, `${basename(dir)}/cpu.svg`));
  writeFileSync(join(dir, 'cpu.svg'), toSvg(results.cells));
}
