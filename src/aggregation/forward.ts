// Passes a request on to an extension server and its answer back: bodies as they come, upgrades as two joined connections, redirects never.
import { once } from 'node:events';
import { type Duplex, pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { BackendAnswer, BackendRequest, CertificateFlaws, ExtensionServer } from '#aggregation/extension-server.ts';
import { answeredHeaders, escapedPath, forwardedHeaders, rewrittenTarget } from '#aggregation/forwarded-head.ts';
import { OutgoingFailure } from '#base/outgoing/outgoing-failure.ts';
import type { NetworkAddress } from '#base/outgoing/target.ts';
import type { Exchange } from '#server/front/exchange.ts';

const plainText = 'text/plain; charset=utf-8';

export interface ForwardOptions {
  /** Of --aggregator-reject-forwarding-redirect. */
  readonly refuseRedirects: boolean;
  /** Told for every request that was passed on. */
  readonly onCertificate?: (flaws: CertificateFlaws) => void;
  /** Sent with the request, besides those of the client. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The code of the answer, ours where none came. */
  readonly onAnswer?: (code: number) => void;
  /** No answer came: the server may be gone. */
  readonly onUnreachable?: (server: ExtensionServer) => void;
}

export async function forward(exchange: Exchange, server: ExtensionServer, options: ForwardOptions): Promise<void> {
  if (server.problem !== undefined) return plainError(exchange, 500, server.problem);
  const address = await addressOf(server);
  if (address === undefined) return unavailable(exchange);
  const asked = rewrittenTarget(exchange.info.path, exchange.query);
  const headers = forwardedHeaders(exchange, address, escapedPath(exchange.info.path));
  const { upgradeTo, method, signal } = exchange;
  // Go's transport asks for compressed answers on its own, and unpacks them.
  const unpacks = upgradeTo === '' && method !== 'HEAD' && headers['accept-encoding'] === undefined && headers['range'] === undefined;
  const more = upgradeTo === '' ? (unpacks ? { 'accept-encoding': 'gzip' } : {}) : { connection: 'Upgrade', upgrade: upgradeTo, ...noBody(headers) };
  const answered = await sendOn(exchange, server, { method, path: asked, headers: { ...headers, ...more, ...options.headers }, signal }).catch(
    (error: unknown) => {
      if (!signal.aborted) options.onUnreachable?.(server);
      options.onAnswer?.(503);
      return unreachable(exchange, error);
    },
  );
  options.onCertificate?.(server.flaws);
  if (answered === undefined) return;
  options.onAnswer?.(answered.response.statusCode ?? 502);
  if (answered.socket) return join(exchange, answered.response.headers, answered.socket, answered.head);
  if (options.refuseRedirects && isRedirect(answered)) return refuseRedirect(exchange, answered);
  return passAnswer(exchange, answered, unpacks);
}

function sendOn(exchange: Exchange, server: ExtensionServer, asked: BackendRequest): Promise<BackendAnswer> {
  if (exchange.upgradeTo === '' && !hasBody(exchange)) return server.ask(asked);
  const { sent, answer } = server.open(exchange.upgradeTo === '' ? { ...asked, headers: framed(asked.headers) } : asked);
  if (exchange.upgradeTo === '') pipeline(exchange.body(), sent, () => {});
  else sent.end();
  return answer;
}

/** Node sends the body of a DELETE or GET as it is unless a header says where it ends: the extension server would read it as the next request. */
function framed(headers: BackendRequest['headers']): BackendRequest['headers'] {
  return headers['content-length'] === undefined ? { ...headers, 'transfer-encoding': 'chunked' } : headers;
}

/** No body goes with an upgrade: a length without its bytes would make the head of the next request on that connection part of this one. */
function noBody(headers: ReturnType<typeof forwardedHeaders>): Readonly<Record<string, string>> {
  return headers['content-length'] === undefined ? {} : { 'content-length': '0' };
}

export function unavailable(exchange: Exchange, text = 'service unavailable'): void {
  plainError(exchange, 503, text);
}

/** As Go's http.Error answers. */
function plainError(exchange: Exchange, code: number, text: string): void {
  exchange.setHeader('x-content-type-options', 'nosniff');
  exchange.send(code, plainText, `${text}\n`);
}

/** What the resolver says is for the log of the original, not for clients. */
async function addressOf(server: ExtensionServer): Promise<NetworkAddress | undefined> {
  try {
    return await server.address();
  } catch {
    return undefined;
  }
}

function hasBody({ headers, method }: Exchange): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined || !['GET', 'HEAD', 'DELETE'].includes(method);
}

function unreachable(exchange: Exchange, error: unknown): undefined {
  if (!(error instanceof OutgoingFailure)) throw error;
  if (!exchange.answered) unavailable(exchange, `error trying to reach service: ${error.message}`);
}

function isRedirect({ response: { statusCode = 0, headers } }: BackendAnswer): boolean {
  return statusCode >= 300 && statusCode <= 399 && headers.location !== undefined;
}

/** A client that followed it would take its credentials along (CVE-2022-3172). */
function refuseRedirect(exchange: Exchange, { response }: BackendAnswer): void {
  response.destroy();
  exchange.setHeader('x-content-type-options', 'nosniff');
  exchange.send(502, plainText, 'the backend attempted to redirect this request, which is not permitted');
}

async function passAnswer(exchange: Exchange, { response }: BackendAnswer, unpacks: boolean): Promise<void> {
  const packed = unpacks && response.headers['content-encoding'] === 'gzip';
  const { 'content-type': type = '', 'content-length': _length, 'audit-id': _auditId, date: _date, ...headers } = answeredHeaders(response.headers);
  for (const [name, value] of Object.entries(headers)) if (!packed || name !== 'content-encoding') exchange.setHeader(name, value);
  const code = response.statusCode ?? 502;
  if (exchange.method === 'HEAD' || code === 204 || code === 304) {
    response.resume();
    return exchange.send(code, String(type), '');
  }
  const answer = exchange.stream(code, String(type));
  const body: Readable = packed ? pipeline(response, createGunzip(), () => {}) : response;
  for await (const chunk of body) await answer.write(chunk as Buffer);
  answer.end(Object.keys(response.trailers).length === 0 ? undefined : (response.trailers as Record<string, string>));
}

/** Each side may end alone; one that breaks takes the other with it. */
async function join(exchange: Exchange, headers: BackendAnswer['response']['headers'], backend: Duplex, head: Buffer): Promise<void> {
  const client = exchange.upgrade({ connection: 'Upgrade', upgrade: String(headers.upgrade ?? exchange.upgradeTo), ...answeredHeaders(headers) });
  if (head.length > 0) client.write(head);
  client.pipe(backend).pipe(client);
  client.on('error', () => {}).once('close', () => backend.destroy());
  backend.on('error', () => {}).once('close', () => client.end());
  if (!client.destroyed) await once(client, 'close').catch(() => {});
}
