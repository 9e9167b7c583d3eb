import type { Writable } from 'node:stream';
import type { ResponseStream } from '#server/front/exchange.ts';

/** An answer that is written piece by piece. */
export class WritableAnswer implements ResponseStream {
  readonly #out: Writable;
  /** One for all who write on without waiting. */
  #draining: Promise<void> | undefined;

  constructor(out: Writable) {
    this.#out = out;
  }

  write(chunk: Uint8Array | string): Promise<void> | undefined {
    if (this.#out.destroyed || this.#out.write(chunk)) return undefined;
    this.#draining ??= drained(this.#out).then(() => {
      this.#draining = undefined;
    });
    return this.#draining;
  }

  writeThrough(chunk: Uint8Array): Promise<void> {
    if (this.#out.destroyed) return Promise.resolve();
    return new Promise((resolve) => this.#out.write(chunk, () => resolve()));
  }

  get backlog(): number {
    return this.#out.writableLength;
  }

  end(): void {
    this.#out.end();
  }
}

/** Also resolves when the client is lost: nobody will read, so nobody waits. */
function drained(out: Writable): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      out.off('drain', done).off('close', done);
      resolve();
    };
    out.once('drain', done).once('close', done);
  });
}
