// A request that never touches a socket: the server's own loops reach the API this way, through the same pipeline as everybody.
import type { RequestInfo } from '#api/request-info.ts';
import type { User } from '#api/user.ts';
import type { StructSchema } from '#schema/build.ts';
import { BoundedQueue } from '#base/bounded-queue.ts';
import type { Exchange, ExchangeObserver, Handler, ResponseStream } from '#server/front/exchange.ts';
import { Observers } from '#server/front/observers.ts';
import { Warnings } from '#server/answer/warning-header.ts';

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
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** Chunks of one answer that nobody has read yet; beyond that the reader has lost interest. */
const maxPendingChunks = 100_000;

/** Resolves when the answer begins; rejects when the handler ends without one, or the signal aborts. */
export function callInProcess(handler: Handler, request: InProcessRequest): Promise<InProcessResponse> {
  return new Promise((resolve, reject) => {
    const { signal } = request;
    const aborted = () => reject(signal?.reason);
    if (signal?.aborted) return aborted();
    signal?.addEventListener('abort', aborted, { once: true });
    const begin = (response: InProcessResponse) => {
      signal?.removeEventListener('abort', aborted);
      resolve(response);
    };
    const exchange = new InProcessExchange(request, begin);
    handler(exchange).then(() => {
      exchange.finish();
      reject(new Error(`${request.method} ${request.path} was not answered`));
    }, reject);
  });
}

class InProcessExchange implements Exchange {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly search: string;
  readonly headers: Exchange['headers'];
  readonly protocol = 'HTTP/2.0';
  readonly remoteAddress = '127.0.0.1';
  readonly clientCertificates = [];
  auditId = '';
  readonly #closed = new AbortController();
  readonly #body: Buffer;
  readonly #begin: (response: InProcessResponse) => void;
  readonly #answerHeaders: Record<string, string> = {};
  readonly #chunks = new BoundedQueue<Uint8Array>(maxPendingChunks);
  readonly #signal: AbortSignal;
  readonly #observers = new Observers();
  readonly #warnings = new Warnings();
  #state: 'open' | 'answered' | 'cut short' = 'open';
  /** Why the reader will not get all of the answer. */
  #broken: Error | undefined;
  readonly #callersSignal: AbortSignal | undefined;
  #info: RequestInfo | undefined;
  #user: User | undefined;

  constructor({ method, path, headers = {}, body = '', signal }: InProcessRequest, begin: (response: InProcessResponse) => void) {
    const cut = path.indexOf('?');
    this.method = method;
    this.path = cut < 0 ? path : path.slice(0, cut);
    this.search = cut < 0 ? '' : path.slice(cut + 1);
    this.query = new URLSearchParams(this.search);
    this.headers = headers as Exchange['headers'];
    this.#body = Buffer.from(body);
    this.#begin = begin;
    this.#callersSignal = signal;
    this.#signal = signal ? AbortSignal.any([signal, this.#closed.signal]) : this.#closed.signal;
    this.#signal.addEventListener('abort', () => this.#chunks.close(), { once: true });
  }

  get signal(): AbortSignal {
    return this.#signal;
  }

  get gone(): boolean {
    return this.#signal.aborted;
  }

  headerValues(name: string): readonly string[] {
    return [this.headers[name] ?? []].flat();
  }

  cutShort(code: number, contentType: string, body: string): void {
    if (this.#state === 'open') this.send(code, contentType, body);
    else this.#break('the server broke off its answer');
    this.#state = 'cut short';
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
    return this.#state !== 'open';
  }

  warn(text: string): void {
    this.#warnings.add(text);
  }

  get warnings(): readonly string[] {
    return this.#warnings.texts;
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
    if (this.#state === 'cut short') return;
    this.#observers.answerBegun(code, contentType, body);
    const stream = this.#open(code, contentType);
    void stream.write(body);
    stream.end();
  }

  stream(code: number, contentType: string): ResponseStream {
    if (this.#state === 'cut short') return deafAnswer;
    this.#observers.answerBegun(code, contentType, undefined);
    return this.#observers.watching(this.#open(code, contentType));
  }

  #open(code: number, contentType: string): ResponseStream {
    this.#state = 'answered';
    const warning = this.#warnings.headers.length === 0 ? {} : { warning: this.#warnings.headers.join(', ') };
    this.#begin({ code, headers: { ...this.#answerHeaders, ...warning, 'content-type': contentType }, chunks: this.#read() });
    const chunks = this.#chunks;
    return {
      write: async (chunk) => {
        if (!chunks.offer(Buffer.from(chunk))) this.#break('the answer was not read fast enough');
      },
      async writeThrough(chunk) {
        await this.write(chunk);
      },
      get backlog() {
        return chunks.size;
      },
      end() {
        chunks.close();
      },
    };
  }

  #break(why: string): void {
    this.#broken = new Error(why);
    this.#closed.abort();
  }

  /** The handler is through: whoever still reads gets what is there. */
  finish(): void {
    this.#chunks.close();
  }

  async *#read(): AsyncGenerator<Uint8Array> {
    try {
      yield* this.#chunks;
      this.#callersSignal?.throwIfAborted();
      if (this.#broken !== undefined) throw this.#broken;
    } finally {
      this.#closed.abort();
    }
  }
}

const deafAnswer: ResponseStream = { write: async () => {}, writeThrough: async () => {}, backlog: 0, end: () => {} };

function known<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw new Error(`exchange.${name} read too early`);
  return value;
}
