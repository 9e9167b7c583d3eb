// Times under their own tags, in values that have no schema: they become texts, as everywhere in JSON.
import { canonicalTime } from '#schema/time.ts';
import { CborError } from '#schema/cbor/cbor-error.ts';
import type { CborReader } from '#schema/cbor/cbor-reader.ts';
import { major } from '#schema/cbor/item-end.ts';

/** The item behind tag 0 (a text) or 1 (seconds since 1970) as RFC 3339 with as many decimals as it needs. */
export function taggedTime(tag: number, wire: CborReader): string {
  if (tag === 0) return readable(wire.text());
  const kind = wire.head();
  const seconds = kind === major.other ? wire.float() : kind === major.positive ? wire.value : -1 - wire.value;
  const whole = Math.trunc(seconds);
  return formatted(whole, Math.trunc((seconds - whole) * 1e9));
}

function readable(text: string): string {
  try {
    canonicalTime(text);
  } catch (error) {
    throw new CborError(`cbor: cannot set ${text} for time.Time: ${(error as Error).message}`);
  }
  const [, day = '', fraction = '', zone = ''] = /^(.{10}T[\d:]+)(?:[.,](\d+))?(.*)$/s.exec(text) ?? [];
  return `${day}${decimals(fraction.slice(0, 9))}${/^[+-]00:00$/.test(zone) ? 'Z' : zone}`;
}

const lastSecond = 253402300799;
const firstSecond = -62167219200;

function formatted(seconds: number, nanoseconds: number): string {
  const [second, rest] = nanoseconds < 0 ? [seconds - 1, nanoseconds + 1e9] : [seconds, nanoseconds];
  if (second < firstSecond || second > lastSecond) {
    throw new CborError(
      'cbor: decoded time cannot be represented in RFC3339 format with sub-second precision: Time.MarshalText: year outside of range [0,9999]',
    );
  }
  return `${new Date(second * 1000).toISOString().slice(0, 19)}${decimals(String(rest).padStart(9, '0'))}Z`;
}

function decimals(digits: string): string {
  const needed = digits.replace(/0+$/, '');
  return needed === '' ? '' : `.${needed}`;
}
