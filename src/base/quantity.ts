// Amounts such as `100m`, `1.5Gi` and `1e3`, exact. A quantity remembers how it was written: arithmetic and output keep its family of suffixes.

export type QuantityFormat = 'DecimalSI' | 'BinarySI' | 'DecimalExponent';

/** The amount is `unscaled * 10^exponent`. */
export interface Quantity {
  readonly unscaled: bigint;
  readonly exponent: number;
  readonly format: QuantityFormat;
  /** The spelling that output keeps though it is not canonical (`+5`, `5.`, `0.5Gi` has none). */
  readonly text?: string;
  /** Upstream holds it as a decimal of any size, not as a machine integer; only CEL's `isInteger` lets that show. */
  readonly decimal?: boolean;
}

export class QuantityError extends Error {
  override readonly name = 'QuantityError';
}

const wrongFormat = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const wrongNumber = 'unable to parse numeric part of quantity';
const wrongSuffix = "unable to parse quantity's suffix";

const decimalSuffixes: Readonly<Record<string, number>> = { n: -9, u: -6, m: -3, '': 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };
const binarySuffixes: Readonly<Record<string, number>> = { Ki: 10, Mi: 20, Gi: 30, Ti: 40, Pi: 50, Ei: 60 };
const decimalSuffixOf = new Map(Object.entries(decimalSuffixes).map(([suffix, exponent]) => [exponent, suffix]));
const binarySuffixOf = new Map(Object.entries(binarySuffixes).map(([suffix, exponent]) => [exponent, suffix]));

const maximum = 2n ** 63n - 1n;
/** Upstream keeps amounts of up to this many digits as machine integers, and only then their odd spellings. */
const machineDigits = 18;
/** Beyond this the amount itself would take unbounded memory. */
const exponentLimit = 5000;
const lengthLimit = 5000;
/** Every part begins with a character that the part before cannot contain: matching is linear. */
const shape = /^([+-]?)([0-9]*)(?:\.([0-9]*))?((?:[eEinumkKMGTP]+[-+]?[0-9]*|[-+][0-9]*)?)$/;

interface Parts {
  readonly negative: boolean;
  readonly whole: string;
  readonly fraction: string;
  readonly suffix: string;
  /** There was no digit at all: small amounts read that as zero, large ones refuse it. */
  readonly bare: boolean;
}

interface Suffix {
  readonly base: 2 | 10;
  readonly exponent: number;
  readonly format: QuantityFormat;
}

export function parseQuantity(text: string): Quantity {
  if (text === '') throw new QuantityError(wrongFormat);
  if (text === '0') return { unscaled: 0n, exponent: 0, format: 'DecimalSI', text };
  const parts = splitQuantity(text);
  const suffix = readSuffix(parts.suffix);
  return smallQuantity(text, parts, suffix) ?? largeQuantity(parts, suffix);
}

/** The form in which a server prints what a client wrote. */
export function canonicalQuantity(text: string): string {
  return formatQuantity(parseQuantity(text));
}

export function formatQuantity(quantity: Quantity): string {
  if (quantity.text !== undefined) return quantity.text;
  if (quantity.unscaled === 0n) return '0';
  const whole = quantity.format === 'BinarySI' ? wholeAmount(quantity) : undefined;
  return whole !== undefined && magnitude(whole) >= 1024n ? formatBinary(whole) : formatDecimal(quantity);
}

export function signOfQuantity(quantity: Quantity): -1 | 0 | 1 {
  return quantity.unscaled === 0n ? 0 : quantity.unscaled < 0n ? -1 : 1;
}

export function compareQuantities(a: Quantity, b: Quantity): -1 | 0 | 1 {
  const signs = signOfQuantity(a) - signOfQuantity(b);
  if (signs !== 0) return signs < 0 ? -1 : 1;
  const exponent = Math.min(a.exponent, b.exponent);
  const difference = atExponent(a, exponent) - atExponent(b, exponent);
  return difference === 0n ? 0 : difference < 0n ? -1 : 1;
}

