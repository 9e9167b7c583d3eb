// The formats of texts that a custom resource's schema may ask for, as the original checks them.
import { hasLeadingZeros, parseCidrSloppy, parseIpSloppy } from '#base/ip-address.ts';
import { parseDuration } from '#base/time/duration.ts';

/** Undefined for a format nobody knows, which then means nothing. Dashes in the name do not count. */
export function stringFormat(name: string): ((text: string) => boolean) | undefined {
  const plain = name.replaceAll('-', '');
  return Object.hasOwn(formats, plain) ? formats[plain] : undefined;
}

const formats: Readonly<Record<string, (text: string) => boolean>> = {
  bsonobjectid: (text) => /^[0-9a-fA-F]{24}$/.test(text),
  uri: isRequestUri,
  email: isEmail,
  hostname: isHostname,
  ipv4: (text) => text.includes('.') && parseIpSloppy(text) !== undefined,
  ipv6: (text) => text.includes(':') && parseIpSloppy(text) !== undefined && !hasLeadingZeros(text),
  cidr: (text) => parseCidrSloppy(text) !== undefined,
  mac: isMac,
  uuid: (text) => /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i.test(text),
  uuid3: (text) => /^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i.test(text),
  uuid4: (text) => /^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i.test(text),
  uuid5: (text) => /^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i.test(text),
  isbn: (text) => isIsbn10(text) || isIsbn13(text),
  isbn10: isIsbn10,
  isbn13: isIsbn13,
  creditcard: isCreditCard,
  ssn: (text) => text.length === 11 && /^\d{3}[- ]?\d{2}[- ]?\d{4}$/.test(text),
  hexcolor: (text) => /^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/.test(text),
  rgbcolor: isRgbColor,
  byte: (text) => /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/.test(text),
  password: () => true,
  date: isDate,
  duration: isDuration,
  datetime: isDateTime,
  k8sshortname: (text) => text.length <= 63 && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(text),
  k8slongname: (text) => text.length <= 253 && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/.test(text),
};

