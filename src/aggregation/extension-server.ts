// One APIService behind a service: how requests reach it, over connections that are kept and verified as the APIService says.
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';
import type { Duplex } from 'node:stream';
import type { SecureContext, TLSSocket } from 'node:tls';
import type { ServiceResolver } from '#api/service-resolver.ts';
import { dialTls, secureContextOf } from '#base/outgoing/dial-tls.ts';
import { OutgoingFailure } from '#base/outgoing/outgoing-failure.ts';
import type { NetworkAddress, OutgoingTarget } from '#base/outgoing/target.ts';
import { parseCertificate } from '#base/pki/certificate.ts';
import { pemBlocks } from '#base/pki/pem.ts';
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

export interface OpenedRequest {
  readonly sent: ClientRequest;
  readonly answer: Promise<BackendAnswer>;
}

/** What is outdated about the certificate that a server has shown. */
export interface CertificateFlaws {
  readonly missingSan: boolean;
  readonly sha1: boolean;
}

/** Every watch through the aggregator holds a connection, so there is no limit to those in use; idle ones are few. */
const mostIdleConnections = 25;
const idleMs = 90_000;

export class ExtensionServer {
  readonly #spec: APIService['spec'];
  readonly #parts: ExtensionServerParts;
  readonly #agent = new Agent({ keepAlive: true, maxFreeSockets: mostIdleConnections, timeout: idleMs });
  #context: SecureContext | undefined;
  /** Why no connection can be tried at all, in the words of client-go's transport. */
  readonly problem: string | undefined;
  /** Of the last connection. */
  flaws: CertificateFlaws = { missingSan: false, sha1: false };

  constructor(spec: APIService['spec'], parts: ExtensionServerParts) {
    this.#spec = spec;
    this.#parts = parts;
    this.problem = bundleProblem(spec);
    // Node hands a connection over when it is there: TLS is done by then, so that requests are written as plain HTTP.
    Object.assign(this.#agent, { createConnection: (_options: object, done: (error: Error | null, socket?: Duplex) => void) => void this.#dial(done) });
  }

  /** Where it is now. Throws in the words of the resolver. */
  async address(): Promise<NetworkAddress> {
    const { namespace = '', name = '', port = 443 } = this.#spec.service ?? {};
    return this.#parts.resolve(namespace, name, port);
  }

  /** The request can be written to at once; `answer` rejects with an OutgoingFailure when there is none. */
  open({ method, path, headers, signal }: BackendRequest): OpenedRequest {
    const sent = request({ agent: this.#agent, host: this.#serverName, method, path, headers: headers as Record<string, string | string[]>, signal });
    const answer = new Promise<BackendAnswer>((resolve, reject) => {
      sent.on('error', (error) => reject(failureOf(error)));
      sent.once('response', (response) => resolve({ response, head: Buffer.alloc(0) }));
      sent.once('upgrade', (response, socket, head) => resolve({ response, socket, head }));
    });
    answer.catch(() => {});
    return { sent, answer };
  }

  /** Without a body. A kept connection that the server closed at the same moment is not its refusal: Go's transport takes another one, too. */
  async ask(asked: BackendRequest): Promise<BackendAnswer> {
    for (;;) {
      const { sent, answer } = this.open(asked);
      sent.end();
      try {
        return await answer;
      } catch (error) {
        if (!(sent.reusedSocket && isReset(error)) || asked.signal.aborted) throw error;
      }
    }
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
      const socket = await dialTls(target, { now: this.#parts.now, context: this.#context });
      this.flaws = flawsOf(socket);
      done(null, socket);
    } catch (error) {
      this.flaws = { missingSan: /relies on legacy Common Name/.test(String(error)), sha1: /insecure algorithm SHA1/.test(String(error)) };
      done(error as Error);
    }
  }
}

function bundleProblem({ caBundle }: APIService['spec']): string | undefined {
  if (!caBundle) return undefined;
  const blocks = pemBlocks(Buffer.from(caBundle, 'base64')).filter(({ type }) => type === 'CERTIFICATE');
  const problems = blocks.map(({ der }) => certificateReadingProblem(der));
  if (problems.includes(undefined)) return undefined;
  return `unable to load root certificates: ${problems[0] === undefined ? 'unable to parse bytes as PEM block' : `failed to parse certificate: ${problems[0]}`}`;
}

function certificateReadingProblem(der: Buffer): string | undefined {
  try {
    parseCertificate(der);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

function flawsOf(socket: TLSSocket): CertificateFlaws {
  const shown = socket.getPeerX509Certificate();
  return { missingSan: shown !== undefined && shown.subjectAltName === undefined, sha1: shown !== undefined && isSignedWithSha1(shown.raw) };
}

function isSignedWithSha1(der: Buffer): boolean {
  try {
    return parseCertificate(der).signed.algorithm?.digest === 'sha1';
  } catch {
    // Nobody has judged it: insecureSkipTLSVerify is set.
    return false;
  }
}

function isReset(error: unknown): boolean {
  return error instanceof OutgoingFailure && (error.cause as { code?: unknown } | undefined)?.code === 'ECONNRESET';
}

function failureOf(error: Error & { readonly code?: unknown }): OutgoingFailure {
  if (error instanceof OutgoingFailure) return error;
  if (error.code === 'ECONNRESET') return new OutgoingFailure('EOF', { cause: error });
  return new OutgoingFailure(error.name === 'AbortError' ? 'context canceled' : error.message, { cause: error });
}
