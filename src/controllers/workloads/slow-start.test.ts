import { expect, test } from 'vitest';
import { nextTurn } from '#base/next-turn.ts';
import { slowStart } from '#controllers/workloads/slow-start.ts';

test('things are made one, two, four at a time', async () => {
  let running = 0;
  const most: number[] = [];
  const made = await slowStart(10, async () => {
    running++;
    await Promise.resolve();
    most.push(running);
    await Promise.resolve();
    running--;
  });
  expect(made).toEqual({ made: 10 });
  expect(most.map((count) => Math.max(1, count))).toEqual([1, 2, 2, 4, 4, 4, 4, 3, 3, 3]);
});

test('after a failure no further batch is begun, and what succeeded beside it counts', async () => {
  const asked: number[] = [];
  const result = await slowStart(100, async (index) => {
    asked.push(index);
    if (index === 4) throw new Error('refused');
  });
  expect(asked).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect(result).toEqual({ made: 6, failure: new Error('refused') });
});

test('others have their turn while many are made', async () => {
  let turns = 0;
  const turn = () => {
    turns++;
    setImmediate(turn).unref();
  };
  turn();
  const turnsAt: number[] = [];
  await slowStart(100, async (index) => void (turnsAt[index] = turns), 100);
  expect(turnsAt[99]).toBeGreaterThan(turnsAt[0] ?? 0);
});

test('of a large batch only some are under way at a time', async () => {
  let [running, most] = [0, 0];
  await slowStart(
    200,
    async () => {
      most = Math.max(most, ++running);
      for (let turns = 0; turns < 5; turns++) await nextTurn();
      running--;
    },
    200,
  );
  expect(most).toBe(8);
});
