// Which start of a CronJob is due, and when the next one will be. All times in milliseconds since the epoch.
import type { CronSchedule } from '#base/time/cron-schedule.ts';

export interface CronFacts {
  readonly created: number;
  readonly lastScheduled: number | undefined;
  /** A start that is later than this is missed. */
  readonly deadlineMs: number | undefined;
}

export type Missed = 'none' | 'few' | 'many';

export interface DueTime {
  /** The latest start that should have been; undefined: none. */
  readonly due: number | undefined;
  readonly missed: Missed;
}

/** More missed starts than this are a sign of a wrong clock. */
const manyMissed = 100;
/** Clocks differ a little; a look that comes too early would find nothing. */
const clockSkewMs = 100;

/** A text: the schedule names times that never come, such as 31 February. */
export function dueTime(facts: CronFacts, schedule: CronSchedule, now: number): DueTime | string {
  const { deadlineMs } = facts;
  const last = facts.lastScheduled ?? facts.created;
  return latestDue(deadlineMs === undefined ? last : Math.max(last, now - deadlineMs), schedule, now);
}

/** In how many milliseconds a CronJob is to be looked at again. */
export function nextLookMs(facts: CronFacts, schedule: CronSchedule, now: number): number {
  const last = facts.lastScheduled ?? facts.created;
  const found = latestDue(last, schedule, now);
  const from = typeof found === 'string' ? now : (found.due ?? (found.missed === 'none' ? last : now));
  return (schedule.next(from) ?? now) + clockSkewMs - now;
}

/** The count of missed starts is estimated by the first interval alone; the latest of them is found exactly. */
function latestDue(earliest: number, schedule: CronSchedule, now: number): DueTime | string {
  const first = schedule.next(earliest);
  const second = first === undefined ? undefined : schedule.next(first);
  if (first !== undefined && now < first) return { due: undefined, missed: 'none' };
  if (first !== undefined && second !== undefined && now < second) return { due: first, missed: 'none' };
  const intervalMs = first === undefined || second === undefined ? 0 : Math.round((second - first) / 1000) * 1000;
  if (first === undefined || intervalMs < 1000) return 'time difference between two schedules is less than 1 second';
  const count = Math.floor((now - first) / intervalMs) + 1;
  let due: number | undefined;
  let next = schedule.next(first + (count - 2) * intervalMs);
  while (next !== undefined && next <= now) {
    due = next;
    next = schedule.next(next);
  }
  return { due, missed: count > manyMissed ? 'many' : 'few' };
}
