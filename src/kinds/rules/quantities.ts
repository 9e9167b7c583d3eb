// Quantities in fields: arithmetic on their text form, and the checks that kinds share.
import { sharedMemo } from '#base/shared-memos.ts';
import { TextMemo } from '#base/text-memo.ts';
import type { FieldErrors } from '#api/field-error.ts';
import * as quantity from '#base/quantity.ts';

/** An amount and what is asked about it with every pod. */
class KnownAmount {
  readonly amount: quantity.Quantity;
  readonly sign: number;
  readonly isWhole: boolean;
  readonly rounded: string;

  constructor(text: string) {
    const amount = quantity.parseQuantity(text);
    this.amount = amount;
    this.sign = quantity.signOfQuantity(amount);
    this.isWhole = quantity.milliValue(amount) % 1000n === 0n;
    this.rounded = quantity.scaledValue(amount, -9) % 1_000_000n === 0n ? text : quantity.formatQuantity(quantity.roundUpQuantity(amount));
  }
}

/** Pods repeat the same few amounts, so known ones are kept, up to a bound. */
const kept = sharedMemo(new TextMemo<KnownAmount>());

function known(text: string): KnownAmount {
  return kept.get(text) ?? kept.add(text, (own) => new KnownAmount(own));
}

function parse(text: string): quantity.Quantity {
  return known(text).amount;
}

export function compareQuantities(a: string, b: string): number {
  return a === b ? 0 : quantity.compareQuantities(parse(a), parse(b));
}

/** -1, 0 or 1. */
export function quantitySign(text: string): number {
  return known(text).sign;
}

/** Rounded up to a whole number. */
export function quantityValue(text: string): bigint {
  return quantity.valueOfQuantity(parse(text));
}

/** Whole to the precision of resource lists, a thousandth. */
export function isWholeQuantity(text: string): boolean {
  return known(text).isWhole;
}

/** What upstream's warnings call a fraction: int64 thousandths that are no whole thousand, and so also what overflows them. */
export function hasFraction(text: string): boolean {
  return quantity.int64ScaledValue(parse(text), -3) % 1000n !== 0n;
}

/** The format of the first operand wins, unless that is zero. */
export function addQuantities(a: string, b: string): string {
  return quantity.formatQuantity(quantity.addQuantities(parse(a), parse(b)));
}

export function subtractQuantities(a: string, b: string): string {
  return quantity.formatQuantity(quantity.subtractQuantities(parse(a), parse(b)));
}

/** Amounts finer than a thousandth are rounded up: what the server does to every resource list. */
export function roundToMilli(text: string): string {
  return known(text).rounded;
}

export function validateNonNegativeQuantity(text: string, path: string, errors: FieldErrors): void {
  if (quantitySign(text) < 0) errors.invalid(path, text, 'must be greater than or equal to 0');
}

export function validatePositiveQuantity(text: string, path: string, errors: FieldErrors): void {
  if (quantitySign(text) <= 0) errors.invalid(path, text, 'must be greater than zero');
}
