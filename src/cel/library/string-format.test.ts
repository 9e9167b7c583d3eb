import { expect, test } from 'vitest';
import { formatText } from '#cel/library/string-format.ts';
import { ArrayList, CelError, type CelValue, Duration, Timestamp, TypeValue, Uint } from '#cel/value.ts';

// Every expectation was asked of cel-go's string.format through the real library.
const written: readonly [format: string, args: readonly CelValue[], text: string][] = [
  ['%.3f', [1234567.8912], '1,234,567.891'],
  ['%f', [-0.5], '-0.500000'],
  ['%.0f', [2.5], '2'],
  ['%.1f', [0.35], '0.3'],
  ['%.2f', [2.675], '2.67'],
  ['%f', [-0], '0.000000'],
  ['%.0f', [-0.4], '-0'],
  ['%.50f', [0.1], '0.10000000000000000555111512312578270211815834045410'],
  ['%.801f', [0.1], '0.1000000000000000055511151231257827021181583404541015625'],
  ['%f', [1e25], '10,000,000,000,000,000,905,969,664.000000'],
  ['%f', ['NaN'], 'NaN'],
  ['%.2f', ['-Infinity'], '-∞'],
  ['%e', [1052.032911275], '1.052033×10⁰³'],
  ['%.3e', [1052.032911275], '1.052033×10⁰³'],
  ['%e', [1234568.5], '1.234568×10⁰⁶'],
  ['%e', [-0.000123], '-1.230000×10⁻⁰⁴'],
  ['%.20e', [1], '       1.000000×10⁰⁰'],
  ['%e', ['-Infinity'], '    -∞'],
  ['%x %X', [-255n, new Uint(255n)], '-ff FF'],
  ['%x', ['hé'], '68c3a9'],
  ['%b %b', [-5n, true], '-101 1'],
  ['%o', [-8n], '-10'],
  ['%d%%', [5n], '5%'],
  ['%s', [1e21], '1e+21'],
  ['%s', [123456789], '1.23456789e+08'],
  ['%s', [new Duration(1n)], '0.000000001s'],
  ['%s', [new Duration(360_000_000_000_000n)], '360000s'],
  ['%s', [new Timestamp(1_577_836_800_120_000_000n)], '2020-01-01T00:00:00.12Z'],
  ['%s', [new Timestamp(-315_619_199_500_000_000n)], '1960-01-01T00:00:00.5Z'],
  ['%s', [new ArrayList([1n, 'a', 1.5, new Uint8Array([120]), null, true])], '[1, "a", 1.500000, b"x", null, true]'],
  ['%s', [new ArrayList([new Duration(1n), new Timestamp(0n), new TypeValue('int')])], '[duration("0.000000001s"), timestamp("1970-01-01T00:00:00Z"), int]'],
  ['%s', [new ArrayList([Number.NaN, Number.POSITIVE_INFINITY])], '["NaN", "+Inf"]'],
];

test.each(written)('%s of %o is written %s', (format, args, text) => {
  expect(formatText(format, new ArrayList(args))).toBe(text);
});

test.each<[string, readonly CelValue[], string]>([
  ['%s %s', [1n], 'index 1 out of range'],
  ['%', [1n], 'unexpected end of string'],
  ['%z', [1n], 'could not parse formatting clause: unrecognized formatting clause "z"'],
  ['%é', [1n], 'could not parse formatting clause: unrecognized formatting clause "Ã"'],
  ['%.3', [1], 'could not parse formatting clause: error while parsing precision: could not find end of precision specifier'],
  [
    '%.f',
    [1],
    'could not parse formatting clause: error while parsing precision: error while converting precision to integer: strconv.Atoi: parsing "": invalid syntax',
  ],
  ['%d', ['a'], 'error during formatting: decimal clause can only be used on integers, was given string'],
  ['%f', [1n], 'error during formatting: fixed-point clause can only be used on doubles, was given int'],
  ['%s', [new Uint8Array([255])], 'error during formatting: could not convert argument "invalid UTF-8 in bytes, cannot convert to string" to string'],
])('%s of %o is refused: %s', (format, args, message) => {
  expect(refusal(() => formatText(format, new ArrayList(args)))).toBe(message);
});

function refusal(attempt: () => unknown): string {
  try {
    return `answered ${String(attempt())}`;
  } catch (error) {
    if (error instanceof CelError) return error.message;
    throw error;
  }
}
