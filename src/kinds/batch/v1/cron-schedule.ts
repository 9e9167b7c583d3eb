// Cron schedules: what is one, in the words of the original's parser.
import { goQuote } from '#base/go-text.ts';
import { durationProblem } from '#kinds/rules/durations.ts';

interface Bounds {
  readonly minimum: number;
  readonly maximum: number;
  readonly names?: readonly string[];
  /** The value of the first name. */
  readonly first?: number;
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

const fields: readonly Bounds[] = [
  { minimum: 0, maximum: 59 },
  { minimum: 0, maximum: 23 },
  { minimum: 1, maximum: 31 },
  { minimum: 1, maximum: 12, names: months, first: 1 },
  { minimum: 0, maximum: 6, names: weekdays, first: 0 },
];
const descriptors = ['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly'];

/** Undefined when the schedule is fine. `isTimeZone` decides about a leading `TZ=…`. */
export function scheduleProblem(schedule: string, isTimeZone: (name: string) => boolean): string | undefined {
  if (schedule === '') return 'empty spec string';
  const zone = /^(?:CRON_)?TZ=([^ ]*)( ?)/.exec(schedule);
  if (zone === null) return plainProblem(schedule);
  const [prefix, name = '', space] = zone;
  if (space === '') return `invalid schedule format: runtime error: slice bounds out of range [:-1]`;
  if (name !== '' && !isTimeZone(name)) return `provided bad location ${name}: unknown time zone ${name}`;
  return plainProblem(schedule.slice(prefix.length).trim());
}

function plainProblem(schedule: string): string | undefined {
  if (schedule.startsWith('@')) return descriptorProblem(schedule);
  const parts = schedule.split(/[\t-\r \x85\xa0]+/).filter((part) => part !== '');
  if (parts.length !== fields.length) return `expected exactly 5 fields, found ${parts.length}: [${parts.join(' ')}]`;
  for (const [index, bounds] of fields.entries()) {
    for (const range of (parts[index] ?? '').split(',')) {
      const problem = range === '' ? undefined : rangeProblem(range, bounds);
      if (problem !== undefined) return problem;
    }
  }
  return undefined;
}

function descriptorProblem(descriptor: string): string | undefined {
  if (descriptors.includes(descriptor)) return undefined;
  if (!descriptor.startsWith('@every ')) return `unrecognized descriptor: ${descriptor}`;
  const problem = durationProblem(descriptor.slice('@every '.length));
  return problem === undefined ? undefined : `failed to parse duration ${descriptor}: ${problem}`;
}

/** `*`, `5`, `1-5`, `*` `/15`, `10-50/5`. */
function rangeProblem(expression: string, bounds: Bounds): string | undefined {
  const [range = '', step, ...tooManySteps] = expression.split('/');
  const [low = '', high, ...tooManyEnds] = range.split('-');
  const star = low === '*' || low === '?';
  const start = star ? bounds.minimum : valueOf(low, bounds);
  if (typeof start === 'string') return start;
  const named = star ? bounds.maximum : high === undefined ? start : valueOf(high, bounds);
  if (typeof named === 'string') return named;
  if (!star && tooManyEnds.length > 0) return `too many hyphens: ${expression}`;
  if (tooManySteps.length > 0) return `too many slashes: ${expression}`;
  const width = step === undefined ? 1 : numberOf(step);
  if (typeof width === 'string') return width;
  const end = step !== undefined && high === undefined ? bounds.maximum : named;
  return boundsProblem(start, end, width, bounds, expression);
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
  const failed = `failed to parse int from ${text}: strconv.Atoi: parsing ${goQuote(text)}`;
  if (!/^[+-]?[0-9]+$/.test(text)) return `${failed}: invalid syntax`;
  const value = Number(text);
  if (Math.abs(value) >= 2 ** 63) return `${failed}: value out of range`;
  return value < 0 ? `negative number (${value}) not allowed: ${text}` : value;
}
