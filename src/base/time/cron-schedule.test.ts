import { describe, expect, test } from 'vitest';
import { parseCronSchedule, scheduleProblem } from '#base/time/cron-schedule.ts';
import { isTimeZone } from '#base/time/time-zones.ts';

describe('a cron schedule', () => {
  test.each([
    '* * * * *',
    '0-59/5 * * * *',
    '5/10 * * * *',
    '? ? ? ? ?',
    '0 0 1 JAN,feb sun-sat',
    '1,,2 * * * *',
    ', * * * *',
    '*-5 * * * *',
    '* * * * MON-FRI/2',
    '05 * * * *',
    '@hourly',
    '@every 1h30m5.5s',
    ' * *  *\t* * ',
    'TZ= * * * * *',
    'CRON_TZ=America/New_York 0 0 * * *',
    'TZ=UTC @hourly',
  ])('may be %j', (schedule) => {
    expect(scheduleProblem(schedule)).toBeUndefined();
  });

  test.each([
    ['* * * * 7', 'end of range (7) above maximum (6): 7'],
    ['* * * 13 *', 'end of range (13) above maximum (12): 13'],
    ['-5 * * * *', 'failed to parse int from : strconv.Atoi: parsing "": invalid syntax'],
    ['1-x-3 * * * *', 'too many hyphens: 1-x-3'],
    ['*/5/5 * * * *', 'too many slashes: */5/5'],
    ['99999999999999999999 * * * *', 'failed to parse int from 99999999999999999999: strconv.Atoi: parsing "99999999999999999999": value out of range'],
    ['@Hourly', 'unrecognized descriptor: @Hourly'],
    ['@every', 'unrecognized descriptor: @every'],
    ['@every 1d', 'failed to parse duration @every 1d: time: unknown unit "d" in duration "1d"'],
    ['* * * * jan', 'failed to parse int from jan: strconv.Atoi: parsing "jan": invalid syntax'],
    ['1-2/0 * * * *', 'step of range should be a positive number: 1-2/0'],
    ['TZ=local * * * * *', 'provided bad location local: unknown time zone local'],
    ['TZ=UTC', 'invalid schedule format: runtime error: slice bounds out of range [:-1]'],
    ['', 'empty spec string'],
  ])('may not be %j', (schedule, problem) => {
    expect(scheduleProblem(schedule)).toBe(problem);
  });
});

test('time zones are known in their own spelling', () => {
  expect(['UTC', 'Europe/Berlin', 'US/Pacific', 'Etc/GMT+1', 'America/Argentina/Ushuaia', 'utc', 'Europe/berlin', 'GMT+1'].map(isTimeZone)).toEqual([
    true,
    true,
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
});

// What robfig/cron v3.0.1 answers.
test.each([
  ['TZ=Europe/Berlin 30 2 * * *', '2026-03-28T12:00:00Z', '2026-03-30T00:30:00.000Z'],
  ['TZ=Europe/Berlin 30 2 * * *', '2026-10-24T12:00:00Z', '2026-10-25T00:30:00.000Z'],
  ['TZ=Europe/Berlin 30 2 * * *', '2026-10-25T00:30:00Z', '2026-10-25T01:30:00.000Z'],
  ['TZ=Europe/Berlin 0 * * * *', '2026-03-29T00:30:00Z', '2026-03-29T01:00:00.000Z'],
  ['TZ=Europe/Berlin 0 * * * *', '2026-10-25T00:30:00Z', '2026-10-25T01:00:00.000Z'],
  ['TZ=America/Sao_Paulo 0 0 * * *', '2018-11-03T12:00:00Z', '2018-11-05T02:00:00.000Z'],
  ['TZ=America/Sao_Paulo 0 0 * * 0', '2018-11-01T12:00:00Z', '2018-11-11T02:00:00.000Z'],
  ['TZ=Australia/Lord_Howe 15 2 * * *', '2026-10-03T12:00:00Z', '2026-10-04T15:15:00.000Z'],
  ['TZ=America/New_York 0 0 1 * *', '2026-02-28T12:00:00Z', '2026-03-01T05:00:00.000Z'],
  ['TZ=Asia/Kathmandu @daily', '2026-01-01T00:00:00Z', '2026-01-01T18:15:00.000Z'],
  ['TZ=UTC 0 0 13 * 5', '2026-02-01T00:00:00Z', '2026-02-06T00:00:00.000Z'],
  ['TZ=UTC 0 0 */13 * 5', '2026-02-15T00:00:00Z', '2026-02-20T00:00:00.000Z'],
  ['TZ=UTC 0 0 13 * */1', '2026-02-01T00:00:00Z', '2026-02-13T00:00:00.000Z'],
  ['TZ=UTC 59 23 31 2 *', '2026-01-01T00:00:00Z', undefined],
  ['TZ=UTC 0 0 29 2 *', '2026-01-01T00:00:00Z', '2028-02-29T00:00:00.000Z'],
  ['@every 90m', '2026-01-01T00:00:00.5Z', '2026-01-01T01:30:00.000Z'],
  ['@every 1ms', '2026-01-01T00:00:00.5Z', '2026-01-01T00:00:01.000Z'],
  ['TZ=UTC 5/20 * * * *', '2026-01-01T00:45:00Z', '2026-01-01T01:05:00.000Z'],
])('%s after %s comes due at %s', (schedule, after, due) => {
  expect(isoOf(nextOf(schedule, after))).toBe(due);
});

test('a day that a zone left out is passed over', () => {
  expect(isoOf(nextOf('TZ=Pacific/Apia 0 12 30 12 *', '2011-12-01T00:00:00Z'))).toBe('2012-12-29T22:00:00.000Z');
});

test('a schedule without a zone is about clocks of the local zone', () => {
  const schedule = parseCronSchedule('0 9 * * *', 'Asia/Tokyo');
  expect(typeof schedule === 'string' ? schedule : isoOf(schedule.next(Date.parse('2026-01-01T00:00:00Z')))).toBe('2026-01-02T00:00:00.000Z');
});

function nextOf(schedule: string, after: string): number | undefined {
  const parsed = parseCronSchedule(schedule, 'UTC');
  if (typeof parsed === 'string') throw new Error(parsed);
  return parsed.next(Date.parse(after));
}

function isoOf(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : new Date(ms).toISOString();
}
