// Results as a picture: how much of the reference's CPU each operation costs, and what it may cost.
import type { CellResult } from './results.ts';

const [rowHeight, labelWidth, barWidth, margin] = [22, 300, 420, 16];
/** The end of the scale: twice the widest bar that is allowed. */
const widest = 0.5;

export function toSvg(cells: readonly CellResult[]): string {
  const rows = cells.filter(({ ratio }) => ratio !== undefined);
  const height = rows.length * rowHeight + 2 * margin + 20;
  const width = labelWidth + barWidth + 80;
  const ticks = [0, 0.1, 0.2, 0.3, 0.4, widest];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="sans-serif" font-size="12">`,
    '<rect width="100%" height="100%" fill="#fff"/>',
    ...ticks.map((tick) => `<line x1="${x(tick)}" x2="${x(tick)}" y1="${margin}" y2="${height - 24}" stroke="#ddd"/>`),
    ...ticks.map((tick) => `<text x="${x(tick)}" y="${height - 8}" text-anchor="middle" fill="#555">${tick}</text>`),
    ...rows.map((cell, i) => row(cell, margin + i * rowHeight)),
    '</svg>',
    '',
  ].join('\n');
}

function row({ name, ratio = 0, bar }: CellResult, top: number): string {
  const kept = bar === undefined || ratio <= bar;
  return [
    `<text x="${labelWidth - 8}" y="${top + 14}" text-anchor="end">${name}</text>`,
    `<rect x="${labelWidth}" y="${top + 3}" width="${x(ratio) - labelWidth}" height="${rowHeight - 8}" fill="${kept ? '#4a7fb5' : '#c0504d'}"/>`,
    ...(bar === undefined ? [] : [`<line x1="${x(bar)}" x2="${x(bar)}" y1="${top}" y2="${top + rowHeight - 2}" stroke="#222" stroke-width="2"/>`]),
    `<text x="${x(ratio) + 6}" y="${top + 14}" fill="#333">${ratio.toFixed(2)}</text>`,
  ].join('');
}

function x(share: number): number {
  return Math.round(labelWidth + (Math.min(share, widest) / widest) * barWidth);
}
