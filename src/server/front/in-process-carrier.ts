// A request that never touches a socket: the server's own loops reach the API this way, through the same pipeline as everybody.
import { type Duplex, Readable } from 'node:stream';
import { badRequest, tooLarge } from '#api/api-error.ts';
import { CarriedExchange } from '#server/front/carried-exchange.ts';
import type { Carrier, Connection } from '#server/front/carrier.ts';
import type { AnswerHeaders, Handler, ResponseStream } from '#server/front/exchange.ts';
import { PendingChunks } from '#server/front/pending-chunks.ts';

export interface InProcessRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Uint8Array;
  readonly signal?: AbortSignal;
}

export interface InProcessResponse {
  readonly code: number;
  /** Repeated ones joined by a comma. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Known when all chunks have been read. */
  readonly trailers: AnswerHeaders | undefined;
}

/** Resolves when the answer begins; rejects when the handler ends without one, or the signal aborts. */
export function callInProcess(handler: Handler, request: InProcessRequest): Promise<InProcessResponse> {
  return new Promise((resolve, reject) => {
    if (request.signal?.aborted) return reject(request.signal.reason);
    const carrier = new InProcessCarrier(request, resolve);
    carrier.onClose(() => reject(request.signal?.reason ?? new Error('the answer was broken off')));
    handler(new CarriedExchange(carrier)).then(
      () => {
        carrier.finish();
        reject(new Error(`${request.method} ${request.path} was not answered`));
      },
      (cause: unknown) => {
        carrier.finish();
        reject(cause);
      },
    );
  });
}

/** No client certificates, and never too many requests. */
const loopback: Connection = { remoteAddress: '127.0.0.1', clientCertificates: [], answered: () => {} };

export class InProcessCarrier implements Carrier {
  readonly protocol = 'HTTP/2.0';
  readonly upgradeTo = '';
  readonly connection = loopback;
  readonly method: string;
  readonly target: string;
  readonly headers: Carrier['headers'];
  readonly #request: InProcessRequest;
  readonly #begin: (response: InProcessResponse) => void;
  readonly #chunks = new PendingChunks();
  #state: 'open' | 'answered' | 'closed' = 'open';
  #onClose: (() => void)[] = [];
  #onTaken: (() => void)[] = [];

  constructor(request: InProcessRequest, begin: (response: InProcessResponse) => void) {
    this.method = request.method;
    this.target = request.path;
    this.headers = joined(request.headers ?? {});
    this.#request = request;
    this.#begin = begin;
    request.signal?.addEventListener('abort', this.#giveUp, { once: true });
  }

  get rawHeaders(): readonly string[] {
    return Object.entries(this.#request.headers ?? {}).flatMap(([name, values]) => [values].flat().flatMap((value) => [name, value]));
  }

  readBody(limitBytes: number): Promise<Buffer> {
    const { body = '' } = this.#request;
    const bytes = typeof body === 'string' ? Buffer.from(body) : Buffer.from(body.buffer, body.byteOffset, body.byteLength);
    return bytes.length > limitBytes ? Promise.reject(tooLarge(`limit is ${limitBytes}`)) : Promise.resolve(bytes);
  }

  body(): Readable {
    return Readable.from([Buffer.from(this.#request.body ?? '')].filter(({ length }) => length > 0));
  }

  /** It has come with the request. */
  discardBody(): void {}

  get closed(): boolean {
    return this.#state === 'closed';
  }

  onClose(listener: () => void): void {
    this.#onClose.push(listener);
  }

  send(code: number, headers: AnswerHeaders, body: Uint8Array | string | undefined): void {
    const stream = this.open(code, headers);
    if (body !== undefined) void stream.write(body);
    stream.end();
  }

  open(code: number, headers: AnswerHeaders): ResponseStream {
    const chunks = this.#chunks;
    let given: AnswerHeaders | undefined;
    this.#begin({
      code,
      headers: joined(headers),
      chunks: this.#read(),
      get trailers() {
        return given;
      },
    });
    return {
      write: (chunk) => chunks.put(Buffer.from(chunk)),
      writeThrough: async (chunk) => {
        await chunks.put(Buffer.from(chunk));
        return true;
      },
      get backlog() {
        return chunks.length;
      },
      end: (trailers) => {
        given = trailers;
        this.finish();
      },
    };
  }

  /** What waits is the caller's own memory: it is no reason to keep the request. */
  get taken(): boolean {
    return this.#state !== 'open';
  }

  onTaken(listener: () => void): void {
    this.#onTaken.push(listener);
  }

  /** The handler is through: the caller still gets what there is. */
  finish(): void {
    if (this.#state !== 'open') return;
    this.#state = 'answered';
    this.#chunks.end();
    this.#tellTaken();
  }

  destroy(): void {
    this.#chunks.break(new Error('the server broke off its answer'));
    this.#close();
  }

  upgrade(): Duplex {
    throw badRequest('Upgrade request required');
  }

  readonly #giveUp = (): void => {
    this.#chunks.break(this.#request.signal?.reason as Error);
    this.#close();
  };

  #close(): void {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    this.#request.signal?.removeEventListener('abort', this.#giveUp);
    const listeners = this.#onClose;
    this.#onClose = [];
    for (const listener of listeners) listener();
    this.#tellTaken();
  }

  #tellTaken(): void {
    const listeners = this.#onTaken;
    this.#onTaken = [];
    for (const listener of listeners) listener();
  }

  async *#read(): AsyncGenerator<Uint8Array> {
    try {
      yield* this.#chunks;
    } finally {
      this.#chunks.drop();
      this.#close();
    }
  }
}

function joined(headers: Readonly<Record<string, string | readonly string[]>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, typeof value === 'string' ? value : value.join(', ')]));
}
