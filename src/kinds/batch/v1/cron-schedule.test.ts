import { describe, expect, test } from 'vitest';
import { scheduleProblem } from '#kinds/batch/v1/cron-schedule.ts';
import { isTimeZone } from '#kinds/batch/v1/time-zones.ts';

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
    expect(scheduleProblem(schedule, isTimeZone)).toBeUndefined();
  });

  test.each([
    ['* * * * 7', 'end of range (7) above maximum (6): 7'],
    ['* * * 13 *', 'end of range (13) above maximum (12): 13'],
    ['-5 * * * *', 'failed to parse int from : strconv.Atoi: parsing "": invalid syntax'],
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
    expect(scheduleProblem(schedule, isTimeZone)).toBe(problem);
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
