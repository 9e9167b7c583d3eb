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
