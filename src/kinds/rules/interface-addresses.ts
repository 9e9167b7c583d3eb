// Addresses of network interfaces: an address with the length of its prefix, in canonical form.
import type { FieldErrors } from '#api/field-error.ts';
import { goQuote } from '#base/go-text.ts';
import { formatIp, parseCidrSloppy } from '#base/ip-address.ts';

export function validateInterfaceAddress(value: string, path: string, errors: FieldErrors): void {
  const network = parseCidrSloppy(value);
  if (network === undefined) return errors.invalid(path, value, 'must be a valid address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)');
  const canonical = `${formatIp(network.address)}/${network.prefix}`;
  if (value !== canonical) errors.invalid(path, value, `must be in canonical form (${goQuote(canonical)})`);
}
