// Times as clients write them: RFC 3339 as Go reads it (lenient about one-digit hours and fractions), always written in UTC.
import { goTimeQuote } from '#base/go-text.ts';

export class TimeError extends Error {
  override readonly name = 'TimeError';
}

/** Whole seconds; undefined for the zero time, which the API treats as unset. */
export function canonicalTime(text: string): string | undefined {
  if (isCanonical(text, 20) && hasPlainDate(text)) return text === zeroTime ? undefined : text;
  const { seconds } = parse(text, secondsLayout);
  return seconds === zeroSeconds ? undefined : `${formatSeconds(seconds)}Z`;
}

/** Six digits after the seconds, in the text and in the answer. */
export function canonicalMicroTime(text: string): string | undefined {
  if (isCanonical(text, 27) && hasPlainDate(text)) return text === zeroMicroTime ? undefined : text;
  const { seconds, nanoseconds } = parse(text, microLayout);
  if (seconds === zeroSeconds && nanoseconds === 0) return undefined;
  return `${formatSeconds(seconds)}.${String(Math.trunc(nanoseconds / 1000)).padStart(6, '0')}Z`;
}

export function formatTime(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}

const zeroTime = '0001-01-01T00:00:00Z';
const zeroMicroTime = '0001-01-01T00:00:00.000000Z';
const zeroSeconds = -62135596800;

interface Layout {
  readonly text: string;
  readonly fraction: boolean;
}

const secondsLayout: Layout = { text: '2006-01-02T15:04:05Z07:00', fraction: false };
const microLayout: Layout = { text: '2006-01-02T15:04:05.000000Z07:00', fraction: true };

const canonicalShape = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{6})?Z$/;

function isCanonical(text: string, length: number): boolean {
  return text.length === length && canonicalShape.test(text);
}

/** Days up to the 28th exist in every month; the rest takes the careful way. */
function hasPlainDate(text: string): boolean {
  return text.charCodeAt(8) < 50 || (text.charCodeAt(8) === 50 && text.charCodeAt(9) < 57);
}

interface Instant {
  readonly seconds: number;
  readonly nanoseconds: number;
}

function parse(text: string, layout: Layout): Instant {
  return new TimeReader(text, layout).read();
}

/** One pass over the text; knows what is left, which is what the error texts quote. */
class TimeReader {
  readonly #text: string;
  readonly #layout: Layout;
  #rest: string;

  constructor(text: string, layout: Layout) {
    this.#text = text;
    this.#layout = layout;
    this.#rest = text;
  }

  read(): Instant {
    const year = this.#year();
    this.#literal('-');
    const month = this.#number('01', 1, 12, 'month');
    this.#literal('-');
    const day = this.#number('02', 0, 99, 'day');
    this.#literal('T');
    const hour = this.#hour();
    this.#literal(':');
    const minute = this.#number('04', 0, 59, 'minute');
    this.#literal(':');
    const second = this.#number('05', 0, 59, 'second');
    const nanoseconds = this.#layout.fraction ? this.#sixDigits() : this.#anyFraction();
    const offset = this.#offset();
    if (this.#rest !== '') throw new TimeError(`parsing time ${goTimeQuote(this.#text)}: extra text: ${goTimeQuote(this.#rest)}`);
    if (day < 1 || day > daysIn(year, month)) this.#outOfRange('day');
    return { seconds: secondsOf(year, month, day) + hour * 3600 + minute * 60 + second - offset, nanoseconds };
  }

  #year(): number {
    if (!/^\d{4}/.test(this.#rest)) this.#refuse('2006');
    return Number(this.#take(4));
  }

  #literal(expected: string): void {
    if (!this.#rest.startsWith(expected)) this.#refuse(expected);
    this.#take(1);
  }

  #number(element: string, least: number, most: number, what: string): number {
    if (!/^\d\d/.test(this.#rest)) this.#refuse(element);
    const value = Number(this.#take(2));
    if (value < least || value > most) this.#outOfRange(what);
    return value;
  }

  #hour(): number {
    if (!/^\d/.test(this.#rest)) this.#refuse('15');
    const value = Number(this.#take(/^\d\d/.test(this.#rest) ? 2 : 1));
    if (value > 23) this.#outOfRange('hour');
    return value;
  }

  #sixDigits(): number {
    if (!/^[.,]\d{6}/.test(this.#rest)) this.#refuse('.000000');
    return Number(this.#take(7).slice(1)) * 1000;
  }

  #anyFraction(): number {
    const found = /^[.,]\d+/.exec(this.#rest);
    if (found === null) return 0;
    return Number(this.#take(found[0].length).slice(1, 10).padEnd(9, '0'));
  }

  #offset(): number {
    if (this.#rest.startsWith('Z')) {
      this.#take(1);
      return 0;
    }
    const found = /^([+-])(\d\d):(\d\d)/.exec(this.#rest);
    if (found === null) this.#refuse('Z07:00');
    const [all, sign, hours, minutes] = found;
    this.#take(all.length);
    if (Number(hours) > 24) this.#outOfRange('time zone offset hour');
    if (Number(minutes) > 60) this.#outOfRange('time zone offset minute');
    return (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60);
  }

  #take(count: number): string {
    const taken = this.#rest.slice(0, count);
    this.#rest = this.#rest.slice(count);
    return taken;
  }

  #refuse(element: string): never {
    throw new TimeError(
      `parsing time ${goTimeQuote(this.#text)} as ${goTimeQuote(this.#layout.text)}: cannot parse ${goTimeQuote(this.#rest)} as ${goTimeQuote(element)}`,
    );
  }

  #outOfRange(what: string): never {
    throw new TimeError(`parsing time ${goTimeQuote(this.#text)}: ${what} out of range`);
  }
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

function secondsOf(year: number, month: number, day: number): number {
  // Date.UTC takes years below 100 for 19xx.
  return new Date(0).setUTCFullYear(year, month - 1, day) / 1000;
}

function formatSeconds(seconds: number): string {
  const date = new Date(seconds * 1000);
  const year = date.getUTCFullYear();
  const shown = `${year < 0 ? '-' : ''}${String(Math.abs(year)).padStart(4, '0')}`;
  return `${shown}-${two(date.getUTCMonth() + 1)}-${two(date.getUTCDate())}T${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}
