// Failures of connections in the words of Go's net and crypto/tls, which clients of the original know.
import { isIPv6 } from 'node:net';
import type { NetworkAddress } from '#base/outgoing/target.ts';

interface SystemError extends Error {
  readonly code?: string;
  readonly address?: string;
  readonly port?: number;
  readonly hostname?: string;
  readonly errors?: readonly SystemError[];
}

const connectWords: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ETIMEDOUT: 'connection timed out',
  EHOSTUNREACH: 'no route to host',
  ENETUNREACH: 'network is unreachable',
  EACCES: 'permission denied',
  EADDRNOTAVAIL: 'cannot assign requested address',
  ECONNRESET: 'connection reset by peer',
};

export function dialProblem(error: unknown, { host, port }: NetworkAddress): string {
  const first = firstOf(error as SystemError);
  if (first.code === 'ENOTFOUND' || first.code === 'EAI_AGAIN') {
    return `dial tcp: lookup ${host}: ${first.code === 'ENOTFOUND' ? 'no such host' : 'Temporary failure in name resolution'}`;
  }
  const words = connectWords[first.code ?? ''];
  return `dial tcp ${joined(first.address ?? host, first.port ?? port)}: ${words === undefined ? first.message : `connect: ${words}`}`;
}

/** Of several addresses that were tried the first tells why. */
function firstOf(error: SystemError): SystemError {
  return error.errors?.[0] ?? error;
}

export function joined(host: string, port: number): string {
  return isIPv6(host) ? `[${host}]:${port}` : `${host}:${port}`;
}

export function handshakeProblem(error: unknown): string {
  const { code = '', message } = error as SystemError;
  if (code === 'ECONNRESET' || code === 'EPIPE') return 'EOF';
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER' || code === 'ERR_SSL_PACKET_LENGTH_TOO_LONG') return 'http: server gave HTTP response to HTTPS client';
  return alertIn(message) ?? `tls: ${message}`;
}

/** What the other side sent before it hung up; a server of TLS 1.3 refuses a client's certificate after the handshake. */
export function alertIn(message: string): string | undefined {
  const [, alert] = /alert ([a-z ]+)/.exec(message) ?? [];
  return alert === undefined ? undefined : `remote error: tls: ${alert}`;
}
