// Members that will not be spoken to until certificates are others: found at the start, so that an operator hears it at once. Once a connection stood,
// a refusal may pass: certificates are renewed while servers run.
import { connect } from 'node:tls';
import { trusting } from '#base/outgoing/authorities.ts';
import type { TlsFiles } from '#base/grpc/grpc-connection.ts';
import type { Timers } from '#base/timers.ts';

/** Whose certificate is refused, or that the member speaks no TLS. */
export type Refused = 'theirs' | 'ours' | 'tls';

export class UntrustedError extends Error {
  override readonly name = 'UntrustedError';
  readonly refused: Refused;
  constructor(endpoint: string, refused: Refused, why: string) {
    super(
      `etcd at ${endpoint} ${{ theirs: 'has a certificate that is not accepted', ours: 'does not accept our certificate', tls: 'speaks no TLS' }[refused]}: ${why}`,
    );
    this.refused = refused;
  }
}

/** With TLS 1.3 a member judges our certificate when the handshake has ended for us, and says nothing where it is fine; this long is waited for a word. */
const HEAR_MS = 1_000;

/** What is wrong with TLS to that member; undefined where something else is. A gRPC connection may stand before a late refusal comes. */
export function findUntrusted(endpoint: string, { ca, cert, key }: TlsFiles, timers: Timers): Promise<UntrustedError | undefined> {
  const { protocol, hostname, port } = new URL(endpoint);
  if (protocol !== 'https:') return Promise.resolve(undefined);
  return new Promise((resolve) => {
    const files = { ...trusting(ca), ...(cert && { cert }), ...(key && { key }) };
    const socket = connect({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 443), ALPNProtocols: ['h2'], ...files });
    const settle = (problem?: Error) => {
      cancel();
      socket.destroy();
      resolve(problem && untrusted(endpoint, problem));
    };
    const cancel = timers.after(HEAR_MS, () => settle());
    socket.on('error', settle);
    socket.on('close', () => settle());
    socket.resume();
  });
}

function untrusted(endpoint: string, { code = '', reason, message }: NodeJS.ErrnoException & { reason?: string }): UntrustedError | undefined {
  const why = reason ?? message;
  if (certificateCodes.has(code)) return new UntrustedError(endpoint, 'theirs', why);
  if (!code.startsWith('ERR_SSL_')) return undefined;
  return new UntrustedError(endpoint, code.includes('_ALERT_') ? 'ours' : 'tls', why);
}

/** What node:tls says of a certificate that it does not accept. */
const certificateCodes = new Set([
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'CERT_SIGNATURE_FAILURE',
  'CERT_UNTRUSTED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'INVALID_CA',
  'INVALID_PURPOSE',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);
