// One APIService behind a service: how requests reach it, over connections that are kept and verified as the APIService says.
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';
import type { Duplex } from 'node:stream';
import type { SecureContext } from 'node:tls';
import type { ServiceResolver } from '#api/service-resolver.ts';
import { dialTls, secureContextOf } from '#base/outgoing/dial-tls.ts';
import { OutgoingFailure } from '#base/outgoing/outgoing-failure.ts';
import type { NetworkAddress, OutgoingTarget } from '#base/outgoing/target.ts';
import type { APIService } from '#kinds/apiregistration/v1/api-service.ts';

export interface ExtensionServerParts {
  readonly resolve: ServiceResolver;
  readonly now: () => Date;
  /** What this server shows when it is asked who it is: --proxy-client-cert-file and its key. */
  readonly clientCertificate: () => { readonly cert?: string; readonly key?: string };
}

export interface BackendRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly signal: AbortSignal;
}

export interface BackendAnswer {
  readonly response: IncomingMessage;
  /** Undefined when the backend did not change the protocol. */
  readonly socket?: Duplex;
  readonly head: Buffer;
}

const mostConnections = 256;

export class ExtensionServer {
  readonly #spec: APIService['spec'];
  readonly #parts: ExtensionServerParts;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: mostConnections, timeout: 90_000 });
  #context: SecureContext | undefined;

  constructor(spec: APIService['spec'], parts: ExtensionServerParts) {
    this.#spec = spec;
    this.#parts = parts;
    // Node hands a connection over when it is there: TLS is done by then, so that requests are written as plain HTTP.
    Object.assign(this.#agent, { createConnection: (_options: object, done: (error: Error | null, socket?: Duplex) => void) => void this.#dial(done) });
  }

  /** Where it is now. Throws in the words of the resolver. */
  async address(): Promise<NetworkAddress> {
    const { namespace = '', name = '', port = 443 } = this.#spec.service ?? {};
    return this.#parts.resolve(namespace, name, port);
  }

  /** The request can be written to at once; `answer` rejects with an OutgoingFailure when there is none. */
  open({ method, path, headers, signal }: BackendRequest): { readonly sent: ClientRequest; readonly answer: Promise<BackendAnswer> } {
    const sent = request({ agent: this.#agent, host: this.#serverName, method, path, headers: headers as Record<string, string | string[]>, signal });
    const answer = new Promise<BackendAnswer>((resolve, reject) => {
      sent.on('error', (error) => reject(failureOf(error)));
      sent.once('response', (response) => resolve({ response, head: Buffer.alloc(0) }));
      sent.once('upgrade', (response, socket, head) => resolve({ response, socket, head }));
    });
    answer.catch(() => {});
    return { sent, answer };
  }

  close(): void {
    this.#agent.destroy();
  }

  get #serverName(): string {
    const { namespace = '', name = '' } = this.#spec.service ?? {};
    return `${name}.${namespace}.svc`;
  }

  async #dial(done: (error: Error | null, socket?: Duplex) => void): Promise<void> {
    try {
      const { insecureSkipTLSVerify: insecure = false, caBundle } = this.#spec;
      const ca = caBundle ? Buffer.from(caBundle, 'base64').toString() : undefined;
      const target: OutgoingTarget = { origin: `https://${this.#serverName}`, dial: () => this.address(), ca, insecure };
      this.#context ??= secureContextOf({ ...target, ...this.#parts.clientCertificate() });
      done(null, await dialTls(target, { now: this.#parts.now, context: this.#context }));
    } catch (error) {
      done(error as Error);
    }
  }
}

function failureOf(error: Error & { readonly code?: unknown }): OutgoingFailure {
  if (error instanceof OutgoingFailure) return error;
  if (error.code === 'ECONNRESET') return new OutgoingFailure('EOF', { cause: error });
  return new OutgoingFailure(error.name === 'AbortError' ? 'context canceled' : error.message, { cause: error });
}
