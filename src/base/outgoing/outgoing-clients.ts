// Asks other servers over connections that are kept: one set of connections for each target. Redirects are answers like any other (following one
// would carry what we send, credentials and all, to whoever it names: CVE-2020-8561), and answers have a limit in size and time.
import { ConnectionPool } from '#base/outgoing/connection-pool.ts';
import { goQuote } from '#base/go-text.ts';
import { dialTls, secureContextOf } from '#base/outgoing/dial-tls.ts';
import { type Caller, exchange, type HeldBytes, type OutgoingAnswer } from '#base/outgoing/exchange.ts';
import { OutgoingFailure } from '#base/outgoing/outgoing-failure.ts';
import type { OutgoingTarget } from '#base/outgoing/target.ts';

export interface CallLimits {
  readonly timeoutMs: number;
  readonly caller?: Caller | undefined;
  readonly maxBytes?: number | undefined;
}

export type { OutgoingAnswer } from '#base/outgoing/exchange.ts';

export interface OutgoingClientsOptions {
  readonly now: () => Date;
  readonly userAgent: string;
  /** A certificate was refused, for the reason that the failure names. */
  readonly onRefusedCertificate?: (why: string) => void;
}

/** As many clients as the original keeps; the one that was not used for the longest time goes. */
const mostClients = 200;
/** Calls beyond it wait for a connection, within their own time. */
const mostConnections = 256;
const idleMs = 90_000;
const defaultMaxBytes = 16 << 20;
/** Of all answers that are being read. */
const mostHeldBytes = 128 << 20;

interface Client {
  readonly pool: ConnectionPool;
  /** The part of every head that is the same for all calls. */
  readonly headers: string;
}

export class OutgoingClients implements AsyncDisposable {
  readonly #options: OutgoingClientsOptions;
  readonly #clients = new Map<string, Client>();
  readonly #keys = new WeakMap<OutgoingTarget, string>();
  readonly #held: HeldBytes = { count: 0, most: mostHeldBytes };

  constructor(options: OutgoingClientsOptions) {
    this.#options = options;
  }

  /** Rejects with an OutgoingFailure when there is no answer in time. */
  post(target: OutgoingTarget, path: string, body: string, limits: CallLimits): Promise<OutgoingAnswer> {
    const { timeoutMs, caller, maxBytes = defaultMaxBytes } = limits;
    try {
      const { pool, headers } = this.#clientFor(target);
      const text = `POST ${requestTarget(path)} HTTP/1.1\r\n${headers}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
      return exchange(pool, text, { timeoutMs, caller, maxBytes, held: this.#held });
    } catch (error) {
      return Promise.reject(new OutgoingFailure((error as Error).message, { cause: error }));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { pool } of this.#clients.values()) pool.destroy(new OutgoingFailure('context canceled', { canceled: true }));
    this.#clients.clear();
  }

  #clientFor(target: OutgoingTarget): Client {
    const key = this.#keys.get(target) ?? keyOf(target);
    this.#keys.set(target, key);
    const known = this.#clients.get(key);
    if (known === undefined) return this.#open(key, target);
    // Last in the order of insertion: the first one is the one to go.
    this.#clients.delete(key);
    this.#clients.set(key, known);
    return known;
  }

  /** Throws for certificates and headers that are none. */
  #open(key: string, target: OutgoingTarget): Client {
    const context = secureContextOf(target);
    const { now, onRefusedCertificate } = this.#options;
    const dial = () =>
      dialTls(target, { now, context }).catch((failure: OutgoingFailure) => {
        if (failure.message.includes('x509: ')) onRefusedCertificate?.(failure.message);
        throw failure;
      });
    const client = { pool: new ConnectionPool({ dial, mostConnections, idleMs }), headers: headersOf(target, this.#options.userAgent) };
    this.#clients.set(key, client);
    const [oldest] = this.#clients;
    if (this.#clients.size > mostClients && oldest) {
      this.#clients.delete(oldest[0]);
      oldest[1].pool.end();
    }
    return client;
  }
}

function headersOf({ origin, headers }: OutgoingTarget, userAgent: string): string {
  const all = { host: new URL(origin).host, 'content-type': 'application/json', accept: 'application/json, */*', 'user-agent': userAgent, ...headers };
  return Object.entries(all)
    .map(([name, value]) => `${name}: ${checkedHeader(name, value)}\r\n`)
    .join('');
}

function checkedHeader(name: string, value: string): string {
  if (/[^\P{Cc}\t]/u.test(value)) throw new Error(`net/http: invalid header field value for ${goQuote(name)}`);
  return value;
}

/** As Go writes a path: what cannot stand in a request line is escaped. */
function requestTarget(path: string): string {
  return /[^\x21-\x7e]/.test(path) ? encodeURI(path) : path;
}

function keyOf({ origin, ca, cert, key, serverName, insecure, headers }: OutgoingTarget): string {
  return JSON.stringify([origin, ca, cert, key, serverName, insecure, headers]);
}
