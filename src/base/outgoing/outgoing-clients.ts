// Asks other servers over connections that are kept: one set of connections for each target. Redirects are answers like any other (following one
// would carry what we send, credentials and all, to whoever it names: CVE-2020-8561), and answers have a limit in size and time.
import type { SecureContext, TLSSocket } from 'node:tls';
import type { buildConnector, Dispatcher, Pool } from 'undici';
import { deadline } from '#base/deadline.ts';
import { dialTls, secureContextOf } from '#base/outgoing/dial-tls.ts';
import { OutgoingFailure } from '#base/outgoing/outgoing-failure.ts';
import type { OutgoingTarget } from '#base/outgoing/target.ts';

export interface CallLimits {
  readonly timeoutMs: number;
  /** Of the request that needs the answer. */
  readonly signal?: AbortSignal | undefined;
  readonly maxBytes?: number | undefined;
}

export interface OutgoingAnswer {
  readonly code: number;
  readonly contentType: string;
  readonly retryAfter: string | undefined;
  readonly body: Buffer;
}

export interface OutgoingClientsOptions {
  readonly now: () => Date;
  readonly userAgent: string;
}

/** As many clients as the original keeps; the one that was not used for the longest time goes. */
const mostPools = 200;
/** Calls beyond it wait for a connection, within their own time. */
const mostConnections = 256;
const idleMs = 90_000;
const defaultMaxBytes = 16 << 20;
/** Of all answers that are being read. */
const mostHeldBytes = 128 << 20;

export class OutgoingClients implements AsyncDisposable {
  readonly #options: OutgoingClientsOptions;
  readonly #pools = new Map<string, Pool>();
  readonly #keys = new WeakMap<OutgoingTarget, string>();
  #held = 0;

  constructor(options: OutgoingClientsOptions) {
    this.#options = options;
  }

  /** Throws an OutgoingFailure when there is no answer in time. */
  async post(target: OutgoingTarget, path: string, body: string | Uint8Array, limits: CallLimits): Promise<OutgoingAnswer> {
    const parent = limits.signal ?? new AbortController().signal;
    const limited = deadline(parent, limits.timeoutMs);
    try {
      const pool = await this.#poolFor(target);
      const headers = { 'content-type': 'application/json', accept: 'application/json, */*', 'user-agent': this.#options.userAgent, ...target.headers };
      const answer = await pool.request({ method: 'POST', path, headers, body, signal: limited.signal });
      return await this.#read(answer, limits.maxBytes ?? defaultMaxBytes);
    } catch (error) {
      const inBody = error instanceof OutgoingFailure && error.inBody;
      if (parent.aborted) throw new OutgoingFailure('context canceled', { canceled: true, inBody, cause: error });
      if (limited.signal.aborted) throw new OutgoingFailure('context deadline exceeded', { inBody, cause: error });
      throw failureOf(error);
    } finally {
      limited.cancel();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const pools = [...this.#pools.values()];
    this.#pools.clear();
    await Promise.all(pools.map((pool) => pool.destroy()));
  }

  async #poolFor(target: OutgoingTarget): Promise<Pool> {
    const key = this.#keys.get(target) ?? keyOf(target);
    this.#keys.set(target, key);
    const known = this.#pools.get(key);
    if (known) {
      // Last in the order of insertion: the first one is the one to go.
      this.#pools.delete(key);
      this.#pools.set(key, known);
      return known;
    }
    return this.#open(key, target);
  }

  async #open(key: string, target: OutgoingTarget): Promise<Pool> {
    const { Pool } = await import('undici');
    const raced = this.#pools.get(key);
    if (raced) return raced;
    const context = secureContextOf(target);
    const pool = new Pool(target.origin, {
      connections: mostConnections,
      keepAliveTimeout: idleMs,
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: (_options, done) => void this.#dial(target, context, done),
    });
    this.#pools.set(key, pool);
    const [oldest] = this.#pools;
    if (this.#pools.size > mostPools && oldest) {
      this.#pools.delete(oldest[0]);
      // Calls that run end first.
      void oldest[1].close();
    }
    return pool;
  }

  async #dial(target: OutgoingTarget, context: SecureContext, done: buildConnector.Callback): Promise<void> {
    let socket: TLSSocket;
    try {
      socket = await dialTls(target, { now: this.#options.now, context });
    } catch (error) {
      done(error as Error, null);
      return;
    }
    done(null, socket);
  }

  async #read({ statusCode, headers, body }: Dispatcher.ResponseData, maxBytes: number): Promise<OutgoingAnswer> {
    const chunks: Buffer[] = [];
    let length = 0;
    try {
      for await (const chunk of body as AsyncIterable<Buffer>) {
        length += chunk.length;
        this.#held += chunk.length;
        if (length > maxBytes || this.#held > mostHeldBytes) throw new OutgoingFailure('http: response body too large', { inBody: true });
        chunks.push(chunk);
      }
    } catch (error) {
      if (error instanceof OutgoingFailure) throw error;
      throw new OutgoingFailure('unexpected EOF', { inBody: true, cause: error });
    } finally {
      this.#held -= length;
      body.destroy();
    }
    return { code: statusCode, contentType: one(headers['content-type']) ?? '', retryAfter: one(headers['retry-after']), body: Buffer.concat(chunks, length) };
  }
}

function keyOf({ origin, ca, cert, key, serverName, insecure, headers }: OutgoingTarget): string {
  return JSON.stringify([origin, ca, cert, key, serverName, insecure, headers]);
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