const hostnameLabel = /^[a-zA-Z0-9\p{S}\p{L}](-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?$/u;
const hostnameInner = /^[a-zA-Z0-9\p{S}\p{L}]([a-zA-Z0-9\-\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?$/u;
const hostnameTop = /^[a-zA-Z\p{L}]{2,63}$/u;

/** One label, or several of which the last has letters only. */
function isHostname(text: string): boolean {
  const labels = text.split('.');
  if (Buffer.byteLength(text) > 255 || labels.some((label) => Buffer.byteLength(label) > 63)) return false;
  if (labels.length === 1) return hostnameLabel.test(text);
  return hostnameTop.test(labels.at(-1) ?? '') && labels.slice(0, -1).every((label) => hostnameInner.test(label));
}

function isMac(text: string): boolean {
  const shaped = /^(?:[0-9a-f]{2}(?::[0-9a-f]{2})+|[0-9a-f]{2}(?:-[0-9a-f]{2})+|[0-9a-f]{4}(?:\.[0-9a-f]{4})+|[0-9a-f]+)$/i.test(text);
  return shaped && [12, 16, 40].includes(text.replace(/[:.-]/g, '').length);
}

function isIsbn10(text: string): boolean {
  const digits = text.replace(/[\s-]+/g, '');
  if (!/^(?:[0-9]{9}X|[0-9]{10})$/.test(digits)) return false;
  const sum = [...digits].reduce((total, digit, index) => total + (index + 1) * (digit === 'X' ? 10 : Number(digit)), 0);
  return sum % 11 === 0;
}

function isIsbn13(text: string): boolean {
  const digits = text.replace(/[\s-]+/g, '');
  if (!/^[0-9]{13}$/.test(digits)) return false;
  const sum = Array.from(digits.slice(0, 12)).reduce((total, digit, index) => total + (index % 2 === 0 ? 1 : 3) * Number(digit), 0);
  return Number(digits[12]) === (10 - (sum % 10)) % 10;
}

const cardNumber =
  /^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35\d{3})\d{11})$/;

function isCreditCard(text: string): boolean {
  const digits = text.replace(/[^0-9]+/g, '');
  if (!cardNumber.test(digits)) return false;
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

function isRgbColor(text: string): boolean {
  const found = /^rgb\(([^()]*)\)$/.exec(text);
  const parts = found?.[1]?.split(',') ?? [];
  return parts.length === 3 && parts.every((part) => /^(0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])$/.test(part.replace(/^[\t\n\f\r ]+|[\t\n\f\r ]+$/g, '')));
}

function isDate(text: string): boolean {
  const found = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (found === null) return false;
  const [year, month, day] = found.slice(1).map(Number) as [number, number, number];
  return month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

function isDateTime(text: string): boolean {
  const [date = '', time] = text.toLowerCase().split('t');
  if (time === undefined || !isDate(date)) return false;
  const found = /^([0-9]{2}):([0-9]{2}):([0-9]{2})(.[0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))$/.exec(time);
  return found !== null && Number(found[1]) <= 23 && Number(found[2]) <= 59 && Number(found[3]) <= 59;
}

/** The last spelling of each unit also stands for longer words: `min` for `minutes`. */
const units: readonly (readonly [nanoseconds: bigint, ...spellings: string[]])[] = [
  [1n, 'ns', 'nano'],
  [1_000n, 'us', 'µs', 'micro'],
  [1_000_000n, 'ms', 'milli'],
  [1_000_000_000n, 's', 'sec'],
  [60_000_000_000n, 'm', 'min'],
  [3_600_000_000_000n, 'h', 'hr', 'hour'],
  [86_400_000_000_000n, 'd', 'day'],
  [604_800_000_000_000n, 'w', 'wk', 'week'],
];

function isDuration(text: string): boolean {
  return durationOf(text) !== undefined;
}

/** Nanoseconds of a text of format `duration`: as Go writes one, or amounts with the words of strfmt (`5 days`); undefined when it is none. */
export function durationOf(text: string): bigint | undefined {
  try {
    return parseDuration(text);
  } catch {
    let total: bigint | undefined;
    for (const [, amount = '', word = ''] of text.matchAll(/(\d+)\s*([A-Za-zµ]+)/g)) {
      if (amount.replace(/^0+/, '').length > 19 || BigInt(amount) > 9223372036854775807n) return undefined;
      const spelled = word.toLowerCase();
      for (const [size, ...spellings] of units) {
        if (!spellings.includes(spelled) && !spelled.startsWith(spellings.at(-1) ?? '')) continue;
        total = BigInt.asIntN(64, (total ?? 0n) + BigInt(amount) * size);
      }
    }
    return total;
  }
}

const atomCharacters = "A-Za-z0-9!#$%&'*+/=?^_`{|}~\\-\\u0080-\\u{10ffff}";
const dotAtom = `[${atomCharacters}]+(?:\\.[${atomCharacters}]+)*`;
const quoted = '"(?:[^"\\\\\\r\\n]|\\\\.)*"';
const address = `(?:${dotAtom}|${quoted})@(?:${dotAtom}|\\[[^\\[\\]\\\\]*\\])`;
const bareAddress = new RegExp(`^[ \\t]*${address}[ \\t]*$`, 'u');
const namedAddress = new RegExp(`^(?:[${atomCharacters}. \\t]|${quoted})*<${address}>[ \\t]*$`, 'u');

/** RFC 5322 with or without a display name. */
function isEmail(text: string): boolean {
  if (text.length > 1000) return false;
  return bareAddress.test(text) || (text.trimEnd().endsWith('>') && namedAddress.test(text));
}

/** An absolute URI or an absolute path, as in the first line of an HTTP request. */
function isRequestUri(text: string): boolean {
  if (text === '' || /\p{Cc}/u.test(text.replace(/[\u0080-\u009f]/g, ''))) return false;
  if (text === '*') return true;
  const scheme = /^[a-zA-Z][a-zA-Z0-9+.-]*:/.exec(text)?.[0] ?? '';
  const [rest = ''] = text.slice(scheme.length).split('?');
  if (!rest.startsWith('/')) return scheme !== '';
  const authority = scheme !== '' && rest.startsWith('//') ? (/^\/\/([^/]*)/.exec(rest)?.[1] ?? '') : undefined;
  if (authority === undefined) return hasValidEscapes(rest);
  return isAuthority(authority) && hasValidEscapes(rest.slice(authority.length + 2));
}

function hasValidEscapes(path: string): boolean {
  return !/%(?![0-9a-fA-F]{2})/.test(path);
}

function isAuthority(authority: string): boolean {
  const at = authority.lastIndexOf('@');
  const host = authority.slice(at + 1);
  if (at >= 0 && !/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(authority.slice(0, at))) return false;
  if (!hasValidEscapes(authority.slice(0, Math.max(at, 0)))) return false;
  if (host.startsWith('[')) return /^\[[^\]]*\](:[0-9]*)?$/.test(host);
  // Only bytes beyond ASCII may be escaped in a host.
  return /^(?:[A-Za-z0-9\-_.~!$&'()*+,;=[\]<>"\u0080-\u{10ffff}]|%[89a-fA-F][0-9a-fA-F]|:)*$/u.test(host) && isPort(host);
}

function isPort(host: string): boolean {
  const colon = host.lastIndexOf(':');
  return colon < 0 || /^[0-9]*$/.test(host.slice(colon + 1));
}
