// One connection to a server over which requests are sent one after the other.
import type { TLSSocket } from 'node:tls';
import { AnswerReader, type AnswerReceiver } from '#base/outgoing/answer-reader.ts';
import { alertIn, joined } from '#base/outgoing/dial-problem.ts';
import { OutgoingFailure } from '#base/outgoing/outgoing-failure.ts';

/** What waits for an answer. */
export interface Asking extends AnswerReceiver {
  /** The whole request, head and body. */
  readonly text: string;
  /** It is sent over this connection from now on. */
  onStart(connection: KeptConnection): void;
  onEnd(): void;
  fail(failure: OutgoingFailure): void;
}

export interface KeptConnectionEvents {
  /** It may be used again. */
  onIdle(connection: KeptConnection): void;
  /** Once. */
  onClose(connection: KeptConnection): void;
}

/** A server that says how long it waits for the next request may close a moment before we send it. */
const idleMarginMs = 1000;

export class KeptConnection {
  readonly #socket: TLSSocket;
  readonly #events: KeptConnectionEvents;
  #asking: Asking | undefined;
  #reader: AnswerReader | undefined;
  #isClosed = false;
  /** How long the server waits for the next request, as far as it says so. */
  #serverIdleMs = Number.POSITIVE_INFINITY;
  #usableUntil = 0;

  constructor(socket: TLSSocket, events: KeptConnectionEvents) {
    this.#socket = socket;
    this.#events = events;
    socket.on('data', this.#onData);
    socket.on('end', this.#onEnd);
    socket.on('error', this.#onError);
    socket.on('close', this.#onClose);
  }

  /** `write` sends it. */
  take(asking: Asking): void {
    this.#asking = asking;
    this.#reader = new AnswerReader(asking);
    asking.onStart(this);
  }

  /** Nothing when the request that was taken is over already. */
  write(): void {
    if (this.#asking !== undefined && !this.#isClosed) this.#socket.write(this.#asking.text);
  }

  /** `now`: monotonic milliseconds. */
  keep(now: number, idleMs: number): void {
    this.#usableUntil = now + Math.min(idleMs, this.#serverIdleMs);
  }

  isUsable(now: number): boolean {
    return now < this.#usableUntil;
  }

  destroy(): void {
    this.#socket.destroy();
    this.#onClose();
  }

  readonly #onData = (bytes: Buffer): void => {
    const reader = this.#reader;
    // Bytes that no request asked for: whoever sends them cannot be trusted with the next one.
    if (reader === undefined) return this.destroy();
    let used: number;
    try {
      used = reader.read(bytes);
    } catch (error) {
      return this.#fail(error);
    }
    if (reader.isDone) this.#finish(reader, used === bytes.length && reader.keepsOpen);
  };

  #finish(reader: AnswerReader, mayBeUsedAgain: boolean): void {
    const asking = this.#asking;
    this.#asking = this.#reader = undefined;
    asking?.onEnd();
    if (!mayBeUsedAgain || this.#isClosed) return this.destroy();
    const { idleSeconds } = reader;
    if (idleSeconds !== undefined) this.#serverIdleMs = idleSeconds * 1000 - idleMarginMs;
    this.#events.onIdle(this);
  }

  readonly #onEnd = (): void => {
    const reader = this.#reader;
    if (reader === undefined) return this.destroy();
    try {
      reader.end();
    } catch (error) {
      return this.#fail(error);
    }
    this.#finish(reader, false);
  };

  readonly #onError = (error: Error & { readonly code?: string }): void => this.#fail(error);

  readonly #onClose = (): void => {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#onEnd();
    this.#events.onClose(this);
  };

  #fail(error: unknown): void {
    const asking = this.#asking;
    this.#asking = this.#reader = undefined;
    asking?.fail(error instanceof OutgoingFailure ? error : this.#failureOf(error as Error & { readonly code?: string }));
    this.destroy();
  }

  #failureOf(error: Error & { readonly code?: string }): OutgoingFailure {
    const { localAddress = '', localPort = 0, remoteAddress = '', remotePort = 0 } = this.#socket;
    const ends = `${joined(localAddress, localPort)}->${joined(remoteAddress, remotePort)}`;
    if (error.code === 'ECONNRESET') return new OutgoingFailure(`read tcp ${ends}: read: connection reset by peer`, { cause: error });
    if (error.code === 'EPIPE') return new OutgoingFailure(`write tcp ${ends}: write: broken pipe`, { cause: error });
    return new OutgoingFailure(alertIn(error.message) ?? error.message, { cause: error });
  }
}
