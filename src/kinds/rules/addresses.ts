// The rules of fields that hold IP addresses and networks.
import type { FieldErrors } from '#api/field-error.ts';
import { formatCidr, formatIp, hasLeadingZeros, parseCidrSloppy, parseIpSloppy } from '#base/ip-address.ts';

/** For old fields: `strict` is the gate StrictIPCIDRValidation; what was stored before stays valid. */
export function validateLegacyIp(value: string, path: string, errors: FieldErrors, strict: boolean, stored: readonly string[] = []): void {
  const { problem } = judgeIp(value, strict);
  // Asked last: looking for each address among all stored ones would take quadratic time.
  if (problem !== undefined && !stored.includes(value)) errors.invalid(path, value, problem);
}

/** For new fields: canonical form only. */
export function validateIp(value: string, path: string, errors: FieldErrors): void {
  const { address, problem } = judgeIp(value, true);
  if (address === undefined || problem !== undefined) return errors.invalid(path, value, problem ?? notAnAddress);
  const canonical = formatIp(address);
  if (value !== canonical) errors.invalid(path, value, `must be in canonical form ("${canonical}")`);
}

const notAnAddress = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';

function judgeIp(value: string, strict: boolean): { address?: ReturnType<typeof parseIpSloppy>; problem?: string } {
  const address = parseIpSloppy(value);
  if (address === undefined) return { problem: notAnAddress };
  if (strict && hasLeadingZeros(value)) return { address, problem: 'must not have leading 0s' };
  if (strict && address.mapped) return { address, problem: 'must not be an IPv4-mapped IPv6 address' };
  return { address };
}

export function validateLegacyCidr(value: string, path: string, errors: FieldErrors, strict: boolean, stored: readonly string[] = []): void {
  const { problem } = judgeCidr(value, strict);
  if (problem !== undefined && !stored.includes(value)) errors.invalid(path, value, problem);
}

export function validateCidr(value: string, path: string, errors: FieldErrors): void {
  const { network, problem } = judgeCidr(value, true);
  if (network === undefined || problem !== undefined) return errors.invalid(path, value, problem ?? notANetwork);
  const canonical = formatCidr(network);
  if (value !== canonical) errors.invalid(path, value, `must be in canonical form ("${canonical}")`);
}

const notANetwork = 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)';

function judgeCidr(value: string, strict: boolean): { network?: ReturnType<typeof parseCidrSloppy>; problem?: string } {
  const network = parseCidrSloppy(value);
  if (network === undefined) return { problem: notANetwork };
  if (!strict) return { network };
  const [address = '', size = ''] = value.split('/');
  if (hasLeadingZeros(address) || (size.length > 1 && size.startsWith('0'))) return { network, problem: 'must not have leading 0s in IP or prefix length' };
  if (network.address.mapped) return { network, problem: 'must not have an IPv4-mapped IPv6 address' };
  return network.address.value === network.base.value ? { network } : { network, problem: 'must not have bits set beyond the prefix length' };
}

/** Warnings about odd spellings of an address that validation let pass. */
export function ipWarnings(value: string, path: string): readonly string[] {
  const address = parseIpSloppy(value);
  if (address === undefined) return [];
  if (address.mapped || hasLeadingZeros(value)) return [`${path}: non-standard IP address "${value}" is invalid: use "${formatIp(address)}"`];
  if (address.family === 4) return [];
  const canonical = formatIp(address);
  if (canonical !== value) {
    return [`${path}: IPv6 address "${value}" should be in RFC 5952 canonical format ("${canonical}")`];
  }
  return [];
}

export function cidrWarnings(value: string, path: string): readonly string[] {
  const network = parseCidrSloppy(value);
  if (network === undefined) return [];
  const warnings: string[] = [];
  const canonical = formatCidr(network);
  const { address, base } = network;
  if (address.value !== base.value) {
    const single = `${formatIp(address)}/${address.family === 4 ? 32 : 128}`;
    warnings.push(`${path}: CIDR value "${value}" is ambiguous in this context (should be "${canonical}" or "${single}"?)`);
  }
  const size = value.slice(value.indexOf('/') + 1);
  if (address.mapped || hasLeadingZeros(value.slice(0, value.indexOf('/'))) || (size.length > 1 && size.startsWith('0'))) {
    warnings.push(`${path}: non-standard CIDR value "${value}" is invalid: use "${canonical}"`);
  }
  if (warnings.length === 0 && address.family === 6 && canonical !== value) {
    warnings.push(`${path}: IPv6 CIDR value "${value}" should be in RFC 5952 canonical format ("${canonical}")`);
  }
  return warnings;
}
