import type { Duplex, Readable } from 'node:stream';
import { badRequest, tooLarge } from '#api/api-error.ts';
import type { Carrier, Connection } from '#server/front/carrier.ts';
import { type AnswerHeaders, deafAnswer, type ResponseStream } from '#server/front/exchange.ts';
import type { Http2Stream } from '#server/http2/stream.ts';

export class Http2Carrier implements Carrier {
  readonly protocol = 'HTTP/2.0';
  readonly upgradeTo = '';
  readonly connection: Connection;
  readonly #stream: Http2Stream;

  constructor(stream: Http2Stream, connection: Connection) {
    this.#stream = stream;
    this.connection = connection;
  }

  get method(): string {
    return this.#stream.head.method;
  }

  get target(): string {
    return this.#stream.head.target;
  }

  get headers(): Carrier['headers'] {
    return this.#stream.head.headers;
  }

  get rawHeaders(): readonly string[] {
    return this.#stream.head.rawHeaders;
  }

  readBody(limitBytes: number): Promise<Buffer> {
    const { contentLength = 0 } = this.#stream.head;
    if (contentLength > limitBytes) return Promise.reject(tooLarge(`limit is ${limitBytes}`));
    this.#letCome();
    return this.#stream.body.read(limitBytes);
  }

  body(): Readable {
    this.#letCome();
    return this.#stream.body.stream();
  }

  #letCome(): void {
    if (this.#stream.head.headers['expect'] === '100-continue') this.#stream.respond(100, {}, false);
  }

  discardBody(): void {
    this.#stream.body.discard();
  }

  get closed(): boolean {
    return this.#stream.closed;
  }

  onClose(listener: () => void): void {
    this.#stream.onClose(listener);
  }

  send(code: number, headers: AnswerHeaders, body: Uint8Array | string | undefined): void {
    if (this.closed) return;
    this.#stream.respond(code, this.#allowed(headers), body === undefined);
    if (body === undefined) return;
    void this.#stream.write(body);
    this.#stream.end();
  }

  open(code: number, headers: AnswerHeaders): ResponseStream {
    if (this.closed) return deafAnswer;
    const hasNoBody = this.method === 'HEAD' || code === 204 || code === 304;
    this.#stream.respond(code, this.#allowed(headers), hasNoBody);
    return hasNoBody ? deafAnswer : this.#stream;
  }

  get taken(): boolean {
    return this.#stream.taken;
  }

  onTaken(listener: () => void): void {
    this.#stream.onTaken(listener);
  }

  destroy(): void {
    this.#stream.reset();
  }

  upgrade(): Duplex {
    throw badRequest('Upgrade request required');
  }

  /** HTTP/2 has no `Connection: close`: it says goodbye, and the connection ends with its last stream. */
  #allowed(headers: AnswerHeaders): AnswerHeaders {
    if (headers['connection'] === undefined) return headers;
    const { connection, ...others } = headers;
    if (connection === 'close') this.#stream.closeConnection();
    return others;
  }
}
