import type { X509Certificate } from 'node:crypto';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Connection } from '#server/front/carrier.ts';
import type { Readable, ReadTurns } from '#server/front/read-turns.ts';

/** One connection of a client: read once, shared by all its requests. */
export class ClientConnection implements Connection {
  readonly remoteAddress: string;
  readonly #socket: Socket | TLSSocket;
  readonly #reading: Readable;
  readonly #turns: ReadTurns;
  #clientCertificates: readonly Buffer[] | undefined;

  /** `reading`: how the protocol that has the socket is told to leave it unread. */
  constructor(socket: Socket | TLSSocket, reading: Readable, turns: ReadTurns) {
    this.remoteAddress = socket.remoteAddress ?? '';
    this.#socket = socket;
    this.#reading = reading;
    this.#turns = turns;
  }

  /** Always the same array, so that the authenticator that verified it can remember that. */
  get clientCertificates(): readonly Buffer[] {
    this.#clientCertificates ??= chainOf((this.#socket as Partial<TLSSocket>).getPeerX509Certificate?.());
    return this.#clientCertificates;
  }

  answered(owner: string): void {
    this.#turns.answered(owner, this.#reading);
  }
}

function chainOf(leaf: X509Certificate | undefined): Buffer[] {
  const chain: Buffer[] = [];
  for (let certificate = leaf; certificate !== undefined && chain.length < 100; certificate = certificate.issuerCertificate) chain.push(certificate.raw);
  return chain;
}
