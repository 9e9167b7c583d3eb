import type { Socket } from 'node:net';
import type { Readable } from '#server/front/read-turns.ts';

/**
 * A socket that node's parser of HTTP/1.1 has taken over, so that `pause` would end in the parser's own bookkeeping;
 * this stops the reading itself, and node does not notice.
 */
export class ParsedSocket implements Readable {
  /** `_paused`: where HTTP/1.1 says that it has paused. */
  readonly #socket: { readonly _paused?: boolean };
  readonly #handle: ReadHandle | undefined;

  constructor(socket: Socket) {
    this.#socket = socket as { readonly _paused?: boolean };
    this.#handle = (socket as unknown as { readonly _handle?: ReadHandle })._handle;
  }

  stopReading(): void {
    if (this.#handle === undefined) return;
    this.#handle.reading = false;
    this.#handle.readStop?.();
  }

  /** A connection that HTTP/1.1 has paused meanwhile, because its answer is not taken, is read again when that goes on: its parser would fail now. */
  startReading(): void {
    if (this.#handle === undefined || this.#socket._paused) return;
    this.#handle.reading = true;
    this.#handle.readStart?.();
  }
}

interface ReadHandle {
  /** By this the parser knows whether it has to start reading again. */
  reading?: boolean;
  readStop?(): void;
  readStart?(): void;
}
