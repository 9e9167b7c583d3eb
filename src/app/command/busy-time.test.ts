import { expect, test } from 'vitest';
import { whenBusyFor } from '#app/command/busy-time.ts';

test('calls back once, when all work since the beginning is as much as was asked for', () => {
  const tasks: (() => void)[] = [];
  let [busy, calls] = [1_000, 0];
  whenBusyFor(
    3_000,
    { after: (_, task) => (tasks.push(task), () => {}) },
    () => calls++,
    () => busy,
  );
  const look = () => tasks.shift()?.();
  look();
  busy = 3_900;
  look();
  expect(calls).toBe(0);
  busy = 4_000;
  look();
  look();
  expect([calls, tasks.length]).toEqual([1, 0]);
});
