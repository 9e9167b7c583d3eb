// kubernetes.net.cidr: networks.
import { goQuote } from '#base/go-text.ts';
import { declare, global, member, noSuchOverload } from '#cel/library/declare.ts';
import { IpValue, ipType, parseIp } from '#cel/library/ip.ts';
import * as netip from '#cel/library/netip.ts';
import { type Parsed, unparsed } from '#cel/library/parsed.ts';
import type { Library } from '#cel/library.ts';
import { boolType, intType, opaqueType, stringType } from '#cel/type.ts';
import { CelError, type CelObject, type CelValue } from '#cel/value.ts';

export const cidrType = opaqueType('net.CIDR');

export class CidrValue implements CelObject {
  readonly kind = 'object';
  readonly typeName = cidrType.name;
  readonly prefix: netip.Prefix;
  constructor(prefix: netip.Prefix) {
    this.prefix = prefix;
  }
  equals(other: CelValue): boolean {
    if (!(other instanceof CidrValue)) return noSuchOverload();
    return this.prefix.bits === other.prefix.bits && netip.sameAddress(this.prefix.address, other.prefix.address);
  }
  size(): number {
    return netip.prefixBytes(this.prefix);
  }
}

export const cidrLibrary: Library = {
  name: 'kubernetes.net.cidr',
  introduced: 30,
  types: [cidrType],
  functions: [
    declare('cidr', global('string_to_cidr', [stringType], cidrType, toCidr)),
    declare(
      'isCIDR',
      global('is_cidr', [stringType], boolType, (text: string) => parseCidr(text).ok),
    ),
    declare(
      'containsIP',
      member('cidr_contains_ip_string', [cidrType, stringType], boolType, containsIpText),
      member('cidr_contains_ip_ip', [cidrType, ipType], boolType, containsIp),
    ),
    declare(
      'containsCIDR',
      member('cidr_contains_cidr_string', [cidrType, stringType], boolType, (cidr: CidrValue, text: string) => containsCidr(cidr, toCidr(text))),
      member('cidr_contains_cidr', [cidrType, cidrType], boolType, containsCidr),
    ),
    declare(
      'ip',
      member('cidr_ip', [cidrType], ipType, ({ prefix }: CidrValue) => new IpValue(prefix.address)),
    ),
    declare(
      'prefixLength',
      member('cidr_prefix_length', [cidrType], intType, ({ prefix }: CidrValue) => BigInt(prefix.bits)),
    ),
    declare(
      'masked',
      member('cidr_masked', [cidrType], cidrType, ({ prefix }: CidrValue) => new CidrValue(netip.maskedPrefix(prefix))),
    ),
    declare(
      'string',
      global('cidr_to_string', [cidrType], stringType, ({ prefix }: CidrValue) => netip.formatPrefix(prefix)),
    ),
  ],
};

function containsIp(cidr: CidrValue, ip: IpValue): boolean {
  return netip.prefixContains(cidr.prefix, ip.address);
}

/** Upstream forgets why the text is no address. */
function containsIpText(cidr: CidrValue, text: string): boolean {
  const address = parseIp(text);
  return address.ok ? netip.prefixContains(cidr.prefix, address.value) : noSuchOverload();
}

function containsCidr(cidr: CidrValue, other: CidrValue): boolean {
  return netip.prefixCovers(cidr.prefix, other.prefix);
}

const parseFailure = 'network address parse error during conversion from string: ';

/** Upstream says twice that the text cannot be parsed. */
function toCidr(text: string): CidrValue {
  const prefix = parseCidr(text);
  if (!prefix.ok) throw new CelError(parseFailure + prefix.problem);
  return new CidrValue(prefix.value);
}

function parseCidr(text: string): Parsed<netip.Prefix> {
  const prefix = netip.parsePrefix(text);
  if (!prefix.ok) return unparsed(parseFailure + prefix.problem);
  return netip.isMapped(prefix.value.address) ? unparsed(`IPv4-mapped IPv6 address ${goQuote(text)} is not allowed`) : prefix;
}
