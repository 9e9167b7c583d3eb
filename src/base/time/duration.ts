// Durations as Go writes them: `1h30m`, `1.5s`, `300ms`.
import { goTimeQuote } from '#base/go-text.ts';

export class DurationError extends Error {
  override readonly name = 'DurationError';
}

const units: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};
const largest = 2n ** 63n;
/** Of a number that fits 64 bits. Reading longer ones as a bigint takes quadratic time. */
const mostDigits = 19;

/** Nanoseconds. */
export function parseDuration(text: string): bigint {
  const negative = text.startsWith('-');
  let rest = text.replace(/^[-+]/, '');
  if (rest === '0') return 0n;
  if (rest === '') throw invalid(text);
  let total = 0n;
  while (rest !== '') {
    const { nanoseconds, length } = readTerm(text, rest);
    total += nanoseconds;
    rest = rest.slice(length);
  }
  if (total > largest || (total === largest && !negative)) throw invalid(text);
  return negative ? -total : total;
}

export function formatDuration(nanoseconds: bigint): string {
  if (nanoseconds === 0n) return '0s';
  const sign = nanoseconds < 0n ? '-' : '';
  const amount = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  return sign + (amount < 1_000_000_000n ? formatBelowSecond(amount) : formatClock(amount));
}

export function canonicalDuration(text: string): string {
  return formatDuration(parseDuration(text));
}

function readTerm(text: string, rest: string): { nanoseconds: bigint; length: number } {
  const found = /^(\d*)(?:\.(\d*))?/.exec(rest);
  const [number = '', whole = '', fraction = ''] = found ?? [];
  if (whole === '' && fraction === '') throw invalid(text);
  const digits = whole.replace(/^0+/, '') || '0';
  if (digits.length > mostDigits || BigInt(digits) > largest) throw invalid(text);
  const unit = /^[^.\d]*/.exec(rest.slice(number.length))?.[0] ?? '';
  if (unit === '') throw new DurationError(`time: missing unit in duration ${goTimeQuote(text)}`);
  const size = Object.hasOwn(units, unit) ? units[unit] : undefined;
  if (size === undefined) throw new DurationError(`time: unknown unit ${goTimeQuote(unit)} in duration ${goTimeQuote(text)}`);
  // Go stops adding digits of the fraction when they do not fit a machine word any more.
  const counted = fraction.slice(0, mostDigits);
  const nanoseconds = BigInt(digits) * size + (BigInt(counted || '0') * size) / 10n ** BigInt(counted.length);
  if (nanoseconds > largest) throw invalid(text);
  return { nanoseconds, length: number.length + unit.length };
}

function formatBelowSecond(amount: bigint): string {
  if (amount < 1_000n) return `${amount}ns`;
  return amount < 1_000_000n ? `${withFraction(amount, 1_000n)}µs` : `${withFraction(amount, 1_000_000n)}ms`;
}

function formatClock(amount: bigint): string {
  const minutes = amount / 60_000_000_000n;
  const seconds = `${withFraction(amount % 60_000_000_000n, 1_000_000_000n)}s`;
  if (minutes === 0n) return seconds;
  return minutes < 60n ? `${minutes}m${seconds}` : `${minutes / 60n}h${minutes % 60n}m${seconds}`;
}

function withFraction(amount: bigint, unit: bigint): string {
  const digits = String(unit).length - 1;
  const fraction = String(amount % unit)
    .padStart(digits, '0')
    .replace(/0+$/, '');
  return fraction === '' ? String(amount / unit) : `${amount / unit}.${fraction}`;
}

function invalid(text: string): DurationError {
  return new DurationError(`time: invalid duration ${goTimeQuote(text)}`);
}
