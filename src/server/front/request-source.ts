// The body of a request that arrives as a node stream: HTTP/1.1 of a socket.
import { Readable } from 'node:stream';
import { badRequest, tooLarge } from '#api/api-error.ts';
import { clientGone } from '#server/front/client-gone.ts';
import { GatheredBytes } from '#server/front/gathered-bytes.ts';

/** Read once: whole, piece by piece, or not at all. */
export class RequestSource {
  readonly #input: Readable;
  #taker: { readonly stop: () => void; readonly fail: (cause: Error) => void } | undefined;

  constructor(input: Readable) {
    this.#input = input;
  }

  /** All of it; 413 as soon as it is, or says that it will be, longer than `limit`. */
  read(announced: number, limit: number): Promise<Buffer> {
    if (announced > limit) return Promise.reject(tooLarge(`limit is ${limit}`));
    return new Promise((resolve, reject) => {
      const body = new GatheredBytes();
      let length = 0;
      this.#take({
        data: (chunk) => {
          length += chunk.length;
          if (length <= limit) body.add(chunk, true);
          else reject(tooLarge(`limit is ${limit}`));
        },
        end: () => resolve(body.whole),
        fail: reject,
      });
    });
  }

  /** A stream of its own, because destroying node's would destroy the connection, and with it the answer. */
  stream(): Readable {
    const input = this.#input;
    const stream = new Readable({
      read: () => void input.resume(),
      destroy: (cause, done) => {
        this.discard();
        done(cause);
      },
    });
    this.#take({
      data: (chunk) => {
        if (!stream.push(chunk)) input.pause();
      },
      end: () => stream.push(null),
      fail: (cause) => stream.destroy(cause),
    });
    input.pause();
    return stream;
  }

  /** False when nothing was being read. */
  discard(): boolean {
    const taker = this.#taker;
    if (taker === undefined) return false;
    taker.stop();
    taker.fail(clientGone);
    return true;
  }

  #take({ data, end, fail }: Taker): void {
    const input = this.#input;
    const ended = () => {
      stop();
      end();
    };
    // An error is made only for one that closes early, for its stack is dear. Node's own («aborted») would be taken for a bug of ours.
    const closed = () => {
      stop();
      fail(badRequest('unexpected EOF'));
    };
    // The listener for errors stays: node has decided to emit one before the handler may stop listening, and one without a listener ends the process.
    const stop = () => {
      this.#taker = undefined;
      input.off('data', data).off('end', ended).off('close', closed);
    };
    input.on('data', data).on('end', ended).on('error', closed).on('close', closed);
    this.#taker = { stop, fail };
    if (input.destroyed && !input.readableEnded) closed();
  }
}

interface Taker {
  readonly data: (chunk: Buffer) => void;
  readonly end: () => void;
  readonly fail: (cause: Error) => void;
}
