// The smallest proxy that uses all of an exchange that streams: it passes requests on to a local HTTP server, upgrades included.
import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { type Duplex, pipeline } from 'node:stream';
import type { ConnectExchange } from '#verbs/connect-exchange.ts';

/** They speak of one connection, and there are two. */
const hopByHop = new Set(['connection', 'keep-alive', 'proxy-connection', 'transfer-encoding', 'te', 'upgrade', 'trailer']);

export function reverseProxy(port: number): (exchange: ConnectExchange) => Promise<void> {
  return async (exchange) => {
    const { method, path, search, signal, upgradeTo } = exchange;
    const change = upgradeTo === '' ? {} : { connection: 'upgrade', upgrade: upgradeTo };
    const headers = { ...ownHeaders(exchange.headers), ...change };
    const upstream = request({ host: '127.0.0.1', port, method, path: search === '' ? path : `${path}?${search}`, headers, signal });
    const answered = answerOf(upstream);
    if (upgradeTo === '') pipeline(exchange.body(), upstream, () => {});
    else upstream.end();
    const { response, socket, head } = await answered;
    if (socket === undefined) await passAnswer(response, exchange);
    else await join(exchange.upgrade({ connection: 'Upgrade', upgrade: upgradeTo, ...ownHeaders(response.headers) }), socket, head);
  };
}

interface Answered {
  readonly response: IncomingMessage;
  readonly socket?: Duplex;
  readonly head: Buffer;
}

function answerOf(upstream: ClientRequest): Promise<Answered> {
  return new Promise((resolve, reject) => {
    upstream.on('error', reject);
    upstream.once('response', (response: IncomingMessage) => resolve({ response, head: Buffer.alloc(0) }));
    upstream.once('upgrade', (response: IncomingMessage, socket: Duplex, head: Buffer) => resolve({ response, socket, head }));
  });
}

async function passAnswer(response: IncomingMessage, exchange: ConnectExchange): Promise<void> {
  const { 'content-type': contentType = '', ...headers } = ownHeaders(response.headers) as Record<string, string | string[]>;
  for (const [name, value] of Object.entries(headers)) exchange.setHeader(name, value);
  const answer = exchange.stream(response.statusCode ?? 502, String(contentType));
  for await (const chunk of response) await answer.write(chunk as Buffer);
  answer.end(Object.keys(response.trailers).length === 0 ? undefined : (response.trailers as Record<string, string>));
}

/** Each side may end alone; one that breaks takes the other with it. */
async function join(client: Duplex, backend: Duplex, head: Buffer): Promise<void> {
  if (head.length > 0) client.write(head);
  client.pipe(backend).pipe(client);
  client.on('error', () => {}).once('close', () => backend.destroy());
  backend.on('error', () => {}).once('close', () => client.end());
  if (!client.destroyed) await once(client, 'close').catch(() => {});
}

function ownHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string | string[]> {
  const own = Object.entries(headers).filter(([name, value]) => value !== undefined && !name.startsWith(':') && !hopByHop.has(name));
  return Object.fromEntries(own) as Record<string, string | string[]>;
}
