// Quantities in fields: arithmetic on their text form, and the checks that kinds share.
import type { FieldErrors } from '#api/field-error.ts';
import * as quantity from '#api/quantity.ts';

/** Pods repeat the same few amounts, so parsed ones are kept, up to a bound. */
const parsed = new Map<string, quantity.Quantity>();
const keptAmounts = 1024;

function parse(text: string): quantity.Quantity {
  const known = parsed.get(text);
  if (known !== undefined) return known;
  const amount = quantity.parseQuantity(text);
  if (parsed.size >= keptAmounts) parsed.clear();
  parsed.set(text, amount);
  return amount;
}

export function compareQuantities(a: string, b: string): number {
  return a === b ? 0 : quantity.compareQuantities(parse(a), parse(b));
}

/** -1, 0 or 1. */
export function quantitySign(text: string): number {
  return quantity.signOfQuantity(parse(text));
}

/** Rounded up to a whole number. */
export function quantityValue(text: string): bigint {
  return quantity.valueOfQuantity(parse(text));
}

/** Whole to the precision of resource lists, a thousandth. */
export function isWholeQuantity(text: string): boolean {
  return quantity.milliValue(parse(text)) % 1000n === 0n;
}

/** The format of the first operand wins, unless that is zero. */
export function addQuantities(a: string, b: string): string {
  return quantity.formatQuantity(quantity.addQuantities(parse(a), parse(b)));
}

export function subtractQuantities(a: string, b: string): string {
  return quantity.formatQuantity(quantity.subtractQuantities(parse(a), parse(b)));
}

/** The larger one; the first when they are equal. */
export function maxQuantity(a: string, b: string): string {
  return compareQuantities(b, a) > 0 ? b : a;
}

/** Amounts finer than a thousandth are rounded up: what the server does to every resource list. */
export function roundToMilli(text: string): string {
  const amount = parse(text);
  return quantity.scaledValue(amount, -9) % 1_000_000n === 0n ? text : quantity.formatQuantity(quantity.roundUpQuantity(amount));
}

export function validateNonNegativeQuantity(text: string, path: string, errors: FieldErrors): void {
  if (quantitySign(text) < 0) errors.invalid(path, text, 'must be greater than or equal to 0');
}

export function validatePositiveQuantity(text: string, path: string, errors: FieldErrors): void {
  if (quantitySign(text) <= 0) errors.invalid(path, text, 'must be greater than zero');
}
