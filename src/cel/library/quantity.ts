// kubernetes.quantity: amounts such as `1.5Gi`, with upstream's two representations where they show.
import {
  addQuantities,
  compareQuantities,
  negateQuantity,
  parseQuantity,
  type Quantity,
  QuantityError,
  quantityOf,
  signOfQuantity,
  subtractQuantities,
} from '#base/quantity.ts';
import { declare, global, member, noSuchOverload } from '#cel/library/declare.ts';
import type { Library } from '#cel/library.ts';
import { boolType, doubleType, intType, objectType, stringType } from '#cel/type.ts';
import { CelError, type CelObject, type CelValue } from '#cel/value.ts';

export const quantityType = objectType('kubernetes.Quantity');

export class QuantityValue implements CelObject {
  readonly kind = 'object';
  readonly typeName = quantityType.name;
  readonly quantity: Quantity;
  constructor(quantity: Quantity) {
    this.quantity = quantity;
  }
  equals(other: CelValue): boolean {
    return other instanceof QuantityValue ? compareQuantities(this.quantity, other.quantity) === 0 : noSuchOverload();
  }
}

export const quantityLibrary: Library = {
  name: 'kubernetes.quantity',
  introduced: 28,
  functions: [
    declare('quantity', global('string_to_quantity', [stringType], quantityType, toQuantity)),
    declare('isQuantity', global('is_quantity_string', [stringType], boolType, isQuantity)),
    declare(
      'sign',
      global('quantity_sign', [quantityType], intType, ({ quantity }: QuantityValue) => BigInt(signOfQuantity(quantity))),
    ),
    declare(
      'isGreaterThan',
      member('quantity_is_greater_than', [quantityType, quantityType], boolType, (a: QuantityValue, b: QuantityValue) => compare(a, b) > 0),
    ),
    declare(
      'isLessThan',
      member('quantity_is_less_than', [quantityType, quantityType], boolType, (a: QuantityValue, b: QuantityValue) => compare(a, b) < 0),
    ),
    declare(
      'compareTo',
      member('quantity_compare_to', [quantityType, quantityType], intType, (a: QuantityValue, b: QuantityValue) => BigInt(compare(a, b))),
    ),
    declare(
      'asApproximateFloat',
      member('quantity_get_float', [quantityType], doubleType, ({ quantity }: QuantityValue) => approximateFloat(quantity)),
    ),
    declare('asInteger', member('quantity_get_int', [quantityType], intType, asInteger)),
    declare(
      'isInteger',
      member('quantity_is_integer', [quantityType], boolType, ({ quantity }: QuantityValue) => integerOf(quantity) !== undefined),
    ),
    declare(
      'add',
      member('quantity_add', [quantityType, quantityType], quantityType, (a: QuantityValue, b: QuantityValue) => add(a, b.quantity)),
      member('quantity_add_int', [quantityType, intType], quantityType, (a: QuantityValue, b: bigint) => add(a, quantityOf(b, 'DecimalExponent'))),
    ),
    declare(
      'sub',
      member('quantity_sub', [quantityType, quantityType], quantityType, (a: QuantityValue, b: QuantityValue) => subtract(a, b.quantity)),
      member('quantity_sub_int', [quantityType, intType], quantityType, (a: QuantityValue, b: bigint) => subtract(a, quantityOf(b, 'DecimalExponent'))),
    ),
  ],
};

function toQuantity(text: string): QuantityValue {
  try {
    return new QuantityValue(parseQuantity(text));
  } catch (error) {
    if (error instanceof QuantityError) throw new CelError(error.message);
    throw error;
  }
}

function isQuantity(text: string): boolean {
  try {
    parseQuantity(text);
    return true;
  } catch (error) {
    if (error instanceof QuantityError) return false;
    throw error;
  }
}

function compare(a: QuantityValue, b: QuantityValue): -1 | 0 | 1 {
  return compareQuantities(a.quantity, b.quantity);
}

/** Upstream knows only amounts that are held as machine integers and not in parts of units: `1000m` is no integer to it. */
function integerOf({ unscaled, exponent, decimal }: Quantity): bigint | undefined {
  if (decimal === true || exponent < 0) return undefined;
  // The largest int64 has 19 digits.
  const value = exponent > 19 && unscaled !== 0n ? undefined : unscaled * 10n ** BigInt(Math.min(exponent, 19));
  return value === undefined || BigInt.asIntN(64, value) !== value ? undefined : value;
}

function asInteger({ quantity }: QuantityValue): bigint {
  const integer = integerOf(quantity);
  if (integer === undefined) throw new CelError('cannot convert value to integer');
  return integer;
}

/** Two roundings, as upstream's AsApproximateFloat64: 0.7 gives 7 * 0.1. */
function approximateFloat({ unscaled, exponent }: Quantity): number {
  return exponent === 0 ? Number(unscaled) : Number(unscaled) * powerOfTen(exponent);
}

/** math.Pow10, which makes large powers of two factors. */
function powerOfTen(exponent: number): number {
  const size = Math.abs(exponent);
  const rest = size % 32;
  if (exponent < -323) return 0;
  return exponent < 0 ? Number(`1e-${size - rest}`) / Number(`1e${rest}`) : Number(`1e${size - rest}`) * Number(`1e${rest}`);
}

function add(a: QuantityValue, b: Quantity): QuantityValue {
  return new QuantityValue(machineSum(a.quantity, b) ?? { ...addQuantities(a.quantity, b), decimal: true });
}

function subtract(a: QuantityValue, b: Quantity): QuantityValue {
  return new QuantityValue(machineSum(a.quantity, b, negateQuantity(b)) ?? { ...subtractQuantities(a.quantity, b), decimal: true });
}

/** The sum of two machine integers when it is one; zero leaves the other's exponent as it is. */
function machineSum(a: Quantity, given: Quantity, b: Quantity = given): Quantity | undefined {
  if (a.decimal === true || given.decimal === true) return undefined;
  const { unscaled, exponent, format } = a;
  if (unscaled === 0n) return { unscaled: b.unscaled, exponent: b.unscaled === 0n ? exponent : b.exponent, format: b.format };
  if (b.unscaled === 0n) return { unscaled, exponent, format };
  const sum = addQuantities(a, b);
  return BigInt.asIntN(64, sum.unscaled) === sum.unscaled ? sum : undefined;
}
