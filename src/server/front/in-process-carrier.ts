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
  /** The caller reads nothing of an object in the answer but what names it and its resourceVersion. */
  readonly brief?: boolean;
}

export interface InProcessResponse {
  readonly code: number;
  /** Repeated ones joined by a comma. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly chunks: AsyncIterable<Uint8Array>;
  /** All of the body, where the handler answered in one piece; then the chunks need not be read. */
  readonly whole?: Buffer;
  /** Known when all chunks have been read. */
  readonly trailers: AnswerHeaders | undefined;
}

/** Resolves when the answer begins; rejects when the handler ends without one, or the signal aborts. */
export function callInProcess(handler: Handler, request: InProcessRequest): Promise<InProcessResponse> {
  return new Promise((resolve, reject) => {
    if (request.signal?.aborted) return reject(request.signal.reason);
    let isAnswered = false;
    const carrier = new InProcessCarrier(request, (response) => {
      isAnswered = true;
      resolve(response);
    });
    // An error costs its stack: none is made for those that were answered.
    const refuse = (cause: () => unknown) => {
      if (!isAnswered) reject(cause());
    };
    carrier.onClose(() => refuse(() => request.signal?.reason ?? new Error('the answer was broken off')));
    handler(new CarriedExchange(carrier)).then(
      () => {
        carrier.end();
        refuse(() => new Error(`${request.method} ${request.path} was not answered`));
      },
      (cause: unknown) => {
        carrier.end();
        refuse(() => cause);
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
  /** Of an answer in pieces. */
  #chunks: PendingChunks | undefined;
  #isWhole = false;
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

  get isBrief(): boolean {
    return this.#request.brief === true;
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

  /** The caller has the whole answer at once: there is nothing left to read, and nothing to give up. */
  send(code: number, headers: AnswerHeaders, body: Uint8Array | string | undefined): void {
    const whole = body === undefined ? noBytes : Buffer.from(body as Uint8Array);
    this.#isWhole = true;
    this.#begin({ code, headers: joined(headers), chunks: chunksOf(whole), whole, trailers: undefined });
    this.finish();
  }

  open(code: number, headers: AnswerHeaders): ResponseStream {
    const chunks = (this.#chunks ??= new PendingChunks());
    let given: AnswerHeaders | undefined;
    this.#begin({
      code,
      headers: joined(headers),
      chunks: this.#read(chunks),
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

  /** The handler is through. A caller that reads an answer in pieces closes it when it has all of them. */
  end(): void {
    this.finish();
    if (this.#isWhole) this.#close();
  }

  /** Nothing more comes: the caller still gets what there is. */
  finish(): void {
    if (this.#state !== 'open') return;
    this.#state = 'answered';
    this.#chunks?.end();
    this.#tellTaken();
  }

  destroy(): void {
    this.#chunks?.break(new Error('the server broke off its answer'));
    this.#close();
  }

  upgrade(): Duplex {
    throw badRequest('Upgrade request required');
  }

  readonly #giveUp = (): void => {
    this.#chunks?.break(this.#request.signal?.reason as Error);
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

  async *#read(chunks: PendingChunks): AsyncGenerator<Uint8Array> {
    try {
      yield* chunks;
    } finally {
      chunks.drop();
      this.#close();
    }
  }
}

const noBytes = Buffer.alloc(0);

async function* chunksOf(whole: Buffer): AsyncGenerator<Uint8Array> {
  if (whole.length > 0) yield whole;
}

function joined(headers: Readonly<Record<string, string | readonly string[]>>): Record<string, string> {
  const all: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name] as string | readonly string[];
    all[name] = typeof value === 'string' ? value : value.join(', ');
  }
  return all;
}
