import { expect, test } from 'vitest';
import { type LoopTimes, whenLoopIsBusy } from '#app/command/busy-loop.ts';

function watched(busyMs: number) {
  const tasks: (() => void)[] = [];
  let times: LoopTimes = { activeMs: 700, idleMs: 300 };
  let calls = 0;
  whenLoopIsBusy(
    busyMs,
    { after: (_, task) => (tasks.push(task), () => {}) },
    () => calls++,
    () => times,
  );
  return {
    /** How often it was called back when the loop has had these times since the last look. */
    after(activeMs: number, idleMs: number) {
      times = { activeMs: times.activeMs + activeMs, idleMs: times.idleMs + idleMs };
      tasks.shift()?.();
      return calls;
    },
    looksAgain: () => tasks.length > 0,
  };
}

test('calls back once, when all work since the beginning is as much as was asked for', () => {
  const loop = watched(300);
  expect([loop.after(140, 60), loop.after(140, 60), loop.looksAgain()]).toEqual([0, 0, true]);
  expect([loop.after(20, 180), loop.looksAgain()]).toEqual([1, false]);
});

test('calls back at once when the loop had no time to rest', () => {
  const loop = watched(3_000);
  expect([loop.after(150, 50), loop.after(190, 10), loop.looksAgain()]).toEqual([0, 1, false]);
});

test('a look that comes early says nothing about the loop', () => {
  const loop = watched(3_000);
  expect([loop.after(20, 0), loop.looksAgain()]).toEqual([0, true]);
});
