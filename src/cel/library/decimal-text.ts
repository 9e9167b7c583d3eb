// Doubles in decimal, as strconv rounds them (exactly, ties to even) and as golang.org/x/text prints them for en_US.

/** fmt's `%.Nf`. */
export function fixedText(value: number, digits: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  const { whole, fraction } = roundedDigits(Math.abs(value), digits);
  return digits === 0 ? `${sign}${whole}` : `${sign}${whole}.${fraction}`;
}

/** No double has more digits behind the point. */
const mostDigits = 1074;

/** x/text's `%.Nf`: thousands are grouped, and of the precision only eight bits say how many zeros are kept. */
export function groupedText(value: number, digits: number): string {
  if (!Number.isFinite(value)) return nonFiniteText(value);
  const { whole, fraction } = roundedDigits(Math.abs(value), Math.min(digits, mostDigits));
  const kept = fraction.replace(/0+$/, '').padEnd(digits & 0xff, '0');
  const grouped = whole.replace(/\B(?=(?:[0-9]{3})+$)/g, ',');
  return `${value < 0 ? '-' : ''}${grouped}${kept === '' ? '' : `.${kept}`}`;
}

const superscripts: Readonly<Record<string, string>> = { '-': '⁻', 0: '⁰', 1: '¹', 2: '²', 3: '³', 4: '⁴', 5: '⁵', 6: '⁶', 7: '⁷', 8: '⁸', 9: '⁹' };

/** x/text's `%Ne`: six digits behind the point; the number is a width, of which sixteen bits count. */
export function scientificText(value: number, width: number): string {
  return (Number.isFinite(value) ? mantissaAndExponent(value) : nonFiniteText(value)).padStart(width & 0xffff);
}

function nonFiniteText(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  return value > 0 ? '∞' : '-∞';
}

function mantissaAndExponent(value: number): string {
  const { digits, exponent } = significantDigits(Math.abs(value), 7);
  const power = `${exponent < 0 ? '-' : ''}${String(Math.abs(exponent)).padStart(2, '0')}`;
  const raised = [...power].map((character) => superscripts[character]).join('');
  return `${value < 0 ? '-' : ''}${digits.slice(0, 1)}.${digits.slice(1)}×10${raised}`;
}

/** A positive double as `numerator / 2^shift`, exactly. */
function exactFraction(value: number): { readonly numerator: bigint; readonly shift: bigint } {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const biased = Number((bits >> 52n) & 0x7ffn);
  const mantissa = bits & 0xfffffffffffffn;
  const numerator = biased === 0 ? mantissa : mantissa | (1n << 52n);
  const exponent = (biased === 0 ? 1 : biased) - 1075;
  return exponent >= 0 ? { numerator: numerator << BigInt(exponent), shift: 0n } : { numerator, shift: BigInt(-exponent) };
}

function roundedDigits(value: number, digits: number): { readonly whole: string; readonly fraction: string } {
  const { numerator, shift } = exactFraction(value);
  const text = String(divideToEven(numerator * 10n ** BigInt(digits), 1n << shift)).padStart(digits + 1, '0');
  return { whole: text.slice(0, text.length - digits), fraction: text.slice(text.length - digits) };
}

function significantDigits(value: number, count: number): { readonly digits: string; readonly exponent: number } {
  if (value === 0) return { digits: '0'.repeat(count), exponent: 0 };
  const exponent = Number(value.toExponential().split('e')[1]);
  const { numerator, shift } = exactFraction(value);
  const power = count - 1 - exponent;
  const digits = String(power >= 0 ? divideToEven(numerator * 10n ** BigInt(power), 1n << shift) : divideToEven(numerator, (10n ** BigInt(-power)) << shift));
  // 9999999.5 rounds to one digit more.
  return digits.length > count ? { digits: digits.slice(0, count), exponent: exponent + 1 } : { digits, exponent };
}

function divideToEven(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  const twice = (dividend % divisor) * 2n;
  const up = twice > divisor || (twice === divisor && quotient % 2n === 1n);
  return up ? quotient + 1n : quotient;
}
