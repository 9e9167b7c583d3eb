import type { Writable } from 'node:stream';
import { apart } from '#base/memory/short-lived.ts';
import type { AnswerHeaders, ResponseStream } from '#server/front/exchange.ts';

/** An answer that is written piece by piece. */
export class WritableAnswer implements ResponseStream {
  readonly #out: Writable;
  readonly #onEnd: ((trailers: AnswerHeaders | undefined) => void) | undefined;
  /** One for all who write on without waiting. */
  #draining: Promise<void> | undefined;

  /** `onEnd`: before the last byte. */
  constructor(out: Writable, onEnd?: (trailers: AnswerHeaders | undefined) => void) {
    this.#out = out;
    this.#onEnd = onEnd;
  }

  write(chunk: Uint8Array | string): Promise<void> | undefined {
    const bytes = typeof chunk !== 'string' && this.backlog > 0 ? apart(chunk) : chunk;
    if (this.#out.destroyed || this.#out.write(bytes)) return undefined;
    this.#draining ??= drained(this.#out).then(() => {
      this.#draining = undefined;
    });
    return this.#draining;
  }

  /** What waits behind the answer to another request is never written when the connection goes: then `close` ends the wait. */
  writeThrough(chunk: Uint8Array): Promise<boolean> {
    if (this.#out.destroyed) return Promise.resolve(false);
    return new Promise((resolve) => {
      const lost = () => resolve(false);
      this.#out.once('close', lost).write(chunk, (error) => {
        this.#out.off('close', lost);
        resolve(!error);
      });
    });
  }

  get backlog(): number {
    return this.#out.writableLength;
  }

  end(trailers?: AnswerHeaders): void {
    if (this.#out.writableEnded || this.#out.destroyed) return;
    this.#onEnd?.(trailers);
    this.#out.end();
  }
}

/** Also resolves when the client is lost: it will not read, so that the handler does not wait. */
function drained(out: Writable): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      out.off('drain', done).off('close', done);
      resolve();
    };
    out.once('drain', done).once('close', done);
  });
}
