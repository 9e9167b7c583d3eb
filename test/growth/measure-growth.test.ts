import { describe, expect, it } from 'vitest';
import { headBytes } from './growth-entry.ts';
import { allowedDoubling, measureGrowth } from './measure-growth.ts';

const overText = (take: (text: string) => unknown, text: (bytes: number) => string = (bytes) => `${'1'.repeat(bytes)}x`) => ({
  maxBytes: headBytes,
  prepare: (bytes: number) => {
    const made = text(bytes);
    return () => take(made);
  },
});

describe('growth is told apart', () => {
  it.each([
    ['a regular expression that tries every start', /\d+s$/],
    ['blanks cut off by a pattern that is tried at every blank', /1+$/],
  ])('%s is quadratic', (_name, pattern) => {
    expect(measureGrowth(overText((text) => pattern.test(text))).doubling).toBeGreaterThan(allowedDoubling);
  });

  it('a list that is searched for each of its members is quadratic', () => {
    const search = (text: string) => {
      const seen: string[] = [];
      for (const part of text.split(',')) if (!seen.includes(part)) seen.push(part);
    };
    const growth = measureGrowth(overText(search, (bytes) => Array.from({ length: bytes / 6 }, (_, i) => 10_000 + i).join(',')));
    expect(growth.doubling).toBeGreaterThan(allowedDoubling);
  });

  it.each([
    ['reading a text once', (text: string) => [...text].filter((character) => character === '1').length],
    ['sorting', (text: string) => Array.from({ length: text.length }, (_, i) => (i * 7919) % 104_729).sort((a, b) => a - b)],
  ])('%s is not', (_name, take) => {
    expect(measureGrowth(overText(take)).doubling).toBeLessThanOrEqual(allowedDoubling);
  });

  it('a stack that overflows is no refusal', () => {
    const deep = (depth: number): number => (depth === 0 ? 0 : 1 + deep(depth - 1));
    expect(() => measureGrowth(overText((text) => deep(text.length)))).toThrow(RangeError);
  });
});
