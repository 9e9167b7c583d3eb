import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { unifiedDiff } from '#base/unified-diff.ts';

const numbers = (count: number) => Array.from({ length: count }, (_, index) => String(index + 1));
const changedAt = (lines: readonly string[], ...at: readonly number[]) => lines.map((line, index) => (at.includes(index + 1) ? `${line}!` : line)).join('\n');

describe('a unified diff', () => {
  test('of equal texts is empty', () => {
    expect(unifiedDiff('a\nb', 'a\nb')).toBe('');
  });

  test('shows a changed line with three lines on either side', () => {
    const lines = numbers(9);
    expect(unifiedDiff(lines.join('\n'), changedAt(lines, 5))).toBe('@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+5!\n 6\n 7\n 8\n');
  });

  test('joins changes that share their context, and keeps others apart', () => {
    const lines = numbers(30);
    const heads = (...at: readonly number[]) => unifiedDiff(lines.join('\n'), changedAt(lines, ...at)).match(/@@.*@@/g);
    expect(heads(5, 12)).toEqual(['@@ -2,14 +2,14 @@']);
    expect(heads(5, 13)).toEqual(['@@ -2,7 +2,7 @@', '@@ -10,7 +10,7 @@']);
  });

  test('names an empty range after the line before it, and a single line without a count', () => {
    expect(unifiedDiff('a', 'b')).toBe('@@ -1 +1 @@\n-a\n+b\n');
    expect(unifiedDiff('a\nb', 'a\nx\nb', 0)).toBe('@@ -1,0 +2 @@\n+x\n');
  });

  test('begins no match with a line that stands everywhere in a long text', () => {
    const crowded = [...Array.from({ length: 200 }, () => '}'), 'only'];
    expect(unifiedDiff(['x', '}', 'y'].join('\n'), crowded.join('\n'), 0)).toMatch(/^@@ -1,3 \+1,201 @@\n-x\n-}\n-y\n/);
    expect(unifiedDiff(['x', '}', 'only'].join('\n'), crowded.join('\n'), 0)).toMatch(/^@@ -1 \+1,199 @@\n-x\n/);
  });

  test('turns the one text into the other', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c', '{', '}'), { minLength: 1, maxLength: 40 }).map((lines) => lines.join('\n'));
    fc.assert(fc.property(text, text, fc.nat(4), (before, after, context) => applied(before, unifiedDiff(before, after, context)) === after));
  });
});

/** What `patch` makes of it. */
function applied(before: string, diff: string): string {
  const lines = before.split('\n');
  const result: string[] = [];
  let at = 0;
  for (const line of diff.split('\n').slice(0, -1)) {
    const [, from, count] = /^@@ -(\d+)(?:,(\d+))? /.exec(line) ?? [];
    if (from !== undefined) {
      const start = Number(from) - (count === '0' ? 0 : 1);
      result.push(...lines.slice(at, start));
      at = start;
    } else if (line.startsWith('+')) result.push(line.slice(1));
    else if (line.startsWith('-')) at++;
    else result.push(lines[at++] ?? '');
  }
  return [...result, ...lines.slice(at)].join('\n');
}
