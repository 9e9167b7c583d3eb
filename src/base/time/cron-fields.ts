// The five fields of a cron schedule: which minutes, hours, days and months are meant, or what is wrong with them in the words of
// robfig/cron's standard parser.
import { goQuote } from '#base/go-text.ts';

/** The values of a field that are meant. */
export interface CronField {
  readonly values: ReadonlySet<number>;
  /** A star that leaves nothing out: such a field of days restricts nothing, also where the other one does. */
  readonly isStar: boolean;
}

export interface CronFields {
  readonly minute: CronField;
  readonly hour: CronField;
  readonly dayOfMonth: CronField;
  readonly month: CronField;
  readonly dayOfWeek: CronField;
}

interface Bounds {
  readonly minimum: number;
  readonly maximum: number;
  readonly names?: readonly string[];
  /** The value of the first name. */
  readonly first?: number;
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

const bounds: readonly (readonly [keyof CronFields, Bounds])[] = [
  ['minute', { minimum: 0, maximum: 59 }],
  ['hour', { minimum: 0, maximum: 23 }],
  ['dayOfMonth', { minimum: 1, maximum: 31 }],
  ['month', { minimum: 1, maximum: 12, names: months, first: 1 }],
  ['dayOfWeek', { minimum: 0, maximum: 6, names: weekdays, first: 0 }],
];

/** A text: what is wrong. */
export function parseCronFields(text: string): CronFields | string {
  const parts = text.split(/[\t-\r \x85\xa0]+/).filter((part) => part !== '');
  if (parts.length !== bounds.length) return `expected exactly 5 fields, found ${parts.length}: [${parts.join(' ')}]`;
  const fields: Partial<Record<keyof CronFields, CronField>> = {};
  for (const [index, [name, limits]] of bounds.entries()) {
    const field = fieldOf(parts[index] ?? '', limits);
    if (typeof field === 'string') return field;
    fields[name] = field;
  }
  return fields as CronFields;
}

function fieldOf(text: string, limits: Bounds): CronField | string {
  const values = new Set<number>();
  let isStar = false;
  // A schedule may be as long as an object, and say the same over and over.
  for (const expression of new Set(text.split(','))) {
    if (expression === '') continue;
    const range = rangeOf(expression, limits);
    if (typeof range === 'string') return range;
    for (let value = range.start; value <= range.end; value += range.step) values.add(value);
    isStar ||= range.isStar;
  }
  return { values, isStar };
}

interface Range {
  readonly start: number;
  readonly end: number;
  readonly step: number;
  readonly isStar: boolean;
}

/** `*`, `5`, `1-5`, `*` `/15`, `10-50/5`. */
function rangeOf(expression: string, limits: Bounds): Range | string {
  const [ends = '', step, ...tooManySteps] = expression.split('/');
  const [low = '', high] = ends.split('-');
  const isStar = low === '*' || low === '?';
  const named = isStar ? { start: limits.minimum, end: limits.maximum } : endsOf(ends, expression, limits);
  if (typeof named === 'string') return named;
  if (tooManySteps.length > 0) return `too many slashes: ${expression}`;
  const width = step === undefined ? 1 : numberOf(step);
  if (typeof width === 'string') return width;
  const end = step !== undefined && high === undefined ? limits.maximum : named.end;
  return boundsProblem(named.start, end, width, limits, expression) ?? { start: named.start, end, step: width, isStar: isStar && width === 1 };
}

function endsOf(text: string, expression: string, limits: Bounds): { readonly start: number; readonly end: number } | string {
  const [low = '', high, ...tooMany] = text.split('-');
  const start = valueOf(low, limits);
  if (typeof start === 'string') return start;
  if (tooMany.length > 0) return `too many hyphens: ${expression}`;
  const end = high === undefined ? start : valueOf(high, limits);
  return typeof end === 'string' ? end : { start, end };
}

function boundsProblem(start: number, end: number, step: number, { minimum, maximum }: Bounds, expression: string): string | undefined {
  if (start < minimum) return `beginning of range (${start}) below minimum (${minimum}): ${expression}`;
  if (end > maximum) return `end of range (${end}) above maximum (${maximum}): ${expression}`;
  if (start > end) return `beginning of range (${start}) beyond end of range (${end}): ${expression}`;
  return step === 0 ? `step of range should be a positive number: ${expression}` : undefined;
}

function valueOf(text: string, { names, first = 0 }: Bounds): number | string {
  const named = names?.indexOf(text.toLowerCase()) ?? -1;
  return named >= 0 ? named + first : numberOf(text);
}

/** The number, or what is wrong with it. */
function numberOf(text: string): number | string {
  if (!/^[+-]?[0-9]+$/.test(text)) return unparsable(text, 'invalid syntax');
  const value = Number(text);
  if (Math.abs(value) >= 2 ** 63) return unparsable(text, 'value out of range');
  return value < 0 ? `negative number (${value}) not allowed: ${text}` : value;
}

function unparsable(text: string, why: string): string {
  return `failed to parse int from ${text}: strconv.Atoi: parsing ${goQuote(text)}: ${why}`;
}
