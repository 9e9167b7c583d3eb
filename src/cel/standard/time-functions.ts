/** Parts of timestamps, in UTC or in a zone, and of durations. */
import type { FunctionDeclaration, Overload } from '../library.ts';
import { durationType, intType, stringType, timestampType } from '../type.ts';
import type { Duration, Timestamp } from '../value.ts';
import { type CalendarTime, calendarTime } from './time.ts';

export const timeFunctions: readonly FunctionDeclaration[] = [
  { name: 'getFullYear', overloads: ofTimestamp('year', (time) => time.year) },
  { name: 'getMonth', overloads: ofTimestamp('month', (time) => time.month) },
  { name: 'getDayOfYear', overloads: ofTimestamp('day_of_year', (time) => time.dayOfYear) },
  { name: 'getDayOfMonth', overloads: ofTimestamp('day_of_month', (time) => time.day - 1) },
  { name: 'getDate', overloads: ofTimestamp('day_of_month_1_based', (time) => time.day) },
  { name: 'getDayOfWeek', overloads: ofTimestamp('day_of_week', (time) => time.weekday) },
  { name: 'getHours', overloads: [...ofTimestamp('hours', (time) => time.hour), ofDuration('hours', 3_600_000_000_000n)] },
  { name: 'getMinutes', overloads: [...ofTimestamp('minutes', (time) => time.minute), ofDuration('minutes', 60_000_000_000n)] },
  { name: 'getSeconds', overloads: [...ofTimestamp('seconds', (time) => time.second), ofDuration('seconds', 1_000_000_000n)] },
  { name: 'getMilliseconds', overloads: [...ofTimestamp('milliseconds', (time) => Math.trunc(time.nanos / 1e6)), ofDuration('milliseconds', 1_000_000n)] },
];

function ofTimestamp(part: string, read: (time: CalendarTime) => number): readonly Overload[] {
  return [
    {
      id: `timestamp_to_${part}`,
      member: true,
      args: [timestampType],
      result: intType,
      call: (timestamp: Timestamp) => BigInt(read(calendarTime(timestamp, 'UTC'))),
    },
    {
      id: `timestamp_to_${part}_with_tz`,
      member: true,
      args: [timestampType, stringType],
      result: intType,
      call: (timestamp: Timestamp, zone: string) => BigInt(read(calendarTime(timestamp, zone))),
    },
  ];
}

/** The whole duration in a unit, not one digit group of it. */
function ofDuration(part: string, unit: bigint): Overload {
  return { id: `duration_to_${part}`, member: true, args: [durationType], result: intType, call: (duration: Duration) => duration.nanos / unit };
}
