// Ages and durations as Tables show them.
import type { ColumnContext } from '#resource/column.ts';

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** `5d3h`; `<unknown>` for a time that is not set. */
export function ageOf(time: string | null | undefined, { now }: ColumnContext): string {
  return time === undefined || time === null ? '<unknown>' : humanDuration((now.getTime() - Date.parse(time)) / 1000);
}

/** Two units at most, the second only while it matters. */
export function humanDuration(elapsed: number): string {
  const seconds = Math.trunc(elapsed);
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  if (seconds < 2 * minute) return `${seconds}s`;
  if (seconds < 10 * minute) return inUnits(seconds, minute, 'm', 1, 's');
  if (seconds < 3 * hour) return `${Math.trunc(seconds / minute)}m`;
  if (seconds < 8 * hour) return inUnits(seconds, hour, 'h', minute, 'm');
  if (seconds < 2 * day) return `${Math.trunc(seconds / hour)}h`;
  if (seconds < 8 * day) return inUnits(seconds, day, 'd', hour, 'h');
  const days = Math.trunc(seconds / day);
  if (days < 2 * 365) return `${days}d`;
  if (days < 8 * 365) return inUnits(days, 365, 'y', 1, 'd');
  return `${Math.trunc(days / 365)}y`;
}

function inUnits(amount: number, large: number, largeName: string, small: number, smallName: string): string {
  const rest = Math.trunc((amount % large) / small);
  return `${Math.trunc(amount / large)}${largeName}${rest === 0 ? '' : `${rest}${smallName}`}`;
}
