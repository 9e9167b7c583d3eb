// IP addresses and prefixes as Go's net/netip reads them: no leading zeros, zones kept, and its wording of what is wrong where.
import { goQuote } from '#base/go-text.ts';
import { formatIp } from '#base/ip-address.ts';
import { type Parsed, parsed, unparsed } from '#cel/library/parsed.ts';

export interface Address {
  readonly family: 4 | 6;
  readonly value: bigint;
  /** What follows `%` in an IPv6 address. */
  readonly zone: string;
}

export interface Prefix {
  /** As written, host bits included. */
  readonly address: Address;
  readonly bits: number;
}

/** A complaint without the text it is about. `at` is the part not read yet. */
interface Complaint {
  readonly message: string;
  readonly at?: string;
}

export function parseAddress(text: string): Parsed<Address> {
  const result = readAddress(text);
  if ('message' in result) return unparsed(`ParseAddr(${goQuote(text)}): ${result.message}${result.at === undefined ? '' : ` (at ${goQuote(result.at)})`}`);
  return parsed(result);
}

export function parsePrefix(text: string): Parsed<Prefix> {
  const complain = (message: string) => unparsed(`netip.ParsePrefix(${goQuote(text)}): ${message}`);
  const slash = text.lastIndexOf('/');
  if (slash < 0) return complain("no '/'");
  const address = parseAddress(text.slice(0, slash));
  if (!address.ok) return complain(address.problem);
  if (address.value.zone !== '') return complain('IPv6 zones cannot be present in a prefix');
  const size = text.slice(slash + 1);
  if (!/^(?:[0-9]|[1-9][0-9]+)$/.test(size) || BigInt(size) > 2n ** 63n - 1n) return complain(`bad bits after slash: ${goQuote(size)}`);
  const bits = Number(size);
  if (bits > widthOf(address.value)) return complain('prefix length out of range');
  return parsed({ address: address.value, bits });
}

/** `::ffff:1.2.3.4`: an IPv4 address in IPv6 notation. */
export function isMapped({ family, value }: Address): boolean {
  return family === 6 && value >> 32n === 0xffffn;
}

export function formatAddress(address: Address): string {
  return formatIp(address);
}

export function formatPrefix({ address, bits }: Prefix): string {
  return `${formatAddress(address)}/${bits}`;
}

export function sameAddress(a: Address, b: Address): boolean {
  return a.family === b.family && a.value === b.value && a.zone === b.zone;
}

export function isUnspecified({ value }: Address): boolean {
  return value === 0n;
}

export function isLoopback({ family, value }: Address): boolean {
  return family === 4 ? value >> 24n === 127n : value === 1n;
}

export function isLinkLocalUnicast({ family, value }: Address): boolean {
  return family === 4 ? value >> 16n === 0xa9fen : value >> 118n === 0xfe80n >> 6n;
}

export function isLinkLocalMulticast({ family, value }: Address): boolean {
  return family === 4 ? value >> 8n === 0xe00000n : ((value >> 112n) & 0xff0fn) === 0xff02n;
}

/** Private IPv4 and unique local IPv6 addresses count as global. */
export function isGlobalUnicast(address: Address): boolean {
  if (address.family === 4 && address.value === 0xffffffffn) return false;
  return !isUnspecified(address) && !isLoopback(address) && !isMulticast(address) && !isLinkLocalUnicast(address);
}

function isMulticast({ family, value }: Address): boolean {
  return family === 4 ? value >> 28n === 0xen : value >> 120n === 0xffn;
}

export function maskedPrefix({ address, bits }: Prefix): Prefix {
  const shift = BigInt(widthOf(address) - bits);
  return { address: { ...address, value: (address.value >> shift) << shift }, bits };
}

export function prefixContains(prefix: Prefix, address: Address): boolean {
  if (prefix.address.family !== address.family || address.zone !== '') return false;
  const shift = BigInt(widthOf(address) - prefix.bits);
  return prefix.address.value >> shift === address.value >> shift;
}

/** Every address of `inner` is in `outer`. */
export function prefixCovers(outer: Prefix, inner: Prefix): boolean {
  return outer.bits <= inner.bits && prefixContains(outer, inner.address);
}

/** The bytes that the prefix fixes; what comparing it costs. */
export function prefixBytes({ bits }: Prefix): number {
  return Math.ceil(bits / 8);
}

export function addressBytes(address: Address): number {
  return widthOf(address) / 8;
}

