// A request that asks for another protocol. It passes the whole pipeline like any other; then a handler takes the connection over
// (`upgrade`), a watch becomes a WebSocket with one message for each event, and every other request gets the answer that it would
// have got without asking, as in the original.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type Duplex, Readable, type Writable } from 'node:stream';
import type { Carrier, Connection } from '#server/front/carrier.ts';
import type { AnswerHeaders, ResponseStream, StreamKind } from '#server/front/exchange.ts';
import { Http1Carrier } from '#server/front/http1-carrier.ts';
import { RequestSource } from '#server/front/request-source.ts';
import type { EventFormat } from '#server/answer/split-events.ts';
import { openEventSocket } from '#server/front/event-socket.ts';
import { WritableAnswer } from '#server/front/writable-answer.ts';

export interface UpgradeRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly socket: Socket;
  /** What came after the head of the request. */
  readonly head: Buffer;
  readonly connection: Connection;
}

/** How long a client has to hang up after an answer that changed nothing; as Go's server waits. */
const lingerMs = 500;

export class UpgradeCarrier implements Carrier {
  readonly protocol = 'HTTP/1.1';
  readonly method: string;
  readonly target: string;
  readonly headers: IncomingMessage['headers'];
  readonly rawHeaders: readonly string[];
  readonly upgradeTo: string;
  readonly connection: Connection;
  readonly #upgrade: UpgradeRequest;
  readonly #plain: Http1Carrier;
  #source: RequestSource | undefined;
  #state: 'asking' | 'upgraded' = 'asking';

  constructor(upgrade: UpgradeRequest) {
    const { request, response, connection, socket } = upgrade;
    this.method = request.method ?? '';
    this.target = request.url ?? '/';
    this.headers = request.headers;
    this.rawHeaders = request.rawHeaders;
    this.upgradeTo = request.headers.upgrade?.toLowerCase() ?? '';
    this.connection = connection;
    this.#upgrade = upgrade;
    this.#plain = new Http1Carrier(request, response, connection);
    // Node has let go of this connection: it reads no other request from it.
    response.shouldKeepAlive = false;
    response.once('finish', () => hangUp(socket));
  }

  readBody(limitBytes: number): Promise<Buffer> {
    return this.#body().read(this.#announced, limitBytes);
  }

  body(): Readable {
    return this.#body().stream();
  }

  #body(): RequestSource {
    const { socket, head } = this.#upgrade;
    this.#source = new RequestSource(bodyOf(socket, head, this.#announced));
    return this.#source;
  }

  get #announced(): number {
    return Number(this.headers['content-length'] ?? 0);
  }

  discardBody(): void {
    this.#source?.discard();
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
    if (kind !== 'events' || this.upgradeTo !== 'websocket') return this.#plain.open(code, headers);
    const type = String(headers['content-type']);
    const format = type.includes('protobuf') ? 'protobuf' : type.includes('cbor') ? 'cbor' : 'json';
    return new WritableAnswer(this.#openEvents(format));
  }

  #openEvents(format: EventFormat): Writable {
    const { request, head } = this.#upgrade;
    return openEventSocket({ request, head, socket: this.#release() }, format);
  }

  get taken(): boolean {
    return this.#state === 'asking' ? this.#plain.taken : this.closed;
  }

  onTaken(listener: () => void): void {
    if (this.#state === 'asking') this.#plain.onTaken(listener);
    this.onClose(listener);
  }

  destroy(): void {
    this.#upgrade.socket.destroy();
  }

  upgrade(headers: AnswerHeaders | undefined): Duplex {
    const socket = this.#release();
    if (this.#upgrade.head.length > 0 && this.#source === undefined) socket.unshift(this.#upgrade.head);
    if (headers !== undefined) socket.write(`HTTP/1.1 101 Switching Protocols\r\n${linesOf(headers)}\r\n`, 'latin1');
    return socket;
  }

  /** From here on the socket belongs to its taker; each side may end alone. */
  #release(): Socket {
    const { response, socket } = this.#upgrade;
    this.#state = 'upgraded';
    response.detachSocket(socket);
    socket.allowHalfOpen = true;
    return socket;
  }
}

function linesOf(headers: AnswerHeaders): string {
  return Object.entries(headers)
    .flatMap(([name, values]) => [values].flat().map((value) => `${name}: ${value}\r\n`))
    .join('');
}

/** Reads on, because a connection that is closed with unread bytes takes the answer with it. */
function hangUp(socket: Socket): void {
  const timer = setTimeout(() => socket.destroy(), lingerMs).unref();
  socket.once('close', () => clearTimeout(timer));
  socket.end();
  socket.resume();
}

/** Node's parser stops at the head of a request that asks for an upgrade: its body stands before whatever the other protocol sends. */
function bodyOf(socket: Socket, head: Buffer, length: number): Readable {
  let left = length;
  let isWanted = false;
  const pull = () => {
    while (left > 0 && isWanted) {
      const chunk = socket.read() as Buffer | null;
      if (chunk === null) break;
      const piece = chunk.subarray(0, left);
      left -= piece.length;
      if (piece.length < chunk.length) socket.unshift(chunk.subarray(piece.length));
      isWanted = body.push(piece);
    }
    if (left === 0) body.push(null);
    else if (socket.destroyed || socket.readableEnded) body.destroy();
  };
  const body = new Readable({
    read: () => {
      isWanted = true;
      pull();
    },
    destroy: (cause, done) => {
      socket.off('readable', pull).off('close', pull).off('end', pull);
      done(cause);
    },
  });
  if (head.length > 0) socket.unshift(head);
  socket.on('readable', pull).on('close', pull).on('end', pull);
  return body;
}
