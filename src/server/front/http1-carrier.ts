import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AnswerHeaders, Carrier, Connection } from '#server/front/carrier.ts';
import type { ResponseStream } from '#server/front/exchange.ts';
import { readLimited } from '#server/front/read-limited.ts';
import { WritableAnswer } from '#server/front/writable-answer.ts';

export class Http1Carrier implements Carrier {
  readonly protocol = 'HTTP/1.1';
  readonly connection: Connection;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;

  constructor(request: IncomingMessage, response: ServerResponse, connection: Connection) {
    this.#request = request;
    this.#response = response;
    this.connection = connection;
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
    return readLimited(this.#request, Number(this.headers['content-length'] ?? 0), limitBytes);
  }

  get closed(): boolean {
    return this.#response.destroyed || this.#response.closed;
  }

  onClose(listener: () => void): void {
    this.#response.once('close', listener);
  }

  /** Bytes, because Node writes the head in the encoding of a text that follows it. */
  send(code: number, headers: AnswerHeaders, body: Uint8Array | string | undefined): void {
    this.#leaveOutKeepAlive();
    this.#response.writeHead(code, headers);
    if (body === undefined) this.#response.end();
    else this.#response.end(typeof body === 'string' ? Buffer.from(body) : body);
  }

  open(code: number, headers: AnswerHeaders): ResponseStream {
    this.#leaveOutKeepAlive();
    this.#response.writeHead(code, headers);
    this.#response.flushHeaders();
    return new WritableAnswer(this.#response);
  }

  destroy(): void {
    this.#response.destroy();
  }

  /** HTTP/1.1 keeps connections anyway; like the original we say so only when we do not. */
  #leaveOutKeepAlive(): void {
    if (this.#response.shouldKeepAlive && this.#request.httpVersion === '1.1') this.#response.removeHeader('connection');
  }
}
