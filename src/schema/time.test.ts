import { describe, expect, test } from 'vitest';
import { canonicalMicroTime, canonicalTime, formatTime, TimeError } from '#schema/time.ts';

describe('times', () => {
  test.each([
    ['2020-01-02T15:04:05Z', '2020-01-02T15:04:05Z'],
    ['2020-01-02T15:04:05.999999999Z', '2020-01-02T15:04:05Z'],
    ['2020-01-02T01:04:05+02:00', '2020-01-01T23:04:05Z'],
    ['2020-01-02T5:04:05Z', '2020-01-02T05:04:05Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00Z'],
    ['0099-12-31T23:59:59Z', '0099-12-31T23:59:59Z'],
  ])('%s is written as %s', (given, expected) => {
    expect(canonicalTime(given)).toBe(expected);
  });

  test('the zero time is no time', () => {
    expect(canonicalTime('0001-01-01T00:00:00Z')).toBeUndefined();
    expect(canonicalTime('0001-01-01T01:00:00+01:00')).toBeUndefined();
    expect(canonicalMicroTime('0001-01-01T00:00:00.000000Z')).toBeUndefined();
  });

  test.each([
    ['yesterday', 'parsing time "yesterday" as "2006-01-02T15:04:05Z07:00": cannot parse "yesterday" as "2006"'],
    ['', 'parsing time "" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "2006"'],
    ['2020-01-01', 'parsing time "2020-01-01" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "T"'],
    ['2020-01-01T00:00:00', 'parsing time "2020-01-01T00:00:00" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "Z07:00"'],
    ['2020-13-01T00:00:00Z', 'parsing time "2020-13-01T00:00:00Z": month out of range'],
    ['2023-02-29T00:00:00Z', 'parsing time "2023-02-29T00:00:00Z": day out of range'],
    ['2020-01-01T24:00:00Z', 'parsing time "2020-01-01T24:00:00Z": hour out of range'],
    ['2020-01-01T00:00:00Zx', 'parsing time "2020-01-01T00:00:00Zx": extra text: "x"'],
    ['é', 'parsing time "\\xc3\\xa9" as "2006-01-02T15:04:05Z07:00": cannot parse "\\xc3\\xa9" as "2006"'],
  ])('%j is refused in the words of the original', (given, message) => {
    expect(() => canonicalTime(given)).toThrow(new TimeError(message));
  });
});

describe('times with microseconds', () => {
  test('need six digits and keep them', () => {
    expect(canonicalMicroTime('2020-01-01T02:00:00.000001+02:00')).toBe('2020-01-01T00:00:00.000001Z');
    expect(() => canonicalMicroTime('2020-01-01T00:00:00.5Z')).toThrow('cannot parse ".5Z" as ".000000"');
    expect(() => canonicalMicroTime('2020-01-01T00:00:00.123456789Z')).toThrow('cannot parse "789Z" as "Z07:00"');
  });
});

test('dates become times', () => {
  const date = new Date(Date.UTC(2026, 10, 16, 1, 2, 3, 456));
  expect(formatTime(date)).toBe('2026-11-16T01:02:03Z');
});
