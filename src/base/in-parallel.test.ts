import { expect, test } from 'vitest';
import { inParallel } from '#base/in-parallel.ts';

test('so many items are worked on at a time, each once', async () => {
  const [waiting, seen]: [(() => void)[], number[]] = [[], []];
  const all = inParallel([1, 2, 3, 4, 5], 2, async (item) => {
    seen.push(item);
    await new Promise<void>((resolve) => waiting.push(resolve));
  });
  for (const expected of [
    [1, 2],
    [1, 2, 3],
    [1, 2, 3, 4],
    [1, 2, 3, 4, 5],
  ]) {
    expect(seen).toEqual(expected);
    waiting.shift()?.();
    await new Promise(setImmediate);
  }
  for (const end of waiting) end();
  await all;
});

test('the first failure is thrown, and nothing is begun after it', async () => {
  const seen: number[] = [];
  const work = async (item: number) => {
    seen.push(item);
    await new Promise(setImmediate);
    if (item === 2) throw new Error('two');
  };
  await expect(inParallel([1, 2, 3, 4, 5, 6], 2, work)).rejects.toThrow('two');
  await new Promise(setImmediate);
  expect(seen).toEqual([1, 2, 3]);
});
