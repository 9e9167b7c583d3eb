// A request that never touches a socket: the server's own loops reach the API this way, through the same pipeline as everybody.
import type { RequestInfo } from '#api/request-info.ts';
import type { User } from '#api/user.ts';
import type { StructSchema } from '#schema/build.ts';
import { BoundedQueue } from '#base/bounded-queue.ts';
import type { Exchange, ExchangeObserver, Handler, ResponseStream } from '#server/exchange.ts';
import { Observers } from '#server/observers.ts';

export interface InProcessRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly signal?: AbortSignal;
}

export interface InProcessResponse {
  readonly code: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** Chunks of one answer that nobody has read yet; beyond that the reader has lost interest. */
const maxPendingChunks = 100_000;

/** Resolves when the answer begins; rejects when the handler fails without one. */
export function callInProcess(handler: Handler, request: InProcessRequest): Promise<InProcessResponse> {
  return new Promise((resolve, reject) => {
    const exchange = new InProcessExchange(request, resolve);
    handler(exchange).then(() => exchange.finish(), reject);
  });
}

class InProcessExchange implements Exchange {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly search: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly protocol = 'HTTP/2.0';
  readonly remoteAddress = '127.0.0.1';
  readonly clientCertificates = [];
  readonly warnings: string[] = [];
  auditId = '';
  readonly #closed = new AbortController();
  readonly #body: Buffer;
  readonly #begin: (response: InProcessResponse) => void;
  readonly #answerHeaders: Record<string, string> = {};
  readonly #chunks = new BoundedQueue<Uint8Array>(maxPendingChunks);
  readonly #signal: AbortSignal;
  readonly #observers = new Observers();
  #answered = false;
  #info: RequestInfo | undefined;
  #user: User | undefined;

  constructor({ method, path, headers = {}, body = '', signal }: InProcessRequest, begin: (response: InProcessResponse) => void) {
    const cut = path.indexOf('?');
    this.method = method;
    this.path = cut < 0 ? path : path.slice(0, cut);
    this.search = cut < 0 ? '' : path.slice(cut + 1);
    this.query = new URLSearchParams(this.search);
    this.headers = headers;
    this.#body = Buffer.from(body);
    this.#begin = begin;
    this.#signal = signal ? AbortSignal.any([signal, this.#closed.signal]) : this.#closed.signal;
  }

  get signal(): AbortSignal {
    return this.#signal;
  }

  headerValues(name: string): readonly string[] {
    const value = this.headers[name];
    return value === undefined ? [] : [value];
  }

  cutShort(): void {
    this.#closed.abort();
  }

  endEarly(): void {
    this.#closed.abort();
  }

  get info(): RequestInfo {
    return known(this.#info, 'info');
  }

  set info(info: RequestInfo) {
    this.#info = info;
  }

  get user(): User {
    return known(this.#user, 'user');
  }

  set user(user: User) {
    this.#user = user;
  }

  get answered(): boolean {
    return this.#answered;
  }

  warn(text: string): void {
    if (!this.warnings.includes(text)) this.warnings.push(text);
  }

  async readBody(): Promise<Buffer> {
    this.#observers.bodyRead(this.#body);
    return this.#body;
  }

  annotate(key: string, value: string): void {
    this.#observers.annotated(key, value);
  }

  noteObject(object: object, schema: StructSchema): void {
    this.#observers.objectRead(object, schema);
  }

  observe(observer: ExchangeObserver): void {
    this.#observers.add(observer);
  }

  setHeader(name: string, value: string): void {
    this.#answerHeaders[name.toLowerCase()] = value;
  }

  send(code: number, contentType: string, body: Uint8Array | string): void {
    this.#observers.answerBegun(code, contentType, body);
    const stream = this.#open(code, contentType);
    void stream.write(body);
    stream.end();
  }

  stream(code: number, contentType: string): ResponseStream {
    this.#observers.answerBegun(code, contentType, undefined);
    return this.#observers.watching(this.#open(code, contentType));
  }

  #open(code: number, contentType: string): ResponseStream {
    this.#answered = true;
    this.#begin({ code, headers: { ...this.#answerHeaders, 'content-type': contentType }, chunks: this.#read() });
    const chunks = this.#chunks;
    const closed = this.#closed;
    return {
      async write(chunk) {
        if (!chunks.offer(Buffer.from(chunk))) closed.abort();
      },
      writeThrough(chunk) {
        return this.write(chunk);
      },
      get backlog() {
        return chunks.size;
      },
      end() {
        chunks.close();
      },
    };
  }

  /** The handler is through: whoever still reads gets what is there. */
  finish(): void {
    this.#chunks.close();
  }

  async *#read(): AsyncGenerator<Uint8Array> {
    try {
      yield* this.#chunks;
    } finally {
      this.#closed.abort();
    }
  }
}

function known<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw new Error(`exchange.${name} read too early`);
  return value;
}
