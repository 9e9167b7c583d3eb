import { expect, test } from 'vitest';
import { inOneGo, inTurns, type Steps } from '#base/steps.ts';

function* counting(): Steps<number> {
  let sum = 0;
  for (const part of [1, 2, 3]) {
    sum += part;
    yield;
  }
  return sum;
}

test('steps can be done at once', () => {
  expect(inOneGo(counting())).toBe(6);
});

test('others have their turn between two steps', async () => {
  let turns = 0;
  const count = () => {
    turns++;
    if (turns < 100) setImmediate(count);
  };
  setImmediate(count);
  expect(await inTurns(counting())).toBe(6);
  expect(turns).toBeGreaterThanOrEqual(2);
});

test('what a step throws ends the work', async () => {
  // oxlint-disable-next-line require-yield
  const failing = function* (): Steps<never> {
    throw new Error('no');
  };
  expect(() => inOneGo(failing())).toThrow('no');
  await expect(inTurns(failing())).rejects.toThrow('no');
});
