// One request over a pool of connections, within its time, whether it waits for a connection or for the answer.
import { maxTimerMs } from '#base/deadline.ts';
import type { AnswerHead } from '#base/outgoing/answer-reader.ts';
import type { ConnectionPool } from '#base/outgoing/connection-pool.ts';
import type { Asking, KeptConnection } from '#base/outgoing/kept-connection.ts';
import { OutgoingFailure } from '#base/outgoing/outgoing-failure.ts';

export interface OutgoingAnswer extends AnswerHead {
  readonly body: Buffer;
}

export interface ExchangeLimits {
  readonly timeoutMs: number;
  readonly caller: Caller | undefined;
  readonly maxBytes: number;
  /** Of all answers that are being read. */
  readonly held: HeldBytes;
}

/** The request that needs the answer: a call ends with it. */
export interface Caller {
  readonly gone: boolean;
  /** Who is no longer interested calls what is returned. */
  onGone(listener: () => void): () => void;
}

export interface HeldBytes {
  count: number;
  readonly most: number;
}

/** `text` is the whole request, head and body. Throws an OutgoingFailure. */
export function exchange(pool: ConnectionPool, text: string, limits: ExchangeLimits): Promise<OutgoingAnswer> {
  return new Promise((resolve, reject) => {
    const running = new Exchange(text, pool, limits, resolve, reject);
    if (!running.isOver) pool.send(running);
  });
}

class Exchange implements Asking {
  readonly text: string;
  readonly #pool: ConnectionPool;
  readonly #limits: ExchangeLimits;
  readonly #resolve: (answer: OutgoingAnswer) => void;
  readonly #reject: (failure: OutgoingFailure) => void;
  readonly #timer: NodeJS.Timeout;
  readonly #chunks: Buffer[] = [];
  #connection: KeptConnection | undefined;
  #head: AnswerHead | undefined;
  #length = 0;
  readonly #forget: (() => void) | undefined;
  #isOver = false;

  constructor(
    text: string,
    pool: ConnectionPool,
    limits: ExchangeLimits,
    resolve: (answer: OutgoingAnswer) => void,
    reject: (failure: OutgoingFailure) => void,
  ) {
    this.text = text;
    this.#pool = pool;
    this.#limits = limits;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#timer = setTimeout(this.#onTimeout, Math.min(limits.timeoutMs, maxTimerMs));
    this.#forget = limits.caller?.onGone(this.#onGone);
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  onStart(connection: KeptConnection): void {
    this.#connection = connection;
  }

  onHead(head: AnswerHead): void {
    this.#head = head;
  }

  onData(chunk: Buffer): void {
    if (this.#isOver) return;
    const { held, maxBytes } = this.#limits;
    this.#length += chunk.length;
    held.count += chunk.length;
    if (this.#length > maxBytes || held.count > held.most) this.fail(new OutgoingFailure('http: response body too large'));
    else this.#chunks.push(chunk);
  }

  onEnd(): void {
    if (!this.#end() || this.#head === undefined) return;
    const [first] = this.#chunks;
    const body = first !== undefined && this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks, this.#length);
    const { code, contentType, retryAfter } = this.#head;
    this.#resolve({ code, contentType, retryAfter, body });
  }

  /** The caller hears of it at once; the connection, if there is one, is closed. */
  fail(failure: OutgoingFailure): void {
    if (!this.#end()) return;
    const { message, canceled, cause } = failure;
    this.#reject(this.#head === undefined || failure.inBody ? failure : new OutgoingFailure(message, { canceled, inBody: true, cause }));
    this.#pool.withdraw(this);
    this.#connection?.destroy();
  }

  readonly #onGone = (): void => this.fail(new OutgoingFailure('context canceled', { canceled: true }));

  readonly #onTimeout = (): void => this.fail(new OutgoingFailure('context deadline exceeded'));

  /** False when it is over already. */
  #end(): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#forget?.();
    this.#limits.held.count -= this.#length;
    return true;
  }
}
