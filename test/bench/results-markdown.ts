// Results as a page for readers.
import { type CellResult, keepsBar, keepsP99, keepsReading, keepsSpeedup, type ReadingResult, type Results } from './results.ts';

export function toMarkdown({ facts, cells, readings }: Results, chart: string): string {
  return [
    '# Performance',
    '',
    'Made by `npm run bench` of the `results.json` beside its chart; do not edit. CPU is that of all processes of a server (kube-apiserver and etcd',
    'beside our one process) per operation, the median of turns that both servers took alternately; ± is twice the standard error of the ratio.',
    '',
    ...Object.entries(facts).map(([name, value]) => `- ${name}: ${value}`),
    '',
    `![CPU per operation as a share of the reference's](${chart})`,
    '',
    '| operation | CPU, µs | reference, µs | ratio | bar | p50 / p99, ms | reference, ms | per second | reference |',
    '|---|--:|--:|--:|--:|--:|--:|--:|--:|',
    ...cells.map(cellRow),
    '',
    ...(readings.length === 0 ? [] : ['| | ours | reference | bound |', '|---|--:|--:|--:|', ...readings.map(readingRow), '']),
    ...missed(cells, readings),
  ].join('\n');
}

function cellRow(cell: CellResult): string {
  const { name, own, other, ratio, uncertainty = 0, bar } = cell;
  const shownRatio = ratio === undefined ? '' : `${mark(keepsBar(cell), ratio.toFixed(3))} ± ${uncertainty.toFixed(3)}`;
  const p99 = mark(keepsP99(cell), rounded(own.p99));
  const theirs = other ? [rounded(other.cpu), `${rounded(other.p50)} / ${rounded(other.p99)}`, rounded(other.perSecond)] : ['', '', ''];
  const columns = [name, rounded(own.cpu), theirs[0], shownRatio, bar === undefined ? '' : rounded(bar), `${rounded(own.p50)} / ${p99}`, theirs[1]];
  return `| ${[...columns, mark(keepsSpeedup(cell), rounded(own.perSecond)), theirs[2]].join(' | ')} |`;
}

function readingRow(reading: ReadingResult): string {
  const { name, unit, value, other, bar, most, least } = reading;
  const bounds = [bar && `≤ ${rounded(bar)} of the reference's`, most && `≤ ${rounded(most)}`, least && `≥ ${rounded(least)}`].filter(Boolean);
  return `| ${name}, ${unit} | ${mark(keepsReading(reading), rounded(value))} | ${other === undefined ? '' : rounded(other)} | ${bounds.join(', ')} |`;
}

function missed(cells: readonly CellResult[], readings: readonly ReadingResult[]): readonly string[] {
  const names = [
    ...cells.filter((cell) => keepsBar(cell) === false).map(({ name }) => `${name}: CPU`),
    ...cells.filter((cell) => keepsP99(cell) === false).map(({ name }) => `${name}: p99`),
    ...cells.filter((cell) => keepsSpeedup(cell) === false).map(({ name, leastSpeedup }) => `${name}: ${leastSpeedup} times as many a second`),
    ...readings.filter((reading) => keepsReading(reading) === false).map(({ name }) => name),
  ];
  return names.length === 0 ? ['All bars are kept.', ''] : ['Bars that are missed:', '', ...names.map((name) => `- ${name}`), ''];
}

function mark(kept: boolean | undefined, text: string): string {
  return kept === false ? `**${text}**` : text;
}

export function rounded(value: number): string {
  return Number(value.toPrecision(3)).toString();
}
