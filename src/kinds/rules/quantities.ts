// Arithmetic on quantities in their canonical text form.
import type { FieldErrors } from '#api/field-error.ts';

type Format = 'binary' | 'decimal' | 'exponent';

interface Amount {
  /** In units of 10^-9, the finest a quantity can be. */
  readonly nano: bigint;
  readonly format: Format;
}

const giga = 1_000_000_000n;
const decimalSuffixes = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'];
const binarySuffixes = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
const zero: Amount = { nano: 0n, format: 'decimal' };

/** Pods repeat the same few amounts, so parsed ones are kept, up to a bound. */
const parsed = new Map<string, Amount>();
const keptAmounts = 1024;

function amountOf(text: string): Amount {
  const known = parsed.get(text);
  if (known !== undefined) return known;
  const amount = parseAmount(text);
  if (parsed.size >= keptAmounts) parsed.clear();
  parsed.set(text, amount);
  return amount;
}

function parseAmount(text: string): Amount {
  const match = /^([+-]?)([0-9]*)(?:\.([0-9]*))?([A-Za-z]*)([+-]?[0-9]+)?$/.exec(text);
  if (match === null) return zero;
  const [, sign, whole = '', fraction = '', suffix = '', exponent] = match;
  const digits = BigInt(`${whole}${fraction}` || '0') * (sign === '-' ? -1n : 1n);
  if (exponent !== undefined) return { nano: scaleDecimal(digits, Number(exponent) - fraction.length + 9), format: 'exponent' };
  const binary = binarySuffixes.indexOf(suffix);
  if (binary > 0) return { nano: divideUp(digits * 1024n ** BigInt(binary) * giga, 10n ** BigInt(fraction.length)), format: 'binary' };
  const decimal = decimalSuffixes.indexOf(suffix);
  return { nano: scaleDecimal(digits, (decimal < 0 ? 0 : decimal * 3) - fraction.length), format: 'decimal' };
}

function scaleDecimal(digits: bigint, power: number): bigint {
  return power >= 0 ? digits * 10n ** BigInt(power) : divideUp(digits, 10n ** BigInt(-power));
}

/** Away from zero, as quantities round. */
function divideUp(value: bigint, by: bigint): bigint {
  const quotient = value / by;
  if (value % by === 0n) return quotient;
  return value > 0n ? quotient + 1n : quotient - 1n;
}

export function compareQuantities(a: string, b: string): number {
  if (a === b) return 0;
  const difference = amountOf(a).nano - amountOf(b).nano;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** -1, 0 or 1. */
export function quantitySign(text: string): number {
  const { nano } = amountOf(text);
  return nano < 0n ? -1 : nano > 0n ? 1 : 0;
}

/** Rounded up to a whole number. */
export function quantityValue(text: string): bigint {
  return divideUp(amountOf(text).nano, giga);
}

/** Rounded up to thousandths. */
export function quantityMilliValue(text: string): bigint {
  return divideUp(amountOf(text).nano, 1_000_000n);
}

export function isWholeQuantity(text: string): boolean {
  return quantityMilliValue(text) % 1000n === 0n;
}

/** The format of the first operand wins, unless that is zero. */
export function addQuantities(a: string, b: string): string {
  const left = amountOf(a);
  const right = amountOf(b);
  return formatAmount({ nano: left.nano + right.nano, format: left.nano === 0n ? right.format : left.format });
}

export function subtractQuantities(a: string, b: string): string {
  const left = amountOf(a);
  const right = amountOf(b);
  return formatAmount({ nano: left.nano - right.nano, format: left.nano === 0n ? right.format : left.format });
}

/** The larger one; the first when they are equal. */
export function maxQuantity(a: string, b: string): string {
  return compareQuantities(b, a) > 0 ? b : a;
}

/** Canonical text, with amounts finer than a thousandth rounded up: what the server does to every resource list. */
export function roundToMilli(text: string): string {
  const { nano, format } = amountOf(text);
  return nano % 1_000_000n === 0n ? text : formatAmount({ nano: divideUp(nano, 1_000_000n) * 1_000_000n, format });
}

function formatAmount({ nano, format }: Amount): string {
  if (nano === 0n) return '0';
  if (format === 'binary' && (nano <= -1024n * giga || nano >= 1024n * giga)) return formatBinary(divideUp(nano, giga));
  return formatDecimal(nano, format === 'exponent');
}

function formatBinary(value: bigint): string {
  let step = 0;
  while (step < binarySuffixes.length - 1 && value % 1024n === 0n) {
    value /= 1024n;
    step++;
  }
  return `${value}${binarySuffixes[step]}`;
}

function formatDecimal(nano: bigint, exponent: boolean): string {
  let step = 0;
  while (step < decimalSuffixes.length - 1 && nano % 1000n === 0n) {
    nano /= 1000n;
    step++;
  }
  if (!exponent) return `${nano}${decimalSuffixes[step]}`;
  return step === 3 ? `${nano}` : `${nano}e${(step - 3) * 3}`;
}

export function validateNonNegativeQuantity(quantity: string, path: string, errors: FieldErrors): void {
  if (quantitySign(quantity) < 0) errors.invalid(path, quantity, 'must be greater than or equal to 0');
}

export function validatePositiveQuantity(quantity: string, path: string, errors: FieldErrors): void {
  if (quantitySign(quantity) <= 0) errors.invalid(path, quantity, 'must be greater than zero');
}