function widthOf({ family }: Address): 32 | 128 {
  return family === 4 ? 32 : 128;
}

/** The first of these characters decides how the text is read. */
function readAddress(text: string): Address | Complaint {
  switch (/[.:%]/.exec(text)?.[0]) {
    case '.': {
      const value = readIpv4(text);
      return typeof value === 'bigint' ? { family: 4, value, zone: '' } : value;
    }
    case ':':
      return readIpv6(text);
    case '%':
      return { message: 'missing IPv6 address' };
    default:
      return { message: 'unable to parse IP' };
  }
}

function readIpv4(text: string): bigint | Complaint {
  let octets: number[] = [];
  let digits = '';
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? '';
    if (character >= '0' && character <= '9') {
      if (digits === '0') return { message: 'IPv4 field has octet with leading zero' };
      digits += character;
      if (Number(digits) > 255) return { message: 'IPv4 field has value >255' };
    } else if (character === '.') {
      if (digits === '' || at === text.length - 1) return { message: 'IPv4 field must have at least one digit', at: text.slice(at) };
      if (octets.length === 3) return { message: 'IPv4 address too long' };
      octets = [...octets, Number(digits)];
      digits = '';
    } else {
      return { message: 'unexpected character', at: text.slice(at) };
    }
  }
  if (octets.length < 3) return { message: 'IPv4 address too short' };
  return [...octets, Number(digits)].reduce((value, octet) => (value << 8n) | BigInt(octet), 0n);
}

function readIpv6(text: string): Address | Complaint {
  const percent = text.indexOf('%');
  const zone = percent < 0 ? '' : text.slice(percent + 1);
  if (percent >= 0 && zone === '') return { message: 'zone must be a non-empty string' };
  const groups = readGroups(percent < 0 ? text : text.slice(0, percent));
  if ('message' in groups) return groups;
  return { family: 6, value: groups.value, zone };
}

/** Groups of 16 bits; `gap` is where `::` stands. */
function readGroups(text: string): { readonly value: bigint } | Complaint {
  const groups: number[] = [];
  let gap = text.startsWith('::') ? 0 : -1;
  let rest = gap === 0 ? text.slice(2) : text;
  while (groups.length < 8 && !(rest === '' && gap === groups.length)) {
    const digits = /^[0-9a-fA-F]*/.exec(rest)?.[0] ?? '';
    const wrong = groupComplaint(digits, rest, groups.length, gap);
    if (wrong !== undefined) return wrong;
    if (rest[digits.length] === '.') {
      const dotted = readIpv4(rest);
      if (typeof dotted !== 'bigint') return dotted;
      groups.push(Number(dotted >> 16n), Number(dotted & 0xffffn));
      rest = '';
      break;
    }
    groups.push(Number.parseInt(digits, 16));
    rest = rest.slice(digits.length);
    if (rest === '') break;
    if (!rest.startsWith(':')) return { message: 'unexpected character, want colon', at: rest };
    if (rest === ':') return { message: 'colon must be followed by more characters', at: rest };
    rest = rest.slice(1);
    if (!rest.startsWith(':')) continue;
    if (gap >= 0) return { message: 'multiple :: in address', at: rest };
    gap = groups.length;
    rest = rest.slice(1);
  }
  if (rest !== '') return { message: 'trailing garbage after address', at: rest };
  return joinGroups(groups, gap);
}

function groupComplaint(digits: string, rest: string, count: number, gap: number): Complaint | undefined {
  if (digits.length > 4) return { message: 'each group must have 4 or less digits', at: rest };
  if (digits === '') return { message: 'each colon-separated field must have at least one digit', at: rest };
  if (rest[digits.length] !== '.') return undefined;
  if (gap < 0 && count !== 6) return { message: 'embedded IPv4 address must replace the final 2 fields of the address', at: rest };
  return count > 6 ? { message: 'too many hex fields to fit an embedded IPv4 at the end of the address', at: rest } : undefined;
}

function joinGroups(groups: readonly number[], gap: number): { readonly value: bigint } | Complaint {
  const missing = 8 - groups.length;
  if (gap < 0 && missing > 0) return { message: 'address string too short' };
  if (gap >= 0 && missing === 0) return { message: 'the :: must expand to at least one field of zeros' };
  const all = gap < 0 ? groups : [...groups.slice(0, gap), ...Array<number>(missing).fill(0), ...groups.slice(gap)];
  return { value: all.reduce((value, group) => (value << 16n) | BigInt(group), 0n) };
}
