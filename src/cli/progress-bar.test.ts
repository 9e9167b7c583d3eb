import { expect, test } from 'vitest';
import { progressBar } from '#cli/progress-bar.ts';

function terminal(isTTY: boolean, columns = 200) {
  const written: string[] = [];
  return { isTTY, columns, written, write: (text: string) => written.push(text) };
}

test('a terminal sees how far it is, not more often than it can be seen, and the end always', () => {
  const screen = terminal(true);
  let time = 0;
  const bar = progressBar('export', screen, () => time);
  bar.report(1, 4, 'pods');
  time = 10;
  bar.report(2, 4, 'pods');
  time = 60;
  bar.report(3, 4, 'services');
  time = 61;
  bar.report(4, 4, 'services');
  bar.end();
  expect(screen.written.map((text) => /(\d+) %  (\d of \d  \w+)/.exec(text)?.slice(1) ?? text)).toEqual([
    ['25', '1 of 4  pods'],
    ['75', '3 of 4  services'],
    ['100', '4 of 4  services'],
    '\n',
  ]);
});

test('a narrow terminal gets one line, and a file nothing', () => {
  const narrow = terminal(true, 20);
  progressBar('export', narrow, () => 0).report(1, 2, 'pods');
  expect(narrow.written[0]?.replace('\r\x1b[K', '')).toHaveLength(19);
  const file = terminal(false);
  const bar = progressBar('export', file, () => 0);
  bar.report(1, 2, 'pods');
  bar.end();
  expect(file.written).toEqual([]);
});
