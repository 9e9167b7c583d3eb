import { describe, expect, test } from 'vitest';
import { ageOf, humanDuration } from '#kinds/rules/age.ts';

const [minute, hour, day] = [60, 3600, 86_400];

describe('a duration for people', () => {
  test.each([
    [-2, '<invalid>'],
    [-1, '0s'],
    [0, '0s'],
    [119, '119s'],
    [2 * minute, '2m'],
    [9 * minute + 59, '9m59s'],
    [10 * minute, '10m'],
    [3 * hour - 1, '179m'],
    [3 * hour, '3h'],
    [7 * hour + 59 * minute, '7h59m'],
    [8 * hour, '8h'],
    [2 * day - 1, '47h'],
    [2 * day, '2d'],
    [7 * day + 23 * hour, '7d23h'],
    [8 * day, '8d'],
    [729 * day, '729d'],
    [730 * day, '2y'],
    [3 * 365 * day + 5 * day, '3y5d'],
    [8 * 365 * day, '8y'],
    [20 * 365 * day + 5 * day, '20y'],
  ])('%i seconds are %s', (seconds, text) => {
    expect(humanDuration(seconds)).toBe(text);
  });
});

test('the age of what has no time is unknown', () => {
  const now = new Date('2030-01-02T00:00:10Z');
  expect(ageOf(undefined, { now })).toBe('<unknown>');
  expect(ageOf('2030-01-02T00:00:00Z', { now })).toBe('10s');
});
