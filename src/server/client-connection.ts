import type { X509Certificate } from 'node:crypto';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Connection } from '#server/carrier.ts';
import type { Readable, ReadTurns } from '#server/read-turns.ts';

/** One connection of a client: read once, shared by all its requests. */
export class ClientConnection implements Connection, Readable {
  readonly remoteAddress: string;
  readonly #socket: Socket | TLSSocket;
  readonly #turns: ReadTurns;
  readonly #handle: ReadHandle | undefined;
  /** Where HTTP/1.1 says that it has paused. The socket of an HTTP/2 session may not be asked: it throws once the session has ended. */
  readonly #pausing: { readonly _paused?: boolean };
  #clientCertificates: readonly Buffer[] | undefined;

  constructor(socket: Socket | TLSSocket, turns: ReadTurns) {
    this.remoteAddress = socket.remoteAddress ?? '';
    this.#socket = socket;
    this.#turns = turns;
    this.#pausing = (socket as Partial<TLSSocket>).alpnProtocol === 'h2' ? {} : (socket as { readonly _paused?: boolean });
    this.#handle = (socket as unknown as { readonly _handle?: ReadHandle })._handle;
  }

  /** Always the same array, so that whoever verified it can remember that. */
  get clientCertificates(): readonly Buffer[] {
    this.#clientCertificates ??= chainOf((this.#socket as Partial<TLSSocket>).getPeerX509Certificate?.());
    return this.#clientCertificates;
  }

  answered(owner: string): void {
    this.#turns.answered(owner, this);
  }

  stopReading(): void {
    if (this.#handle === undefined) return;
    this.#handle.reading = false;
    this.#handle.readStop?.();
  }

  /** A connection that HTTP/1.1 has paused meanwhile, because its answer is not taken, is read again when that goes on: its parser would fail now. */
  startReading(): void {
    if (this.#handle === undefined || this.#pausing._paused) return;
    this.#handle.reading = true;
    this.#handle.readStart?.();
  }
}

/**
 * The socket below the protocol. Its parser has taken it over, so that `pause` would either be ignored (HTTP/2 forbids it)
 * or end in the parser's own bookkeeping; this stops the reading itself and nobody notices.
 */
interface ReadHandle {
  /** By this the protocols know whether they have to start reading again. */
  reading?: boolean;
  readStop?(): void;
  readStart?(): void;
}

function chainOf(leaf: X509Certificate | undefined): Buffer[] {
  const chain: Buffer[] = [];
  for (let certificate = leaf; certificate !== undefined && chain.length < 10; certificate = certificate.issuerCertificate) chain.push(certificate.raw);
  return chain;
}
