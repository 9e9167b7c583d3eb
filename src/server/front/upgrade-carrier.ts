// A request that asks for another protocol. Watches can be had over WebSocket, one message for each event; every other request
// gets the answer that it would have got without asking, as in the original.
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Readable, Writable } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { AnswerHeaders, Carrier, Connection } from '#server/front/carrier.ts';
import type { ResponseStream, StreamKind } from '#server/front/exchange.ts';
import { Http1Carrier } from '#server/front/http1-carrier.ts';
import { readLimited } from '#server/front/read-limited.ts';
import { splitEvents } from '#server/answer/split-events.ts';
import { WritableAnswer } from '#server/front/writable-answer.ts';

export interface UpgradeRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly socket: Socket;
  /** What came after the head of the request. */
  readonly head: Buffer;
  readonly connection: Connection;
}

export class UpgradeCarrier implements Carrier {
  readonly protocol = 'HTTP/1.1';
  readonly method: string;
  readonly target: string;
  readonly headers: IncomingMessage['headers'];
  readonly rawHeaders: readonly string[];
  readonly connection: Connection;
  readonly #upgrade: UpgradeRequest;
  readonly #plain: Http1Carrier;

  constructor(upgrade: UpgradeRequest) {
    const { request, response, connection, socket } = upgrade;
    this.method = request.method ?? '';
    this.target = request.url ?? '/';
    this.headers = request.headers;
    this.rawHeaders = request.rawHeaders;
    this.connection = connection;
    this.#upgrade = upgrade;
    this.#plain = new Http1Carrier(request, response, connection);
    // Node has let go of this connection: nobody would read another request from it.
    response.shouldKeepAlive = false;
    response.once('finish', () => socket.end());
  }

  readBody(limitBytes: number): Promise<Buffer> {
    const { request, socket, head } = this.#upgrade;
    const length = Number(request.headers['content-length'] ?? 0);
    return readLimited(Readable.from(bodyOf(socket, head, length)), length, limitBytes);
  }

  get closed(): boolean {
    return this.#upgrade.socket.destroyed;
  }

  onClose(listener: () => void): void {
    this.#upgrade.socket.once('close', listener);
  }

  send(code: number, headers: AnswerHeaders, body: Uint8Array | string | undefined): void {
    this.#plain.send(code, headers, body);
  }

  open(code: number, headers: AnswerHeaders, kind: StreamKind): ResponseStream {
    if (kind !== 'events' || !isWebSocket(this.#upgrade.request)) return this.#plain.open(code, headers);
    const format = String(headers['content-type']).includes('protobuf') ? 'protobuf' : 'json';
    return new WritableAnswer(this.#openWebSocket(format));
  }

  #openWebSocket(format: 'json' | 'protobuf'): Writable {
    const { request, response, socket, head } = this.#upgrade;
    response.detachSocket(socket);
    const refusal = refusalOf(request);
    if (refusal !== undefined) return refuse(socket, refusal);
    let events: Writable = nowhere();
    handshaker.handleUpgrade(request, socket, head, (client) => (events = eventsTo(client, format)));
    return events;
  }

  destroy(): void {
    this.#upgrade.socket.destroy();
  }
}

function isWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket';
}

/** Never listens: it only shakes hands. Nobody has to send us anything. */
const handshaker = new WebSocketServer({
  noServer: true,
  clientTracking: false,
  perMessageDeflate: false,
  maxPayload: 64 * 1024,
  handleProtocols: (offered) => [...offered].find(isNoSecret) ?? false,
});

/** Browsers hide their token among the protocols: it must not come back. */
function isNoSecret(protocol: string): boolean {
  return !protocol.startsWith('base64url.bearer.authorization.k8s.io.');
}

/** What the original answers to a handshake that it does not like: a bare line. */
function refusalOf({ headers }: IncomingMessage): string | undefined {
  if (headers['sec-websocket-version'] !== '13') return '400 Bad Request\r\nSec-WebSocket-Version: 13';
  if (headers.origin !== undefined && headers.origin !== '' && !isAddress(headers.origin)) return '403 Forbidden';
  const protocols = (headers['sec-websocket-protocol'] ?? '').split(',').filter((protocol) => isNoSecret(protocol.trim()));
  return protocols.length > 1 ? '400 Bad Request' : undefined;
}

function isAddress(origin: string): boolean {
  return origin.startsWith('/') || URL.canParse(origin);
}

function refuse(socket: Socket, line: string): Writable {
  socket.end(`HTTP/1.1 ${line}\r\n\r\n`);
  return nowhere();
}

function nowhere(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() });
}

function eventsTo(client: WebSocket, format: 'json' | 'protobuf'): Writable {
  client.on('error', () => {});
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      const messages = splitEvents(chunk, format);
      for (const [i, message] of messages.entries()) {
        // Whoever is lost is noticed by the exchange: nothing here is an error.
        const sent = i === messages.length - 1 ? () => done() : undefined;
        client.send(message, { binary: format === 'protobuf' }, sent);
      }
    },
    final(done) {
      client.close(1000);
      done();
    },
  });
}

/** Node's parser stops at the head of a request that asks for an upgrade. */
async function* bodyOf(socket: Socket, head: Buffer, length: number): AsyncGenerator<Buffer> {
  for (let left = length, chunk: Buffer | null = head; left > 0; chunk = socket.read() as Buffer | null) {
    if (chunk === null) {
      if (socket.destroyed || socket.readableEnded) return;
      await once(socket, 'readable');
      continue;
    }
    yield chunk.subarray(0, left);
    left -= chunk.length;
  }
}
