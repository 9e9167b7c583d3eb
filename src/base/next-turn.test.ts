import { expect, test } from 'vitest';
import { Turn } from '#base/next-turn.ts';

test('steps of a short turn follow each other at once', () => {
  expect(new Turn(60_000).next()).toBeUndefined();
});

test('after a long turn others have theirs', async () => {
  let served = false;
  setImmediate(() => {
    served = true;
  });
  await new Turn(0).next();
  expect(served).toBe(true);
});

test('of many small steps one in sixteen looks at the clock', () => {
  const turn = new Turn(0);
  const looks = Array.from({ length: 32 }, () => turn.nextSmall() !== undefined);
  expect(looks.flatMap((looked, step) => (looked ? [step] : []))).toEqual([15, 31]);
});
