// One request over a pool of connections, within its time. A handler of its own because undici's `request` tells a request that waits for a connection
// of its end only once it has one, which a server that accepts and then hangs never lets happen.
import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher, Pool } from 'undici';
import { maxTimerMs } from '#base/deadline.ts';
import { OutgoingFailure } from '#base/outgoing/outgoing-failure.ts';

export interface OutgoingAnswer {
  readonly code: number;
  readonly contentType: string;
  readonly retryAfter: string | undefined;
  readonly body: Buffer;
}

export interface ExchangeLimits {
  readonly timeoutMs: number;
  /** Of the request that needs the answer. */
  readonly signal: AbortSignal | undefined;
  readonly maxBytes: number;
  /** Of all answers that are being read. */
  readonly held: HeldBytes;
}

export interface HeldBytes {
  count: number;
  readonly most: number;
}

export type OutgoingRequest = Pick<Dispatcher.DispatchOptions, 'method' | 'path' | 'headers' | 'body'>;

/** Throws an OutgoingFailure. */
export function exchange(pool: Pool, request: OutgoingRequest, limits: ExchangeLimits): Promise<OutgoingAnswer> {
  return new Promise((resolve, reject) => {
    const running = new Exchange(limits, resolve, reject);
    if (running.isOver) return;
    try {
      pool.dispatch(request, running);
    } catch (error) {
      running.fail(failureOf(error));
    }
  });
}

class Exchange implements Dispatcher.DispatchHandler {
  readonly #limits: ExchangeLimits;
  readonly #resolve: (answer: OutgoingAnswer) => void;
  readonly #reject: (failure: OutgoingFailure) => void;
  readonly #timer: NodeJS.Timeout;
  readonly #chunks: Buffer[] = [];
  #controller: Dispatcher.DispatchController | undefined;
  #head: Omit<OutgoingAnswer, 'body'> | undefined;
  #length = 0;
  #failure: OutgoingFailure | undefined;
  #isOver = false;

  constructor(limits: ExchangeLimits, resolve: (answer: OutgoingAnswer) => void, reject: (failure: OutgoingFailure) => void) {
    this.#limits = limits;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#timer = setTimeout(this.#onTimeout, Math.min(limits.timeoutMs, maxTimerMs));
    if (limits.signal?.aborted) this.#onAbort();
    else limits.signal?.addEventListener('abort', this.#onAbort);
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#failure) controller.abort(this.#failure);
  }

  onResponseStart(_controller: Dispatcher.DispatchController, code: number, headers: IncomingHttpHeaders): void {
    if (code < 200) return;
    this.#head = { code, contentType: one(headers['content-type']) ?? '', retryAfter: one(headers['retry-after']) };
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#isOver) return;
    const { held, maxBytes } = this.#limits;
    this.#length += chunk.length;
    held.count += chunk.length;
    if (this.#length > maxBytes || held.count > held.most) this.fail(new OutgoingFailure('http: response body too large', { inBody: true }));
    else this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    if (!this.#end() || this.#head === undefined) return;
    this.#resolve({ ...this.#head, body: Buffer.concat(this.#chunks, this.#length) });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.fail(this.#isInBody ? new OutgoingFailure('unexpected EOF', { inBody: true, cause: error }) : failureOf(error));
  }

  /** The caller hears of it at once; the connection, if there is one, is closed. */
  fail(failure: OutgoingFailure): void {
    if (!this.#end()) return;
    this.#failure = failure;
    this.#reject(failure);
    this.#controller?.abort(failure);
  }

  readonly #onAbort = (): void => this.fail(new OutgoingFailure('context canceled', { canceled: true, inBody: this.#isInBody }));

  readonly #onTimeout = (): void => this.fail(new OutgoingFailure('context deadline exceeded', { inBody: this.#isInBody }));

  get #isInBody(): boolean {
    return this.#head !== undefined;
  }

  /** False when it is over already. */
  #end(): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#limits.signal?.removeEventListener('abort', this.#onAbort);
    this.#limits.held.count -= this.#length;
    return true;
  }
}

function one(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

function failureOf(error: unknown): OutgoingFailure {
  if (error instanceof OutgoingFailure) return error;
  const { code = '', message } = error as Error & { readonly code?: string };
  if (code === 'UND_ERR_SOCKET') return new OutgoingFailure('EOF', { cause: error });
  if (code === 'ECONNRESET' || code === 'EPIPE') return new OutgoingFailure('read: connection reset by peer', { cause: error });
  if (code.startsWith('HPE_')) return new OutgoingFailure('net/http: HTTP/1.x transport connection broken: malformed HTTP response', { cause: error });
  return new OutgoingFailure(message, { cause: error });
}
