import { expect, test } from 'vitest';
import { EventCorrelator } from '#client/event-correlator.ts';

function correlator() {
  const clock = { now: 0 };
  const correlating = new EventCorrelator(() => clock.now);
  const say = (message: string, about = 'ReplicaSet/web') => correlating.correlate({ about, type: 'Normal', reason: 'SuccessfulCreate', message });
  return { clock, say };
}

test('the tenth similar Event and those after it are told as one', () => {
  const { say } = correlator();
  const told = Array.from({ length: 12 }, (_, index) => say(`Created pod: web-${index}`));
  expect(new Set(told.slice(0, 9).map((event) => event?.key)).size).toBe(9);
  expect(told[8]).toMatchObject({ message: 'Created pod: web-8', isCombined: false });
  expect(told.slice(9).map((event) => event?.message)).toEqual([9, 10, 11].map((index) => `(combined from similar events): Created pod: web-${index}`));
  expect(new Set(told.slice(9).map((event) => event?.key)).size).toBe(1);
});

test('similar Events that are far apart are told one by one', () => {
  const { say, clock } = correlator();
  for (let index = 0; index < 9; index++) say(`Created pod: web-${index}`);
  clock.now += 600_001;
  expect(say('Created pod: web-9')?.isCombined).toBe(false);
});

test('an object tells 25 Events at once, then one every five minutes; others are not held up', () => {
  const { say, clock } = correlator();
  const told = Array.from({ length: 40 }, () => say('again'));
  expect(told.filter((event) => event !== undefined)).toHaveLength(25);
  expect(say('again', 'ReplicaSet/other')).toBeDefined();
  clock.now += 300_000;
  expect(say('again')).toBeDefined();
  expect(say('again')).toBeUndefined();
});
