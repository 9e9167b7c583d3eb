// Values as `string(value)` writes them.
import { goFloat } from '#base/go-text.ts';
import { CelError, type CelValue } from '#cel/value.ts';

/** Undefined for what has no text: null, lists, maps, optionals and values of libraries. */
export function valueToText(value: CelValue): string | undefined {
  switch (typeof value) {
    case 'string':
      return value;
    case 'boolean':
    case 'bigint':
      return String(value);
    case 'number':
      return doubleToText(value);
    default:
      return value === null ? undefined : objectToText(value);
  }
}

function objectToText(value: Exclude<CelValue, null | boolean | bigint | number | string>): string | undefined {
  if (value instanceof Uint8Array) return bytesToText(value);
  switch (value.kind) {
    case 'uint':
      return String(value.value);
    case 'timestamp':
      return timestampToText(value.nanos);
    case 'duration':
      return `${durationSeconds(value.nanos)}s`;
    case 'type':
      return value.name;
    default:
      return undefined;
  }
}

/** fmt's `%g`. */
function doubleToText(value: number): string {
  if (Number.isFinite(value)) return Object.is(value, -0) ? '-0' : goFloat(value);
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
}

function bytesToText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new CelError('could not convert argument "invalid UTF-8 in bytes, cannot convert to string" to string');
  }
}

/** RFC 3339 in UTC, with as many digits behind the seconds as there are. */
function timestampToText(nanos: bigint): string {
  const fraction = ((nanos % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n;
  const seconds = (nanos - fraction) / 1_000_000_000n;
  const iso = new Date(Number(seconds) * 1000).toISOString().slice(0, 19);
  const digits = fraction === 0n ? '' : `.${String(fraction).padStart(9, '0').replace(/0+$/, '')}`;
  return `${iso}${digits}Z`;
}

/** As Go's Duration.Seconds gives them: a double, written without exponent. */
function durationSeconds(nanos: bigint): string {
  const whole = nanos / 1_000_000_000n;
  const seconds = Number(whole) + Number(nanos % 1_000_000_000n) / 1e9;
  const [digits = '', exponent = '0'] = seconds.toExponential().split('e');
  const power = Number(exponent);
  if (power >= 0 || seconds === 0) return String(seconds);
  const sign = digits.startsWith('-') ? '-' : '';
  return `${sign}0.${'0'.repeat(-power - 1)}${digits.replace(/[-.]/g, '')}`;
}
