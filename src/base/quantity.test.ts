import { describe, expect, test } from 'vitest';
import {
  addQuantities,
  asNumber,
  canonicalQuantity,
  compareQuantities,
  formatQuantity,
  isWholeQuantity,
  milliValue,
  parseQuantity,
  QuantityError,
  quantityOf,
  roundUpQuantity,
  sameQuantity,
  signOfQuantity,
  subtractQuantities,
  valueOfQuantity,
} from '#base/quantity.ts';

describe('the canonical form', () => {
  test.each([
    ['1', '1'],
    ['1000m', '1'],
    ['1500m', '1500m'],
    ['0.5', '500m'],
    ['1000', '1k'],
    ['1024Ki', '1Mi'],
    ['0.5Gi', '512Mi'],
    ['1.5Gi', '1536Mi'],
    ['100Ki', '100Ki'],
    ['1e3', '1e3'],
    ['12E6', '12E6'],
    ['1000e3', '1e6'],
    ['0.1n', '1n'],
    ['-1.5', '-1500m'],
    ['00', '0'],
    ['-', '0'],
    ['.', '0'],
    ['Ki', '0'],
    ['0.5Ki', '512'],
    ['1023Mi', '1023Mi'],
    ['8Ki', '8Ki'],
    ['9223372036854775808Ki', '9223372036854775807'],
  ])('of %s is %s', (given, expected) => {
    expect(canonicalQuantity(given)).toBe(expected);
  });

  test('keeps some spellings that the original keeps', () => {
    expect(['+5', '5.', '007', '1.50'].map(canonicalQuantity)).toEqual(['+5', '5.', '007', '1500m']);
  });

  test('is a fixed point', () => {
    for (const text of ['+5', '1000m', '0.5Gi', '1000E', '3e20', '12.25k']) expect(canonicalQuantity(canonicalQuantity(text))).toBe(canonicalQuantity(text));
  });
});

describe('texts that are no quantities', () => {
  const format = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
  test.each([
    ['', format],
    ['abc', format],
    ['1 Gi', format],
    ['1.2.3', format],
    ['K', "unable to parse quantity's suffix"],
    ['1KB', format],
    ['5mm', "unable to parse quantity's suffix"],
    ['1e', "unable to parse quantity's suffix"],
    ['Ei', 'unable to parse numeric part of quantity'],
  ])('%j: %s', (given, message) => {
    expect(() => parseQuantity(given)).toThrow(new QuantityError(message));
  });

  test('amounts that would need unbounded memory are refused', () => {
    expect(() => parseQuantity('1e999999999')).toThrow(QuantityError);
    expect(() => parseQuantity('9'.repeat(100_000))).toThrow(QuantityError);
  });
});

describe('arithmetic', () => {
  const of = parseQuantity;

  test('compares amounts, not spellings', () => {
    expect(compareQuantities(of('1000m'), of('1'))).toBe(0);
    expect(compareQuantities(of('1Gi'), of('1G'))).toBe(1);
    expect(compareQuantities(of('-1'), of('0'))).toBe(-1);
    expect(sameQuantity('0.5', '500m')).toBe(true);
  });

  test('a sum keeps the suffixes of its first amount, unless that is zero', () => {
    expect(formatQuantity(addQuantities(of('1Gi'), of('512Mi')))).toBe('1536Mi');
    expect(formatQuantity(addQuantities(of('100m'), of('2')))).toBe('2100m');
    expect(formatQuantity(addQuantities(of('0'), of('1Gi')))).toBe('1Gi');
    expect(formatQuantity(subtractQuantities(of('1Gi'), of('512Mi')))).toBe('512Mi');
    expect(formatQuantity(subtractQuantities(of('0'), of('1Ki')))).toBe('-1Ki');
  });

  test('integers are read off rounded away from zero', () => {
    expect(valueOfQuantity(of('1500m'))).toBe(2n);
    expect(valueOfQuantity(of('-1500m'))).toBe(-2n);
    expect(milliValue(of('1n'))).toBe(1n);
    expect(milliValue(of('0.25'))).toBe(250n);
    expect(formatQuantity(roundUpQuantity(of('1n')))).toBe('1m');
    expect(roundUpQuantity(of('2500m'))).toEqual(of('2500m'));
  });

  test('knows signs, whole amounts and approximate numbers', () => {
    expect([of('-1m'), of('0'), of('3')].map(signOfQuantity)).toEqual([-1, 0, 1]);
    expect([of('1500m'), of('2000m'), of('1Ki')].map(isWholeQuantity)).toEqual([false, true, true]);
    expect(asNumber(of('1.5Gi'))).toBe(1.5 * 2 ** 30);
    expect(formatQuantity(quantityOf(2048, 'BinarySI'))).toBe('2Ki');
  });
});
