import { expect, test } from 'vitest';
import { TurnWatch } from '#server/metrics/turn-watch.ts';

function watchWithClock() {
  const clock = { now: 1000, timer: undefined as (() => void) | undefined };
  const seen: [string, number][] = [];
  const watch = new TurnWatch<string>({
    now: () => clock.now,
    timers: {
      after: (_ms, then) => {
        clock.timer = then;
        return () => {
          clock.timer = undefined;
        };
      },
    },
    onLongTurn: (subject, ms) => seen.push([subject, ms]),
  });
  const tick = () => {
    const { timer } = clock;
    clock.timer = undefined;
    timer?.();
  };
  return { clock, seen, watch, tick };
}

test('time between two marks is charged to the first', () => {
  const { clock, seen, watch } = watchWithClock();
  watch.mark('quick');
  clock.now += 1;
  watch.mark('slow');
  clock.now += 300;
  watch.mark('waited');
  expect(seen).toEqual([['slow', 300]]);
});

test('the timer ends what no other request ends, and charges nothing to requests that wait for something else', () => {
  const { clock, seen, watch, tick } = watchWithClock();
  watch.mark('slow');
  clock.now += 40;
  tick();
  clock.now += 500;
  tick();
  expect(seen).toEqual([['slow', 40]]);
});

test('a server at rest has no timer', () => {
  const { clock, watch, tick } = watchWithClock();
  watch.mark('one');
  tick();
  expect(clock.timer).toBeDefined();
  tick();
  expect(clock.timer).toBeUndefined();
  watch.mark('another');
  expect(clock.timer).toBeDefined();
  watch.stop();
  expect(clock.timer).toBeUndefined();
});
