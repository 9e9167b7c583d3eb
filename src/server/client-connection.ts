import type { X509Certificate } from 'node:crypto';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Connection } from '#server/carrier.ts';

/** One connection of a client: read once, shared by all its requests. */
export class ClientConnection implements Connection {
  readonly remoteAddress: string;
  readonly #socket: Socket | TLSSocket;
  #clientCertificates: readonly Buffer[] | undefined;

  constructor(socket: Socket | TLSSocket) {
    this.remoteAddress = socket.remoteAddress ?? '';
    this.#socket = socket;
  }

  /** Always the same array, so that whoever verified it can remember that. */
  get clientCertificates(): readonly Buffer[] {
    this.#clientCertificates ??= chainOf((this.#socket as Partial<TLSSocket>).getPeerX509Certificate?.());
    return this.#clientCertificates;
  }
}

function chainOf(leaf: X509Certificate | undefined): Buffer[] {
  const chain: Buffer[] = [];
  for (let certificate = leaf; certificate !== undefined && chain.length < 10; certificate = certificate.issuerCertificate) chain.push(certificate.raw);
  return chain;
}
