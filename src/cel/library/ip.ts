// kubernetes.net.ip: IP addresses, without zones and without IPv4 in IPv6 notation.
import { goQuote } from '#base/go-text.ts';
import { declare, global, member, noSuchOverload } from '#cel/library/declare.ts';
import * as netip from '#cel/library/netip.ts';
import { type Parsed, unparsed } from '#cel/library/parsed.ts';
import type { Library } from '#cel/library.ts';
import { boolType, intType, opaqueType, stringType } from '#cel/type.ts';
import { CelError, type CelObject, type CelValue } from '#cel/value.ts';

export const ipType = opaqueType('net.IP');

export class IpValue implements CelObject {
  readonly kind = 'object';
  readonly typeName = ipType.name;
  readonly address: netip.Address;
  constructor(address: netip.Address) {
    this.address = address;
  }
  equals(other: CelValue): boolean {
    return other instanceof IpValue ? netip.sameAddress(this.address, other.address) : noSuchOverload();
  }
  size(): number {
    return netip.addressBytes(this.address);
  }
}

export const ipLibrary: Library = {
  name: 'kubernetes.net.ip',
  introduced: 30,
  types: [ipType],
  functions: [
    declare('ip', global('string_to_ip', [stringType], ipType, toIp)),
    declare(
      'isIP',
      global('is_ip', [stringType], boolType, (text: string) => parseIp(text).ok),
    ),
    declare(
      'ip.isCanonical',
      global('ip_is_canonical', [stringType], boolType, (text: string) => netip.formatAddress(toIp(text).address) === text),
    ),
    declare(
      'family',
      member('ip_family', [ipType], intType, ({ address }: IpValue) => BigInt(address.family)),
    ),
    declare(
      'isUnspecified',
      member('ip_is_unspecified', [ipType], boolType, ({ address }: IpValue) => netip.isUnspecified(address)),
    ),
    declare(
      'isLoopback',
      member('ip_is_loopback', [ipType], boolType, ({ address }: IpValue) => netip.isLoopback(address)),
    ),
    declare(
      'isLinkLocalMulticast',
      member('ip_is_link_local_multicast', [ipType], boolType, ({ address }: IpValue) => netip.isLinkLocalMulticast(address)),
    ),
    declare(
      'isLinkLocalUnicast',
      member('ip_is_link_local_unicast', [ipType], boolType, ({ address }: IpValue) => netip.isLinkLocalUnicast(address)),
    ),
    declare(
      'isGlobalUnicast',
      member('ip_is_global_unicast', [ipType], boolType, ({ address }: IpValue) => netip.isGlobalUnicast(address)),
    ),
    declare(
      'string',
      global('ip_to_string', [ipType], stringType, ({ address }: IpValue) => netip.formatAddress(address)),
    ),
  ],
};

function toIp(text: string): IpValue {
  const address = parseIp(text);
  if (!address.ok) throw new CelError(address.problem);
  return new IpValue(address.value);
}

export function parseIp(text: string): Parsed<netip.Address> {
  const address = netip.parseAddress(text);
  if (!address.ok) return unparsed(`IP Address ${goQuote(text)} parse error during conversion from string: ${address.problem}`);
  if (address.value.zone !== '') return unparsed(`IP address ${goQuote(text)} with zone value is not allowed`);
  return netip.isMapped(address.value) ? unparsed(`IPv4-mapped IPv6 address ${goQuote(text)} is not allowed`) : address;
}
