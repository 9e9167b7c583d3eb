/** Timestamps and durations: their ranges, Go's text forms, and calendars in time zones. */
import { sharedMemo } from '#base/shared-memos.ts';
import { TextMemo } from '#base/text-memo.ts';
import { CelError, Duration, Timestamp } from '../value.ts';

const second = 1_000_000_000n;
/** Years 1 to 9999. */
const minSeconds = -62_135_596_800n;
const maxSeconds = 253_402_300_799n;
const maxDuration = 2n ** 63n - 1n;

export function checkedTimestamp(nanos: bigint, zone = 0): Timestamp {
  const seconds = floorDivide(nanos, second);
  if (seconds < minSeconds || seconds > maxSeconds) throw new CelError('timestamp overflow');
  return new Timestamp(nanos, zone);
}

export function checkedDuration(nanos: bigint): Duration {
  if (nanos > maxDuration || nanos < -maxDuration - 1n) throw new CelError('duration overflow');
  return new Duration(nanos);
}

/** The time that a text states; undefined when it is none. */
export function parseTimestamp(text: string): Timestamp | undefined {
  const time = timeIn(text);
  return time && checkedTimestamp(time.nanos, time.zone);
}

/** RFC 3339 as Go's time.Parse reads it, in any year of any zone. */
export function timeIn(text: string): Timestamp | undefined {
  const match = /^(\d{4})-(\d{2})-(\d{2})T(\d{1,2}):(\d{2}):(\d{2})(?:[.,](\d+))?(?:Z|([+-])(\d{2}):(\d{2}))$/.exec(text);
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, secs, fraction = '', sign, zoneHours = '0', zoneMinutes = '0'] = match;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  date.setUTCHours(Number(hour), Number(minute), Number(secs));
  const valid = date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day) && Number(hour) < 24 && Number(minute) < 60 && Number(secs) < 60;
  if (!valid || Number(zoneHours) > 24 || Number(zoneMinutes) >= 60) return undefined;
  const zone = (Number(zoneHours) * 60 + Number(zoneMinutes)) * (sign === '-' ? -1 : 1);
  const nanos = BigInt(fraction.slice(0, 9).padEnd(9, '0'));
  return new Timestamp((BigInt(date.getTime() / 1000) - BigInt(zone * 60)) * second + nanos, zone);
}

/** Go's RFC3339Nano in the zone of the time: no fraction when it is zero, no zeros at its end. */
export function formatTimestamp({ nanos: given, zone }: Timestamp): string {
  const seconds = floorDivide(given, second);
  const nanos = given - seconds * second;
  const iso = new Date((Number(seconds) + zone * 60) * 1000).toISOString().slice(0, 19);
  const fraction = nanos === 0n ? '' : `.${String(nanos).padStart(9, '0').replace(/0+$/, '')}`;
  return `${iso}${fraction}${formatZone(zone)}`;
}

function formatZone(zone: number): string {
  if (zone === 0) return 'Z';
  const minutes = Math.abs(zone);
  const digits = (value: number) => String(value).padStart(2, '0');
  return `${zone < 0 ? '-' : '+'}${digits(Math.trunc(minutes / 60))}:${digits(minutes % 60)}`;
}

const unitNanos: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1000n,
  '\u00b5s': 1000n,
  '\u03bcs': 1000n,
  ms: 1_000_000n,
  s: second,
  m: 60n * second,
  h: 3600n * second,
};

/** Go's time.ParseDuration; undefined when the text is none or does not fit. */
export function parseDuration(text: string): Duration | undefined {
  const body = /^[+-]?(.*)$/s.exec(text)?.[1] ?? '';
  if (body === '0') return new Duration(0n);
  if (!/^(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|\u00b5s|\u03bcs|ms|s|m|h))+$/.test(body)) return undefined;
  let nanos = 0n;
  for (const [, whole = '', fraction = '', unit = ''] of body.matchAll(/(\d*)(?:\.(\d*))?([a-z\u00b5\u03bc]+)/g)) {
    const scale = unitNanos[unit] ?? 0n;
    nanos += BigInt(whole === '' ? '0' : whole) * scale;
    // A fraction is cut to what a nanosecond can tell, as Go does.
    const digits = fraction.slice(0, 18);
    if (digits !== '') nanos += (BigInt(digits) * scale) / 10n ** BigInt(digits.length);
  }
  const signed = text.startsWith('-') ? -nanos : nanos;
  return signed > maxDuration || signed < -maxDuration - 1n ? undefined : new Duration(signed);
}

