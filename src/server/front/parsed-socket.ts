import type { Socket } from 'node:net';
import type { Readable } from '#server/front/read-turns.ts';

/**
 * A socket that node's parser of HTTP/1.1 has taken over, so that `pause` would end in the parser's own bookkeeping;
 * this stops the reading itself, and node does not notice.
 */
export class ParsedSocket implements Readable {
  /** `_paused`: where HTTP/1.1 says that it has paused. */
  readonly #socket: Socket & { readonly _paused?: boolean };
  #waitsForDrain = false;
  readonly #handle: ReadHandle | undefined;

  constructor(socket: Socket) {
    this.#socket = socket;
    this.#handle = (socket as unknown as { readonly _handle?: ReadHandle })._handle;
  }

  stopReading(): void {
    if (this.#handle === undefined) return;
    this.#handle.reading = false;
    this.#handle.readStop?.();
  }

  /** A connection that HTTP/1.1 has paused meanwhile, because its answer is not taken, is read again when that goes on: its parser would fail now. */
  startReading(): void {
    if (this.#handle === undefined || this.#socket._paused || this.#waitsForDrain) return;
    this.#handle.reading = true;
    this.#handle.readStart?.();
  }

  /**
   * After an answer: when the socket has not passed it on, nothing is read until it has. A client may have the answer, and send its next request,
   * before the socket is told so; node's parser would pause between head and body, and end the connection over the records that TLS has read already.
   */
  readAfterAnswer(): void {
    if (this.#waitsForDrain || !this.#socket.writableNeedDrain) return;
    this.#waitsForDrain = true;
    this.stopReading();
    this.#socket.once('drain', () => {
      this.#waitsForDrain = false;
      this.startReading();
    });
  }
}

interface ReadHandle {
  /** By this the parser knows whether it has to start reading again. */
  reading?: boolean;
  readStop?(): void;
  readStart?(): void;
}
