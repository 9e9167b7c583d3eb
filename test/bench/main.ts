// The whole server over the wire, and with a second kubeconfig the same of another server in the same run, with ratios and the bars they must keep.
//   npm run build && npm run bench -- [--against KUBECONFIG] [--pods 10000] [--only get,list] [--data-dir DIR]
//   npm run build && npm run bench -- --before DIR    # against the build of another checkout, see compare-builds.ts
// A data directory is kept, and what is in it or in the other server is measured as it is: loading 100,000 pods takes a while.
// The machine decides the absolute numbers; CPU of all processes of a server per operation is the steadiest of them.
import { parseArgs } from 'node:util';
import { compareBuilds } from './compare-builds.ts';
import { measures, prepare } from './measures.ts';
import type { Measure, Reading } from './reading.ts';
import { Target } from './target.ts';

await main();

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      against: { type: 'string' },
      pods: { type: 'string' },
      only: { type: 'string' },
      'data-dir': { type: 'string' },
      before: { type: 'string' },
      blocks: { type: 'string', default: '10' },
      pairs: { type: 'string', default: '2' },
      flags: { type: 'string', default: '' },
    },
  });
  if (values.before !== undefined) {
    const only = new RegExp(values.only ?? '.');
    const flags = values.flags.split(' ').filter((flag) => flag !== '');
    const [blocks, pairs, pods] = [Number(values.blocks), Number(values.pairs), Number(values.pods ?? '5000')];
    process.exitCode = (await compareBuilds({ before: values.before, only, blocks, pairs, pods, flags })) ? 0 : 1;
    return;
  }
  const pods = Number(values.pods ?? '10000');
  const only = values.only?.split(',');
  await using binnacle = await Target.startBinnacle(values['data-dir']);
  const targets = values.against ? [binnacle, Target.running(values.against)] : [binnacle];
  for (const target of targets) {
    console.log(`loading ${pods} pods into ${target.name}`);
    await prepare(target, pods);
  }
  console.log(
    row(
      '',
      targets.map((target) => target.name),
      'ratio',
      'bar',
    ),
  );
  for (const measure of measures(pods)) if (!only || only.includes(measure.name)) await report(measure, targets);
}

async function report(measure: Measure, targets: readonly Target[]): Promise<void> {
  const columns: (readonly Reading[])[] = [];
  for (const target of targets) columns.push(await measure.run(target));
  const [own = [], other = []] = columns;
  own.forEach((reading, i) => printReading(reading, other[i]));
}

function printReading(reading: Reading, other: Reading | undefined): void {
  const cells = [reading, ...(other ? [other] : [])].map(({ value, unit }) => `${rounded(value)} ${unit}`);
  const ratio = other && reading.value / other.value;
  console.log(
    row(
      reading.name,
      cells,
      ratio === undefined ? '' : rounded(ratio),
      [ratioVerdict(reading, ratio), verdict(reading.value, reading.most), leastVerdict(reading)].join(''),
    ),
  );
}

function ratioVerdict({ bar }: Reading, ratio: number | undefined): string {
  if (bar === undefined) return '';
  return ratio === undefined ? `≤ ${rounded(bar)}` : verdict(ratio, bar);
}

function verdict(value: number, most: number | undefined): string {
  return most === undefined ? '' : `≤ ${rounded(most)}  ${value <= most ? 'kept' : 'MISSED'}`;
}

function leastVerdict({ value, least }: Reading): string {
  return least === undefined ? '' : `≥ ${rounded(least)}  ${value >= least ? 'kept' : 'MISSED'}`;
}

function row(name: string, cells: readonly string[], ratio: string, bar: string): string {
  return [name.padEnd(64), ...cells.map((cell) => cell.padStart(14)), ratio.padStart(8), `  ${bar}`].join('');
}

function rounded(value: number): string {
  return Number(value.toPrecision(3)).toString();
}
