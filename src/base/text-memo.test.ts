import { expect, test } from 'vitest';
import { TextMemo } from '#base/text-memo.ts';

test('what was worked out for a short text is kept', () => {
  const memo = new TextMemo<number>();
  memo.add('a', () => 1);
  expect([memo.get('a'), memo.get('b')]).toEqual([1, undefined]);
});

test('long texts are not kept', () => {
  const memo = new TextMemo<number>();
  expect(memo.add('a'.repeat(1001), () => 1)).toBe(1);
  expect(memo.size).toBe(0);
});

test('texts take no more room than they may, however many come', () => {
  const memo = new TextMemo<number>(10_000);
  for (let index = 0; index < 100_000; index++) {
    memo.add(`text ${index} ${'x'.repeat(index % 900)}`, () => index);
    expect(memo.size).toBeLessThanOrEqual(10_000 / 50);
  }
});
