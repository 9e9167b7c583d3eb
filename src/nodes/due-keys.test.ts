import { expect, test } from 'vitest';
import { ManualTimers } from '../../test/support/manual-timers.ts';
import { DueKeys } from '#nodes/due-keys.ts';

function dueInTest() {
  const timers = new ManualTimers();
  let now = 0;
  const seen: string[] = [];
  const due = new DueKeys({ timers, now: () => now, onDue: (key) => seen.push(`${key}@${now}`) });
  const pass = (milliseconds: number) => {
    for (let step = 0; step < milliseconds; step += 10) {
      now += 10;
      timers.advance(10);
    }
  };
  return { timers, due, seen, pass };
}

test('keys are told in the order of their times, with one timer for all of them', () => {
  const { timers, due, seen, pass } = dueInTest();
  for (const at of [500, 100, 300, 200, 400]) due.set(`k${at}`, at);
  expect(timers.pending).toBe(1);
  pass(600);
  expect(seen).toEqual(['k100@100', 'k200@200', 'k300@300', 'k400@400', 'k500@500']);
  expect(timers.pending).toBe(0);
});

test('a key has one time, the last that was set, and none when it was deleted', () => {
  const { due, seen, pass } = dueInTest();
  due.set('later', 100);
  due.set('later', 300);
  due.set('sooner', 300);
  due.set('sooner', 100);
  due.set('gone', 100);
  due.delete('gone');
  pass(400);
  expect(seen).toEqual(['sooner@100', 'later@300']);
  expect(due.size).toBe(0);
});

test('ten thousand keys in any order come sorted', () => {
  const { due, seen, pass } = dueInTest();
  for (let i = 0; i < 10_000; i++) due.set(String(i), ((i * 7_919) % 10_007) + 1);
  pass(10_010);
  const times = seen.map((entry) => Number(entry.split('@')[1]));
  expect(times).toHaveLength(10_000);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
});
