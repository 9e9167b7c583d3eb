// The transport over TLS: HTTP/1.1 on connections that are kept. Redirects are answers like any other: following one would
// hand our credentials to whoever it names.
import { Agent, type Dispatcher } from 'undici';
import { trusting } from '#base/outgoing/authorities.ts';
import { authorizationOf, type Identity, type IdentitySource } from '#client/identity.ts';
import type { Transport, TransportRequest, TransportResponse } from '#client/transport.ts';

export interface HttpsTransportOptions {
  /** `https://host:port`, perhaps with a path under which the API lies. */
  readonly server: string;
  /** PEM of the authorities to trust; absent: those of the system. */
  readonly ca?: string;
  /** The name that the server's certificate must have, when it is not the host's. */
  readonly serverName?: string;
  readonly insecureSkipTlsVerify?: boolean;
  readonly identity?: IdentitySource;
  readonly connectTimeoutMs?: number;
}

export class HttpsTransport implements AsyncDisposable {
  readonly #options: HttpsTransportOptions;
  readonly #origin: string;
  readonly #prefix: string;
  /** Of the client certificate in use: another one needs connections of its own. */
  #agent: { readonly cert: string | undefined; readonly agent: Agent } | undefined;

  constructor(options: HttpsTransportOptions) {
    const url = new URL(options.server);
    this.#options = options;
    this.#origin = url.origin;
    this.#prefix = url.pathname.replace(/\/+$/, '');
  }

  readonly send: Transport = async (request) => {
    request.signal?.throwIfAborted();
    const identity = (await this.#options.identity?.current()) ?? {};
    const response = await this.#agentFor(identity).request(this.#wire(request, identity));
    if (response.statusCode === 401) this.#options.identity?.refused?.();
    return { code: response.statusCode, headers: joined(response.headers), chunks: readable(response.body, request.signal) };
  };

  /** Breaks off whatever still runs. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#agent?.agent.destroy();
  }

  #wire({ method, path, headers, body, signal }: TransportRequest, identity: Identity): Dispatcher.RequestOptions {
    return {
      origin: this.#origin,
      path: this.#prefix + path,
      method,
      headers: { ...(headers as Record<string, string | string[]>), ...authorizationOf(identity) },
      ...(body !== undefined && { body }),
      ...(signal !== undefined && { signal }),
      // A watch may be silent for long; whoever wants a limit has a signal.
      headersTimeout: 0,
      bodyTimeout: 0,
    };
  }

  #agentFor({ cert, key }: Identity): Agent {
    if (this.#agent !== undefined && this.#agent.cert === cert) return this.#agent.agent;
    const { ca, serverName, insecureSkipTlsVerify = false, connectTimeoutMs = 30_000 } = this.#options;
    const connect = {
      timeout: connectTimeoutMs,
      rejectUnauthorized: !insecureSkipTlsVerify,
      ...trusting(ca),
      ...(serverName !== undefined && { servername: serverName }),
      ...(cert !== undefined && key !== undefined && { cert, key }),
    };
    // Requests that run keep the old connections until they are through.
    void this.#agent?.agent.close();
    const agent = new Agent({ connect, keepAliveTimeout: 30_000, allowH2: false });
    this.#agent = { cert, agent };
    return agent;
  }
}

async function* readable(body: AsyncIterable<Uint8Array>, signal: AbortSignal | undefined): TransportResponse['chunks'] & AsyncGenerator<Uint8Array> {
  yield* body;
  signal?.throwIfAborted();
}

function joined(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), Array.isArray(value) ? value.join(', ') : value]));
}
