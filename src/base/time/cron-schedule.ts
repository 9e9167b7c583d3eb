// When a cron schedule comes due, as robfig/cron's standard parser and its schedules say it: what validation refuses and what the CronJob
// controller goes by is the same reading.
import { type CronField, type CronFields, parseCronFields } from '#base/time/cron-fields.ts';
import { isTimeZone } from '#base/time/time-zones.ts';
import { momentOf, type TimeZone, timeZone, type WallTime, wallTime } from '#base/time/zoned-time.ts';
import { DurationError, parseDuration } from '#base/time/duration.ts';

export interface CronSchedule {
  /** The first time after `ms`, both in milliseconds since the epoch; undefined: none within five years. */
  next(ms: number): number | undefined;
}

const descriptors: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};

/** Undefined when the schedule is fine. */
export function scheduleProblem(schedule: string): string | undefined {
  const parsed = parseCronSchedule(schedule, '');
  return typeof parsed === 'string' ? parsed : undefined;
}

/** A text: what is wrong. A schedule that names no zone (`TZ=…` in front) is about clocks of `localZone`. */
export function parseCronSchedule(schedule: string, localZone: string): CronSchedule | string {
  if (schedule === '') return 'empty spec string';
  const zoned = /^(?:CRON_)?TZ=([^ ]*)( ?)/.exec(schedule);
  if (zoned === null) return parsePlain(schedule, localZone);
  const [prefix, name = '', space] = zoned;
  if (space === '') return `invalid schedule format: runtime error: slice bounds out of range [:-1]`;
  if (!isTimeZone(name)) return `provided bad location ${name}: unknown time zone ${name}`;
  return parsePlain(schedule.slice(prefix.length).trim(), name === 'Local' ? localZone : name);
}

function parsePlain(schedule: string, zone: string): CronSchedule | string {
  if (schedule.startsWith('@every ')) return parseInterval(schedule);
  const plain = schedule.startsWith('@') ? (Object.hasOwn(descriptors, schedule) ? descriptors[schedule] : undefined) : schedule;
  if (plain === undefined) return `unrecognized descriptor: ${schedule}`;
  const fields = parseCronFields(plain);
  if (typeof fields === 'string') return fields;
  const clock = timeZone(zone);
  return { next: (ms) => nextDue(fields, clock, ms) };
}

/** At least a second, and whole ones. */
function parseInterval(schedule: string): CronSchedule | string {
  try {
    const seconds = Math.max(1, Number(parseDuration(schedule.slice('@every '.length)) / 1_000_000_000n));
    return { next: (ms) => Math.floor(ms / 1000) * 1000 + seconds * 1000 };
  } catch (error) {
    if (error instanceof DurationError) return `failed to parse duration ${schedule}: ${error.message}`;
    throw error;
  }
}

/** How the search moves on where the clock does not match. */
interface Unit {
  matches(fields: CronFields, at: WallTime): boolean;
  /** The beginning of the unit. */
  begin(zone: TimeZone, ms: number, at: WallTime): number;
  next(zone: TimeZone, ms: number, at: WallTime): number;
  /** The greater unit has changed, and must be matched again. */
  wrapped(at: WallTime): boolean;
}

const hourMs = 3_600_000;
const minuteMs = 60_000;

const units: readonly Unit[] = [
  {
    matches: ({ month }, at) => month.values.has(at.month),
    begin: (zone, _ms, at) => momentOf(zone, { ...at, day: 1, hour: 0 }),
    next: (zone, _ms, at) => momentOf(zone, { ...at, month: at.month + 1 }),
    wrapped: ({ month }) => month === 1,
  },
  {
    matches: dayMatches,
    begin: (zone, _ms, at) => momentOf(zone, { ...at, hour: 0 }),
    next: nextDay,
    wrapped: ({ day }) => day === 1,
  },
  {
    matches: ({ hour }, at) => hour.values.has(at.hour),
    begin: (zone, _ms, at) => momentOf(zone, at),
    next: (_zone, ms) => ms + hourMs,
    wrapped: ({ hour }) => hour === 0,
  },
  {
    matches: ({ minute }, at) => minute.values.has(at.minute),
    begin: (_zone, ms) => ms - (ms % minuteMs),
    next: (_zone, ms) => ms + minuteMs,
    wrapped: ({ minute }) => minute === 0,
  },
  {
    matches: (_fields, { second }) => second === 0,
    begin: (_zone, ms) => ms,
    next: (_zone, ms) => ms + 1000,
    wrapped: ({ second }) => second === 0,
  },
];

/** Where both fields of days restrict, either is enough. */
function dayMatches({ dayOfMonth, dayOfWeek }: CronFields, at: WallTime): boolean {
  const matches = ({ values }: CronField, value: number) => values.has(value);
  const [byMonth, byWeek] = [matches(dayOfMonth, at.day), matches(dayOfWeek, at.weekday)];
  return dayOfMonth.isStar || dayOfWeek.isStar ? byMonth && byWeek : byMonth || byWeek;
}

/** A zone may leave out a whole day (Pacific/Apia, 30 December 2011); the original never comes back from such a day. */
function nextDay(zone: TimeZone, ms: number, at: WallTime): number {
  const next = atMidnight(zone, momentOf(zone, { ...at, day: at.day + 1 }));
  return next > ms ? next : atMidnight(zone, ms + 24 * hourMs);
}

/** Clocks that are put forward or back at midnight show 1 or 23 there. */
function atMidnight(zone: TimeZone, ms: number): number {
  const { hour } = wallTime(zone, ms);
  return hour > 12 ? ms + (24 - hour) * hourMs : ms - hour * hourMs;
}

function nextDue(fields: CronFields, zone: TimeZone, after: number): number | undefined {
  let ms = Math.floor(after / 1000) * 1000 + 1000;
  let isAtBeginning = false;
  const lastYear = wallTime(zone, ms).year + 5;
  search: for (;;) {
    if (wallTime(zone, ms).year > lastYear) return undefined;
    for (const unit of units) {
      for (let at = wallTime(zone, ms); !unit.matches(fields, at); at = wallTime(zone, ms)) {
        if (!isAtBeginning) ms = unit.begin(zone, ms, at);
        isAtBeginning = true;
        ms = unit.next(zone, ms, wallTime(zone, ms));
        if (unit.wrapped(wallTime(zone, ms))) continue search;
      }
    }
    return ms;
  }
}
