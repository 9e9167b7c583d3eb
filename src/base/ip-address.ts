// IP addresses and networks as Go's net package reads and prints them.

export interface IpAddress {
  /** An IPv4 address in IPv6 notation (`::ffff:1.2.3.4`) is of family 4. */
  readonly family: 4 | 6;
  readonly value: bigint;
  /** Written in IPv6 notation though of family 4. */
  readonly mapped: boolean;
}

export interface IpNetwork {
  /** The address as written, host bits included. */
  readonly address: IpAddress;
  readonly base: IpAddress;
  readonly prefix: number;
}

/** Takes leading zeros in IPv4 (`010.0.0.1` is 10.0.0.1), as old API fields do. */
export function parseIpSloppy(text: string): IpAddress | undefined {
  if (!text.includes(':')) {
    const value = parseIpv4(text);
    return value === undefined ? undefined : { family: 4, value, mapped: false };
  }
  const value = parseIpv6(text);
  if (value === undefined) return undefined;
  if (value >> 32n === 0xffffn) return { family: 4, value: value & 0xffffffffn, mapped: true };
  return { family: 6, value, mapped: false };
}

export function hasLeadingZeros(text: string): boolean {
  const first = text.lastIndexOf(':') + 1;
  if (text.indexOf('.', first) < 0) return false;
  for (let at = first; at < text.length; at++) {
    const begins = at === first || text.charCodeAt(at - 1) === dot;
    if (begins && text.charCodeAt(at) === zero && at + 1 < text.length && text.charCodeAt(at + 1) !== dot) return true;
  }
  return false;
}

const dot = 0x2e;
const zero = 0x30;

/** Objects hold as many addresses as clients like: digit by digit, with a number that becomes a bigint in the end. */
function parseIpv4(text: string): bigint | undefined {
  let value = 0;
  let parts = 0;
  let part = -1;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === dot) {
      if (part < 0 || ++parts > 3) return undefined;
      value = value * 256 + part;
      part = -1;
      continue;
    }
    if (code < zero || code > zero + 9) return undefined;
    part = Math.max(part, 0) * 10 + code - zero;
    if (part > 255) return undefined;
  }
  return part < 0 || parts !== 3 ? undefined : BigInt(value * 256 + part);
}

function parseIpv6(text: string): bigint | undefined {
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const head = parseGroups(halves[0] ?? '', halves.length === 1);
  const tail = halves.length === 2 ? parseGroups(halves[1] ?? '', true) : [];
  if (head === undefined || tail === undefined) return undefined;
  const count = head.length + tail.length;
  if (halves.length === 2 ? count > 7 : count !== 8) return undefined;
  const groups = [...head, ...Array<number>(8 - count).fill(0), ...tail];
  return groups.reduce((value, group) => (value << 16n) | BigInt(group), 0n);
}

/** Groups of 16 bits; only the last part of an address may be in dotted form. */
function parseGroups(text: string, last: boolean): number[] | undefined {
  if (text === '') return [];
  const groups: number[] = [];
  const parts = text.split(':');
  for (const [index, part] of parts.entries()) {
    if (last && index === parts.length - 1 && part.includes('.')) {
      const dotted = parseIpv4(part);
      if (dotted === undefined) return undefined;
      groups.push(Number(dotted >> 16n), Number(dotted & 0xffffn));
    } else if (/^[0-9a-fA-F]{1,4}$/.test(part)) {
      groups.push(Number.parseInt(part, 16));
    } else {
      return undefined;
    }
  }
  return groups;
}

/** Canonical text: dotted for IPv4, RFC 5952 for IPv6. */
export function formatIp({ family, value }: Pick<IpAddress, 'family' | 'value'>): string {
  if (family === 4) return formatIpv4(Number(value));
  const groups = [112n, 96n, 80n, 64n, 48n, 32n, 16n, 0n].map((shift) => Number((value >> shift) & 0xffffn));
  const [start, length] = longestZeroRun(groups);
  const hex = (part: readonly number[]) => part.map((group) => group.toString(16)).join(':');
  return length < 2 ? hex(groups) : `${hex(groups.slice(0, start))}::${hex(groups.slice(start + length))}`;
}

function formatIpv4(value: number): string {
  return `${value >>> 24}.${(value >>> 16) & 0xff}.${(value >>> 8) & 0xff}.${value & 0xff}`;
}

function longestZeroRun(groups: readonly number[]): [start: number, length: number] {
  let best: [number, number] = [0, 0];
  for (let start = 0; start < groups.length; start++) {
    let length = 0;
    while (groups[start + length] === 0) length++;
    if (length > best[1]) best = [start, length];
  }
  return best;
}

export function parseCidrSloppy(text: string): IpNetwork | undefined {
  const slash = text.indexOf('/');
  if (slash < 0) return undefined;
  const address = parseIpSloppy(text.slice(0, slash));
  const size = text.slice(slash + 1);
  if (address === undefined || !/^[0-9]+$/.test(size)) return undefined;
  const written = Number(size);
  const bits = address.family === 4 && !address.mapped ? 32 : 128;
  if (written > bits) return undefined;
  // A mapped network counts its prefix in IPv6 bits.
  const prefix = address.mapped ? written - 96 : written;
  return { address, base: { ...address, value: networkBase(address, prefix) }, prefix };
}

function networkBase({ family, value }: IpAddress, prefix: number): bigint {
  const bits = family === 4 ? 32 : 128;
  const host = BigInt(bits - Math.max(prefix, 0));
  return (value >> host) << host;
}

export function formatCidr({ base, prefix }: IpNetwork): string {
  return `${formatIp(base)}/${prefix}`;
}
