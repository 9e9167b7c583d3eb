// Wall-clock time of a time zone, from what Intl knows about its offsets. Gaps and overlaps are decided as Go's time.Date decides them.

/** As a clock on the wall shows it; `month` counts from 1. */
export interface WallTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  /** 0 is Sunday. */
  readonly weekday: number;
}

export interface TimeZone {
  /** Milliseconds by which the zone's clocks are ahead of UTC. */
  offsetAt(ms: number): number;
}

export const utc: TimeZone = { offsetAt: () => 0 };

const hourMs = 3_600_000;
/** Zones change their offset at full quarters of an hour. */
const quarterMs = hourMs / 4;

/** A name that Intl does not know has no offset: `Factory`. */
export function timeZone(name: string): TimeZone {
  if (name === '' || name === 'UTC') return utc;
  const format = formatOf(name);
  if (format === undefined) return utc;
  let quarter = Number.NaN;
  let offset = 0;
  return {
    offsetAt(ms) {
      const at = Math.floor(ms / quarterMs);
      if (at !== quarter) {
        offset = offsetBy(format, ms);
        quarter = at;
      }
      return offset;
    },
  };
}

function formatOf(name: string): Intl.DateTimeFormat | undefined {
  const numeric = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' } as const;
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name, hourCycle: 'h23', era: 'short', ...numeric });
  } catch {
    return undefined;
  }
}

function offsetBy(format: Intl.DateTimeFormat, ms: number): number {
  const parts = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, value]));
  const number = (name: string) => Number(parts[name] ?? 0);
  const year = parts['era'] === 'BC' ? 1 - number('year') : number('year');
  const wall = Date.UTC(year, number('month') - 1, number('day'), number('hour'), number('minute'), number('second'));
  return wall - Math.floor(ms / 1000) * 1000;
}

export function wallTime(zone: TimeZone, ms: number): WallTime {
  const shifted = new Date(ms + zone.offsetAt(ms));
  return {
    year: shifted.getUTCFullYear(),
    month: shifted.getUTCMonth() + 1,
    day: shifted.getUTCDate(),
    hour: shifted.getUTCHours(),
    minute: shifted.getUTCMinutes(),
    second: shifted.getUTCSeconds(),
    weekday: shifted.getUTCDay(),
  };
}

/** The moment at which the zone's clocks show this; `month` and `day` may be beyond their year and month. In a gap or overlap: what Go's time.Date takes. */
export function momentOf(zone: TimeZone, { year, month, day, hour }: Pick<WallTime, 'year' | 'month' | 'day' | 'hour'>): number {
  const wall = Date.UTC(year, month - 1, day, hour);
  const guessed = zone.offsetAt(wall);
  return guessed === 0 ? wall : wall - zone.offsetAt(wall - guessed);
}

/** RFC 3339 with the zone's offset: `2026-03-29T03:00:00+02:00`. */
export function zonedText(zone: TimeZone, ms: number): string {
  const offset = zone.offsetAt(ms);
  const text = new Date(ms + offset).toISOString().slice(0, 19);
  if (offset === 0) return `${text}Z`;
  const minutes = Math.floor(Math.abs(offset) / 60_000);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${text}${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
