// A TLS connection to a server whose certificate was judged before a byte is sent over it.
import { X509Certificate } from 'node:crypto';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, createSecureContext, type SecureContext, type TLSSocket } from 'node:tls';
import { trusting } from '#base/outgoing/authorities.ts';
import { certificateProblem } from '#base/outgoing/certificate-problem.ts';
import { dialProblem, handshakeProblem } from '#base/outgoing/dial-problem.ts';
import { pemBlocks } from '#base/pki/pem.ts';
import { OutgoingFailure } from '#base/outgoing/outgoing-failure.ts';
import { hostOf, type NetworkAddress, type OutgoingTarget } from '#base/outgoing/target.ts';

export interface DialOptions {
  readonly now: () => Date;
  /** For TCP and for the handshake, each. */
  readonly timeoutMs?: number;
  /** Default: `http/1.1` alone. */
  readonly protocols?: readonly string[];
  /** Made once for a target: reading its certificates again for each connection is work. */
  readonly context?: SecureContext;
}

const defaultTimeoutMs = 10_000;

/** Throws for certificates and keys that are none. */
export function secureContextOf({ ca, cert, key }: OutgoingTarget): SecureContext {
  return createSecureContext({
    ...trusting(ca),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
    minVersion: 'TLSv1.2',
  });
}

/** Fails with what Go's net and crypto/tls say; the caller closes the socket. */
export async function dialTls(target: OutgoingTarget, options: DialOptions): Promise<TLSSocket> {
  const named = hostOf(target.origin);
  const address = await addressOf(target, named);
  const socket = await dialTcp(address, options.timeoutMs ?? defaultTimeoutMs);
  const host = target.serverName ?? named.host;
  return handshake(socket, target, host, options);
}

async function addressOf({ dial }: OutgoingTarget, named: NetworkAddress): Promise<NetworkAddress> {
  if (dial === undefined) return named;
  try {
    return await dial();
  } catch (error) {
    throw new OutgoingFailure((error as Error).message, { cause: error });
  }
}

export function dialTcp(address: NetworkAddress, timeoutMs = defaultTimeoutMs): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connectTcp({ host: address.host, port: address.port, noDelay: true });
    const refuse = (error: unknown) => {
      socket.destroy();
      reject(new OutgoingFailure(dialProblem(error, address)));
    };
    socket.setTimeout(timeoutMs, () => refuse(new Error('i/o timeout')));
    socket.once('error', refuse);
    socket.once('connect', () => {
      socket.setTimeout(0).removeAllListeners('timeout').off('error', refuse);
      resolve(socket);
    });
  });
}

/** OpenSSL's verdict on the chain is asked for and taken, together with names and times, by `certificateProblem`. */
function handshake(socket: Socket, target: OutgoingTarget, host: string, options: DialOptions): Promise<TLSSocket> {
  const { now, timeoutMs = defaultTimeoutMs, protocols = ['http/1.1'] } = options;
  return new Promise((resolve, reject) => {
    const secured = connectTls({
      socket,
      secureContext: options.context ?? secureContextOf(target),
      servername: isIP(host) === 0 ? host : '',
      ALPNProtocols: [...protocols],
      rejectUnauthorized: false,
      checkServerIdentity: () => undefined,
    });
    const refuse = (message: string) => {
      clearTimeout(timer);
      secured.destroy();
      socket.destroy();
      reject(new OutgoingFailure(message));
    };
    const timer = setTimeout(() => refuse('net/http: TLS handshake timeout'), timeoutMs);
    const fail = (error: unknown) => refuse(handshakeProblem(error));
    secured.once('error', fail);
    secured.once('secureConnect', () => {
      clearTimeout(timer);
      const problem = target.insecure ? undefined : certificateProblem(shownBy(secured, target), host, now());
      if (problem !== undefined) return refuse(problem);
      secured.off('error', fail);
      resolve(secured);
    });
  });
}

function shownBy(secured: TLSSocket, { ca }: OutgoingTarget): Parameters<typeof certificateProblem>[0] {
  const certificate = secured.getPeerX509Certificate();
  const verdict = secured.authorized ? undefined : String(secured.authorizationError);
  const isTrusted = verdict !== undefined && unfinishedChains.has(verdict) && certificate !== undefined && isVouchedFor(certificate, ca);
  return { certificate, verdict: isTrusted ? undefined : verdict };
}

/** OpenSSL wants a chain to end at a root that signs itself; these are its words for one that does not. */
const unfinishedChains = new Set([
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
]);

/** In Go every certificate of a bundle is a root: the server's own (as envtest has it), and an intermediate authority without its root. */
function isVouchedFor(certificate: X509Certificate, ca: OutgoingTarget['ca']): boolean {
  if (ca === undefined) return false;
  const bundle = pemBlocks(ca).flatMap(({ type, der }) => (type === 'CERTIFICATE' ? [new X509Certificate(der)] : []));
  return bundle.some((root) => root.raw.equals(certificate.raw) || (root.ca && certificate.checkIssued(root) && certificate.verify(root.publicKey)));
}