/** A duration in seconds with as many decimals as its double needs: `1.5s`. */
export function formatDuration(duration: Duration): string {
  const whole = duration.nanos / second;
  const rest = duration.nanos % second;
  const seconds = Number(whole) + Number(rest) / 1e9;
  return `${plainDecimal(seconds)}s`;
}

/** A double without exponent (Go's FormatFloat with 'f', -1). */
function plainDecimal(value: number): string {
  const text = String(value);
  const match = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(text);
  if (match === null) return text;
  const [, sign = '', first = '', rest = '', exponent = '0'] = match;
  const digits = first + rest;
  const point = 1 + Number(exponent);
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  return `${sign}${digits.padEnd(point, '0')}${digits.length > point ? `.${digits.slice(point)}` : ''}`;
}

export interface CalendarTime {
  readonly year: number;
  /** From 0. */
  readonly month: number;
  readonly day: number;
  /** From 0. */
  readonly dayOfYear: number;
  /** 0 is Sunday. */
  readonly weekday: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly nanos: number;
}

/** The calendar's reading of a timestamp in a zone: a name of the time zone database or an offset `+hh:mm`. */
export function calendarTime(timestamp: Timestamp, zone: string): CalendarTime {
  const seconds = floorDivide(timestamp.nanos, second);
  const local = new Date((Number(seconds) + zoneOffset(zone, Number(seconds))) * 1000);
  const startOfYear = new Date(0);
  startOfYear.setUTCFullYear(local.getUTCFullYear(), 0, 1);
  return {
    year: local.getUTCFullYear(),
    month: local.getUTCMonth(),
    day: local.getUTCDate(),
    dayOfYear: Math.floor((local.getTime() - startOfYear.getTime()) / 86_400_000),
    weekday: local.getUTCDay(),
    hour: local.getUTCHours(),
    minute: local.getUTCMinutes(),
    second: local.getUTCSeconds(),
    nanos: Number(timestamp.nanos - seconds * second),
  };
}

/** Seconds east of UTC. */
function zoneOffset(zone: string, seconds: number): number {
  if (zone === '' || zone === 'UTC') return 0;
  const colon = zone.indexOf(':');
  if (colon === -1) return namedZoneOffset(zone, seconds);
  const hours = goInteger(zone.slice(0, colon));
  const minutes = goInteger(zone.slice(colon + 1));
  return (zone.startsWith('-') ? hours * 60 - minutes : hours * 60 + minutes) * 60;
}

function goInteger(text: string): number {
  if (!/^[+-]?\d+$/.test(text)) throw new CelError(`strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`);
  return Number(text);
}

/** One formatter costs much to make; zones are few, but their names come from expressions. */
const formatters = sharedMemo(new TextMemo<Intl.DateTimeFormat>(4 << 10));

function namedZoneOffset(zone: string, seconds: number): number {
  const parts = new Map(
    zoneFormatter(zone)
      .formatToParts(new Date(seconds * 1000))
      .map(({ type, value }) => [type, value]),
  );
  const part = (name: Intl.DateTimeFormatPartTypes): number => Number(parts.get(name));
  const year = parts.get('era') === 'BC' ? 1 - part('year') : part('year');
  const local = new Date(0);
  local.setUTCFullYear(year, part('month') - 1, part('day'));
  local.setUTCHours(part('hour') % 24, part('minute'), part('second'));
  return Math.round(local.getTime() / 1000 - seconds);
}

function zoneFormatter(zone: string): Intl.DateTimeFormat {
  return formatters.get(zone) ?? formatters.add(zone, newZoneFormatter);
}

function newZoneFormatter(zone: string): Intl.DateTimeFormat {
  // Intl knows offsets without a colon as zones; the time zone database does not.
  if (/^[+-]?\d/.test(zone)) throw new CelError(`unknown time zone ${zone}`);
  try {
    const numeric = 'numeric';
    return new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      era: 'short',
      year: numeric,
      month: numeric,
      day: numeric,
      hour: numeric,
      minute: numeric,
      second: numeric,
    });
  } catch {
    throw new CelError(`unknown time zone ${zone}`);
  }
}

export function floorDivide(value: bigint, by: bigint): bigint {
  const quotient = value / by;
  return value % by < 0n ? quotient - 1n : quotient;
}
