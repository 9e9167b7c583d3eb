// The rules of fields that hold IP addresses and networks.
import type { FieldErrors } from '#api/field-error.ts';
import { formatCidr, formatIp, hasLeadingZeros, parseCidrSloppy, parseIpSloppy } from '#base/ip-address.ts';

/** For old fields: `strict` is the gate StrictIPCIDRValidation; what was stored before stays valid. */
export function validateLegacyIp(value: string, path: string, errors: FieldErrors, strict: boolean, stored: readonly string[] = []): void {
  if (!stored.includes(value)) parseIp(value, path, errors, strict);
}

/** For new fields: canonical form only. */
export function validateIp(value: string, path: string, errors: FieldErrors): void {
  const before = errors.list.length;
  const address = parseIp(value, path, errors, true);
  if (address === undefined || errors.list.length > before) return;
  const canonical = formatIp(address);
  if (value !== canonical) errors.invalid(path, value, `must be in canonical form ("${canonical}")`);
}

function parseIp(value: string, path: string, errors: FieldErrors, strict: boolean) {
  const address = parseIpSloppy(value);
  if (address === undefined) {
    errors.invalid(path, value, 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)');
  } else if (strict) {
    if (hasLeadingZeros(value)) errors.invalid(path, value, 'must not have leading 0s');
    else if (address.mapped) errors.invalid(path, value, 'must not be an IPv4-mapped IPv6 address');
  }
  return address;
}

export function validateLegacyCidr(value: string, path: string, errors: FieldErrors, strict: boolean, stored: readonly string[] = []): void {
  if (!stored.includes(value)) parseCidr(value, path, errors, strict);
}

export function validateCidr(value: string, path: string, errors: FieldErrors): void {
  const before = errors.list.length;
  const network = parseCidr(value, path, errors, true);
  if (network === undefined || errors.list.length > before) return;
  const canonical = formatCidr(network);
  if (value !== canonical) errors.invalid(path, value, `must be in canonical form ("${canonical}")`);
}

function parseCidr(value: string, path: string, errors: FieldErrors, strict: boolean) {
  const network = parseCidrSloppy(value);
  if (network === undefined) {
    errors.invalid(path, value, 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)');
  } else if (strict) {
    const [address = '', size = ''] = value.split('/');
    if (hasLeadingZeros(address) || (size.length > 1 && size.startsWith('0'))) {
      errors.invalid(path, value, 'must not have leading 0s in IP or prefix length');
    } else if (network.address.mapped) {
      errors.invalid(path, value, 'must not have an IPv4-mapped IPv6 address');
    } else if (network.address.value !== network.base.value) {
      errors.invalid(path, value, 'must not have bits set beyond the prefix length');
    }
  }
  return network;
}

/** Warnings about odd spellings of an address that validation let pass. */
export function ipWarnings(value: string, path: string): readonly string[] {
  const address = parseIpSloppy(value);
  if (address === undefined) return [];
  const canonical = formatIp(address);
  if (address.mapped || hasLeadingZeros(value)) return [`${path}: non-standard IP address "${value}" is invalid: use "${canonical}"`];
  if (address.family === 6 && canonical !== value) {
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
