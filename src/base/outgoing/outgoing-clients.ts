// Asks other servers over connections that are kept: one set of connections for each target. Redirects are answers like any other (following one
// would carry what we send, credentials and all, to whoever it names: CVE-2020-8561), and answers have a limit in size and time.
import type { SecureContext, TLSSocket } from 'node:tls';
import type { buildConnector, Pool } from 'undici';
import { dialTls, secureContextOf } from '#base/outgoing/dial-tls.ts';
import { exchange, type HeldBytes, type OutgoingAnswer } from '#base/outgoing/exchange.ts';
import { OutgoingFailure } from '#base/outgoing/outgoing-failure.ts';
import type { OutgoingTarget } from '#base/outgoing/target.ts';

export interface CallLimits {
  readonly timeoutMs: number;
  /** Of the request that needs the answer. */
  readonly signal?: AbortSignal | undefined;
  readonly maxBytes?: number | undefined;
}

export type { OutgoingAnswer } from '#base/outgoing/exchange.ts';

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
  readonly #held: HeldBytes = { count: 0, most: mostHeldBytes };

  constructor(options: OutgoingClientsOptions) {
    this.#options = options;
  }

  /** Throws an OutgoingFailure when there is no answer in time. */
  async post(target: OutgoingTarget, path: string, body: string | Uint8Array, limits: CallLimits): Promise<OutgoingAnswer> {
    const { timeoutMs, signal, maxBytes = defaultMaxBytes } = limits;
    const pool = await this.#poolFor(target).catch((error: unknown) => {
      throw new OutgoingFailure((error as Error).message, { cause: error });
    });
    const headers = { 'content-type': 'application/json', accept: 'application/json, */*', 'user-agent': this.#options.userAgent, ...target.headers };
    return exchange(pool, { method: 'POST', path, headers, body }, { timeoutMs, signal, maxBytes, held: this.#held });
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
}

function keyOf({ origin, ca, cert, key, serverName, insecure, headers }: OutgoingTarget): string {
  return JSON.stringify([origin, ca, cert, key, serverName, insecure, headers]);
}
