import { expect, test } from 'vitest';
import { inOneGo, inTurns, type Steps } from '#base/steps.ts';
import { Turn } from '#base/next-turn.ts';

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

test('others have their turn between two steps that are not quick', async () => {
  let turns = 0;
  const count = () => {
    turns++;
    if (turns < 100) setImmediate(count);
  };
  setImmediate(count);
  expect(await inTurns(counting(), new Turn(0))).toBe(6);
  expect(turns).toBeGreaterThanOrEqual(2);
});

test('quick steps need no promise', () => {
  expect(inTurns(counting(), new Turn(60_000))).toBe(6);
});

test('what a step throws ends the work', () => {
  // oxlint-disable-next-line require-yield
  const failing = function* (): Steps<never> {
    throw new Error('no');
  };
  expect(() => inOneGo(failing())).toThrow('no');
  expect(() => inTurns(failing())).toThrow('no');
});