/** The sum takes the format of the first amount, unless that is zero. */
export function addQuantities(a: Quantity, b: Quantity): Quantity {
  const exponent = Math.min(a.exponent, b.exponent);
  const format = a.unscaled === 0n ? b.format : a.format;
  return { unscaled: atExponent(a, exponent) + atExponent(b, exponent), exponent, format };
}

export function subtractQuantities(a: Quantity, b: Quantity): Quantity {
  return addQuantities(a.unscaled === 0n ? { ...a, format: b.format } : a, negateQuantity(b));
}

export function negateQuantity({ unscaled, exponent, format }: Quantity): Quantity {
  return { unscaled: -unscaled, exponent, format };
}

/** A whole number of units, thousandths with `exponent` -3 and so on. */
export function quantityOf(value: number | bigint, format: QuantityFormat = 'DecimalSI', exponent = 0): Quantity {
  return { unscaled: BigInt(value), exponent, format };
}

/** The amount in units of 10^exponent, rounded up (away from zero), as integers are read off a quantity. */
export function scaledValue(quantity: Quantity, exponent: number): bigint {
  if (quantity.exponent >= exponent) return atExponent(quantity, exponent);
  return divideAwayFromZero(quantity.unscaled, powerOfTen(exponent - quantity.exponent));
}

/** Whole units, rounded up. */
export function valueOfQuantity(quantity: Quantity): bigint {
  return scaledValue(quantity, 0);
}

/** Thousandths, rounded up. */
export function milliValue(quantity: Quantity): bigint {
  return scaledValue(quantity, -3);
}

/**
 * The amount in units of 10^exponent as Go's Quantity.ScaledValue gives it: what does not fit an int64 is 0 for amounts that are kept as
 * machine integers, and loses its upper bits for larger ones.
 */
export function int64ScaledValue(quantity: Quantity, exponent: number): bigint {
  const exact = scaledValue(quantity, exponent);
  const wrapped = BigInt.asIntN(64, exact);
  if (wrapped === exact) return exact;
  return String(quantity.unscaled).replace('-', '').length <= machineDigits ? 0n : wrapped;
}

/** No finer than 10^exponent (default: thousandths); finer amounts go up. */
export function roundUpQuantity(quantity: Quantity, exponent = -3): Quantity {
  if (quantity.exponent >= exponent) return quantity;
  return { unscaled: scaledValue(quantity, exponent), exponent, format: quantity.format };
}

export function isWholeQuantity(quantity: Quantity): boolean {
  return wholeAmount(quantity) !== undefined;
}

export function asNumber(quantity: Quantity): number {
  return Number(`${quantity.unscaled}e${quantity.exponent}`);
}

/** Both texts stand for the same amount. */
export function sameQuantity(a: string, b: string): boolean {
  return a === b || compareQuantities(parseQuantity(a), parseQuantity(b)) === 0;
}

function splitQuantity(text: string): Parts {
  const match = text.length > lengthLimit ? null : shape.exec(text);
  if (match === null) throw new QuantityError(wrongFormat);
  const [, sign, digits = '', fraction = '', suffix = ''] = match;
  const whole = digits.replace(/^0+/, '');
  return { negative: sign === '-', whole: whole === '' ? '0' : whole, fraction, suffix, bare: digits === '' && fraction === '' };
}

function readSuffix(suffix: string): Suffix {
  const decimal = decimalSuffixes[suffix];
  if (decimal !== undefined) return { base: 10, exponent: decimal, format: 'DecimalSI' };
  const binary = binarySuffixes[suffix];
  if (binary !== undefined) return { base: 2, exponent: binary, format: 'BinarySI' };
  if (!/^[eE][-+]?[0-9]+$/.test(suffix)) throw new QuantityError(wrongSuffix);
  const exponent = Number(suffix.slice(1));
  if (Math.abs(exponent) > exponentLimit) throw new QuantityError(wrongSuffix);
  return { base: 10, exponent: exponent === 0 ? 0 : exponent, format: 'DecimalExponent' };
}

