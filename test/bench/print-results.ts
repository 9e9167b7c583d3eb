// Results as lines of a terminal, one when it is known.
import { type CellResult, keepsBar, keepsP99, keepsReading, keepsSpeedup, type ReadingResult } from './results.ts';
import { rounded } from './results-markdown.ts';

export function printCell(cell: CellResult): void {
  const { name, own, other, ratio, uncertainty = 0, bar } = cell;
  const line = [name.padEnd(42), number(own.cpu, 'µs'), `p50 ${rounded(own.p50)} p99 ${rounded(own.p99)} ms`.padStart(28), number(own.perSecond, '/s')];
  if (other === undefined || ratio === undefined) return console.log(line.join(' '));
  const theirs = [number(other.cpu, 'µs'), `p50 ${rounded(other.p50)} p99 ${rounded(other.p99)} ms`.padStart(28), number(other.perSecond, '/s')];
  const verdicts = [bar === undefined ? '' : `≤ ${rounded(bar)} ${verdict(keepsBar(cell))}`, `p99 ${verdict(keepsP99(cell))}`];
  const speedup = keepsSpeedup(cell);
  if (speedup !== undefined) verdicts.push(`${(own.perSecond / other.perSecond).toFixed(1)}x a second ${verdict(speedup)}`);
  console.log([...line, ' | ', ...theirs, `  ${ratio.toFixed(3)} ± ${uncertainty.toFixed(3)}`, ...verdicts].join(' '));
}

export function printReading(reading: ReadingResult): void {
  const { name, unit, value, other } = reading;
  const kept = keepsReading(reading);
  console.log(
    `${name.padEnd(72)} ${number(value, unit)} ${other === undefined ? ''.padStart(12) : number(other, unit)} ${kept === undefined ? '' : verdict(kept)}`,
  );
}

function verdict(kept: boolean | undefined): string {
  return kept === false ? 'MISSED' : 'kept';
}

function number(value: number, unit: string): string {
  return `${rounded(value)} ${unit}`.padStart(12);
}
