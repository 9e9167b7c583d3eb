import { describe, expect, test } from 'vitest';
import { type CronSchedule, parseCronSchedule } from '#base/time/cron-schedule.ts';
import { dueTime, nextLookMs } from '#controllers/workloads/cron-jobs/due-times.ts';

const at = (text: string) => Date.parse(`2026-01-${text}Z`);

function scheduleOf(text: string): CronSchedule {
  const schedule = parseCronSchedule(text, 'UTC');
  if (typeof schedule === 'string') throw new Error(schedule);
  return schedule;
}

interface Case {
  readonly schedule: string;
  readonly last?: string;
  readonly now: string;
  readonly deadlineSeconds?: number;
  readonly due?: string;
  readonly missed: 'none' | 'few' | 'many';
  readonly nextLook: string;
}

const created = at('01T09:30:00');

describe('which start is due', () => {
  test.each<[string, Case]>([
    ['none before the first', { schedule: '0 * * * *', now: '01T09:59:59', missed: 'none', nextLook: '01T10:00:00.100' }],
    ['the first, when it has come', { schedule: '0 * * * *', now: '01T10:00:00', due: '01T10:00:00', missed: 'none', nextLook: '01T11:00:00.100' }],
    ['none after the last was started', { schedule: '0 * * * *', last: '01T10:00:00', now: '01T10:10:00', missed: 'none', nextLook: '01T11:00:00.100' }],
    ['the latest of several', { schedule: '0 * * * *', now: '01T14:10:00', due: '01T14:00:00', missed: 'few', nextLook: '01T15:00:00.100' }],
    ['the latest of very many', { schedule: '0 * * * *', now: '11T14:10:00', due: '11T14:00:00', missed: 'many', nextLook: '11T15:00:00.100' }],
    [
      'the latest within the deadline',
      { schedule: '0 * * * *', now: '11T14:10:00', deadlineSeconds: 3600, due: '11T14:00:00', missed: 'none', nextLook: '11T15:00:00.100' },
    ],
    ['none where all are past the deadline', { schedule: '0 * * * *', now: '11T14:10:00', deadlineSeconds: 300, missed: 'none', nextLook: '11T15:00:00.100' }],
    ['the latest of uneven times', { schedule: '30 6-16/4 * * 1-5', now: '12T11:00:00', due: '12T10:30:00', missed: 'few', nextLook: '12T14:30:00.100' }],
    [
      'the latest of intervals from the last',
      { schedule: '@every 7m', last: '01T10:00:00', now: '01T11:00:00', due: '01T10:56:00', missed: 'few', nextLook: '01T11:03:00.100' },
    ],
  ])('%s', (_, { schedule: text, last, now, deadlineSeconds, due, missed, nextLook }) => {
    const schedule = scheduleOf(text);
    const deadlineMs = deadlineSeconds === undefined ? undefined : deadlineSeconds * 1000;
    const facts = { created, lastScheduled: last === undefined ? undefined : at(last), deadlineMs };
    expect(dueTime(facts, schedule, at(now))).toEqual({ due: due === undefined ? undefined : at(due), missed });
    expect(new Date(at(now) + nextLookMs(facts, schedule, at(now))).toISOString()).toBe(`2026-01-${nextLook}Z`);
  });

  test('a time that never comes is a problem', () => {
    const facts = { created, lastScheduled: undefined, deadlineMs: undefined };
    expect(dueTime(facts, scheduleOf('59 23 31 2 *'), created)).toBe('time difference between two schedules is less than 1 second');
  });
});