/** Amounts that fit a machine integer; these keep their spelling when upstream would. */
function smallQuantity(text: string, { negative, whole, fraction }: Parts, suffix: Suffix): Quantity | undefined {
  const exponent = suffix.base === 10 ? suffix.exponent - fraction.length : 0;
  if (exponent < -9 || !fitsMachine(whole, fraction, suffix)) return undefined;
  const digits = whole + fraction;
  const given = BigInt(digits);
  const amount = suffix.base === 2 ? given << BigInt(suffix.exponent) : given;
  if (amount > maximum) return undefined;
  const keeps = suffix.base === 2 ? given % 8n !== 0n : exponent % 3 === 0 && !digits.endsWith('000') && !digits.startsWith('0');
  return { unscaled: negative ? -amount : amount, exponent, format: suffix.format, ...(keeps && { text }) };
}

function fitsMachine(whole: string, fraction: string, suffix: Suffix): boolean {
  if (suffix.base === 10) return whole.length + fraction.length <= machineDigits;
  return fraction === '' && 14 - whole.length - Math.trunc((suffix.exponent * 3) / 10) >= 0;
}

function largeQuantity({ negative, whole, fraction, bare }: Parts, suffix: Suffix): Quantity {
  if (bare) throw new QuantityError(wrongNumber);
  const digits = BigInt(whole + fraction);
  const exponent = (suffix.base === 10 ? suffix.exponent : 0) - fraction.length;
  const scaled = suffix.base === 2 ? digits << BigInt(suffix.exponent) : digits;
  const rounded = roundUpQuantity({ unscaled: scaled, exponent, format: suffix.format }, -9);
  const amount = suffix.format === 'BinarySI' ? withinBinaryRange(rounded) : rounded;
  return { ...(negative ? negateQuantity(amount) : amount), decimal: true };
}

function withinBinaryRange(amount: Quantity): Quantity {
  if (compareQuantities(amount, quantityOf(maximum)) > 0) return quantityOf(maximum, 'BinarySI');
  const belowOne = amount.unscaled !== 0n && compareQuantities(amount, quantityOf(1)) < 0;
  return belowOne ? { ...amount, format: 'DecimalSI' } : amount;
}

function formatBinary(whole: bigint): string {
  let amount = whole;
  let exponent = 0;
  while (magnitude(amount) >= 1024n && amount % 1024n === 0n) {
    amount /= 1024n;
    exponent += 10;
  }
  return `${amount}${binarySuffixOf.get(exponent) ?? ''}`;
}

function formatDecimal(quantity: Quantity): string {
  let { unscaled: amount, exponent } = quantity;
  while (amount % 10n === 0n) {
    amount /= 10n;
    exponent += 1;
  }
  const excess = ((exponent % 3) + 3) % 3;
  amount *= powerOfTen(excess);
  exponent -= excess;
  return `${amount}${decimalSuffix(exponent, quantity.format)}`;
}

/** Upstream has no suffix beyond `E` and prints none there. */
function decimalSuffix(exponent: number, format: QuantityFormat): string {
  if (format === 'DecimalExponent') return exponent === 0 ? '' : `e${exponent}`;
  return decimalSuffixOf.get(exponent) ?? '';
}

function wholeAmount(quantity: Quantity): bigint | undefined {
  if (quantity.exponent >= 0) return atExponent(quantity, 0);
  const divisor = powerOfTen(-quantity.exponent);
  return quantity.unscaled % divisor === 0n ? quantity.unscaled / divisor : undefined;
}

function atExponent(quantity: Quantity, exponent: number): bigint {
  return quantity.exponent === exponent ? quantity.unscaled : quantity.unscaled * powerOfTen(quantity.exponent - exponent);
}

function divideAwayFromZero(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  if (dividend % divisor === 0n) return quotient;
  return dividend < 0n ? quotient - 1n : quotient + 1n;
}

/** Those between the suffixes; who charges a quota needs them with every pod. */
const commonPowers = Array.from({ length: 19 }, (_, exponent) => 10n ** BigInt(exponent));

function powerOfTen(exponent: number): bigint {
  return commonPowers[exponent] ?? 10n ** BigInt(exponent);
}

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value;
}
