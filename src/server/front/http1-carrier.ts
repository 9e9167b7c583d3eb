import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex, Readable } from 'node:stream';
import { badRequest } from '#api/api-error.ts';
import { apart } from '#base/memory/short-lived.ts';
import type { Carrier, Connection } from '#server/front/carrier.ts';
import { clientGone } from '#server/front/client-gone.ts';
import type { AnswerHeaders, ResponseStream } from '#server/front/exchange.ts';
import type { ParsedSocket } from '#server/front/parsed-socket.ts';
import { RequestSource } from '#server/front/request-source.ts';
import { throwAwayRest } from '#server/front/throw-away-rest.ts';
import { WritableAnswer } from '#server/front/writable-answer.ts';

/**
 * An answer with no more than this left counts as taken: a TLS socket tells only in its next turn what the kernel has taken of it,
 * and to wait for that would cost every small answer a timer and listeners (test/bench/front.ts).
 */
const sendingBytes = 16 * 1024;

export class Http1Carrier implements Carrier {
  readonly protocol = 'HTTP/1.1';
  readonly upgradeTo = '';
  readonly connection: Connection;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #reading: ParsedSocket | undefined;
  #source: RequestSource | undefined;
  #body: 'wanted' | 'unwanted' = 'wanted';

  /** `reading`: of a connection on which further requests may follow. */
  constructor(request: IncomingMessage, response: ServerResponse, connection: Connection, reading?: ParsedSocket) {
    this.#request = request;
    this.#response = response;
    this.connection = connection;
    this.#reading = reading;
    if (response.socket === null) closeWithConnection(request, response);
  }

  get method(): string {
    return this.#request.method ?? '';
  }

  get target(): string {
    return this.#request.url ?? '/';
  }

  get headers(): IncomingMessage['headers'] {
    return this.#request.headers;
  }

  get rawHeaders(): readonly string[] {
    return this.#request.rawHeaders;
  }

  readBody(limitBytes: number): Promise<Buffer> {
    return this.#open().read(Number(this.headers['content-length'] ?? 0), limitBytes);
  }

  body(): Readable {
    return this.#open().stream();
  }

  #open(): RequestSource {
    if (this.#body === 'unwanted') throw clientGone;
    this.#source = new RequestSource(this.#request);
    return this.#source;
  }

  discardBody(): void {
    this.#source?.discard();
    if (this.#body === 'unwanted' || this.#request.complete || !announcesBody(this.#request)) return;
    this.#body = 'unwanted';
    throwAwayRest(this.#request, this.#response);
  }

  get closed(): boolean {
    return this.#response.destroyed || this.#response.closed;
  }

  onClose(listener: () => void): void {
    this.#response.once('close', listener);
  }

  /** Bytes, because Node writes the head in the encoding of a text that follows it. */
  send(code: number, headers: AnswerHeaders, body: Uint8Array | string | undefined): void {
    this.#writeHead(code, headers);
    if (body === undefined) this.#response.end();
    else this.#response.end(typeof body === 'string' ? Buffer.from(body) : this.#hasToWait() ? apart(body) : body);
    this.#reading?.readAfterAnswer();
  }

  /** Behind the answer to another request, or what a slow client has not taken. TLS encrypts everything else, and so copies it, at once. */
  #hasToWait(): boolean {
    const { socket } = this.#response;
    return socket === null || socket.writableLength > 0;
  }

  open(code: number, headers: AnswerHeaders): ResponseStream {
    this.#writeHead(code, headers);
    this.#response.flushHeaders();
    return new WritableAnswer(this.#response, (trailers) => {
      if (trailers !== undefined) this.#response.addTrailers(trailers as Record<string, string>);
      this.discardBody();
      this.#reading?.readAfterAnswer();
    });
  }

  get taken(): boolean {
    const { socket, writableEnded } = this.#response;
    if (writableEnded && socket !== null && socket.writableLength <= sendingBytes) return true;
    return this.#response.writableFinished || this.closed;
  }

  /** Node closes a response when it is finished. */
  onTaken(listener: () => void): void {
    this.#response.once('close', listener);
  }

  destroy(): void {
    this.#response.destroy();
  }

  upgrade(): Duplex {
    throw badRequest('Upgrade request required');
  }

  #writeHead(code: number, headers: AnswerHeaders): void {
    this.#leaveOutKeepAlive();
    this.#response.writeHead(code, headers as Record<string, string | string[]>);
  }

  /** HTTP/1.1 keeps connections anyway; like the original we say so only when we do not. */
  #leaveOutKeepAlive(): void {
    if (this.#response.shouldKeepAlive && this.#request.httpVersion === '1.1') this.#response.removeHeader('connection');
  }
}

function announcesBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Node forgets an answer that waits behind the answer to another request when their connection goes: no event would tell. */
function closeWithConnection({ socket }: IncomingMessage, response: ServerResponse): void {
  const close = () => {
    if (response.closed) return;
    response.destroy();
    response.emit('close');
  };
  socket.once('close', close);
  response.once('close', () => socket.off('close', close));
}
