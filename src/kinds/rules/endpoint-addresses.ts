// Addresses that traffic may be sent to.
import type { FieldErrors } from '#api/field-error.ts';
import { type IpAddress, parseIpSloppy } from '#base/ip-address.ts';

/** Whether the text is an address at all is for others to say first. */
export function validateEndpointIp(value: string, path: string, errors: FieldErrors): void {
  const address = parseIpSloppy(value);
  if (address === undefined) return errors.invalid(path, value, 'must be a valid IP address');
  if (address.value === 0n) errors.invalid(path, value, `may not be unspecified (${value})`);
  if (isLoopback(address)) errors.invalid(path, value, 'may not be in the loopback range (127.0.0.0/8, ::1/128)');
  if (isLinkLocal(address)) errors.invalid(path, value, 'may not be in the link-local range (169.254.0.0/16, fe80::/10)');
  if (isLinkLocalMulticast(address)) errors.invalid(path, value, 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)');
}

function isLoopback({ family, value }: IpAddress): boolean {
  return family === 4 ? value >> 24n === 127n : value === 1n;
}

function isLinkLocal({ family, value }: IpAddress): boolean {
  return family === 4 ? value >> 16n === 0xa9fen : value >> 118n === 0xfe80n >> 6n;
}

function isLinkLocalMulticast({ family, value }: IpAddress): boolean {
  return family === 4 ? value >> 8n === 0xe00000n : value >> 112n === 0xff02n;
}
