import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type CellResult, mergeResults, type Results } from './results.ts';
import { toSvg } from './results-chart.ts';
import { toMarkdown } from './results-markdown.ts';

const summary = { cpu: 100, spread: 0.1, perSecond: 1000, p50: 1, p99: 2 };

function cell(name: string, ratio: number, p99 = 2): CellResult {
  return { name, own: { ...summary, p99 }, other: summary, ratio, uncertainty: 0.01, bar: 0.2 };
}

test('the page names what misses its bar, in CPU, at the 99th percentile, and by itself', () => {
  const readings = [
    { name: 'memory', unit: 'MB', value: 60, most: 50 },
    { name: 'share', unit: 'times', value: 0.4, least: 0.5 },
    { name: 'wait', unit: 'ms', value: 3, other: 4, bar: 1 },
  ];
  const page = toMarkdown({ facts: {}, cells: [cell('get', 0.1), cell('list', 0.3), cell('apply', 0.1, 3)], readings }, 'cpu.svg');
  expect(page.slice(page.indexOf('Bars that are missed'))).toBe('Bars that are missed:\n\n- list: CPU\n- apply: p99\n- memory\n- share\n');
});

test('the page names what does not do enough a second where servers had all cores', () => {
  const slow = { ...cell('get', 0.1), leastSpeedup: 3 };
  const page = toMarkdown({ facts: {}, cells: [slow, cell('list', 0.1)], readings: [] }, 'cpu.svg');
  expect(page.slice(page.indexOf('Bars that are missed'))).toBe('Bars that are missed:\n\n- get: 3 times as many a second\n');
});

test('results of cells that were measured again replace those of before', () => {
  const before: Results = { facts: { commit: 'a' }, cells: [cell('get', 0.1), cell('list', 0.3)], readings: [] };
  const { facts, cells } = mergeResults(before, { facts: { commit: 'b' }, cells: [cell('get', 0.2), cell('apply', 0.2)], readings: [] });
  expect([facts, cells.map(({ name, ratio }) => [name, ratio])]).toEqual([
    { commit: 'b' },
    [
      ['get', 0.2],
      ['list', 0.3],
      ['apply', 0.2],
    ],
  ]);
});

test('a page without misses says so', () => {
  expect(toMarkdown({ facts: {}, cells: [cell('get', 0.2)], readings: [] }, 'cpu.svg')).toContain('All bars are kept.');
});

test.each(['performance', 'performance-all-cores'])('docs/%s.md and its chart are what the committed results make', (page) => {
  const results = JSON.parse(readFileSync(`docs/${page}/results.json`, 'utf8')) as Results;
  expect(readFileSync(`docs/${page}.md`, 'utf8')).toBe(toMarkdown(results, `${page}/cpu.svg`));
  expect(readFileSync(`docs/${page}/cpu.svg`, 'utf8')).toBe(toSvg(results.cells));
});
