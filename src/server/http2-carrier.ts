import { constants, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import type { Readable, Writable } from 'node:stream';
import type { AnswerHeaders, Carrier, Connection } from '#server/carrier.ts';

export class Http2Carrier implements Carrier {
  readonly protocol = 'HTTP/2.0';
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
  readonly connection: Connection;
  readonly #stream: ServerHttp2Stream;

  constructor(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, rawHeaders: readonly string[], connection: Connection) {
    this.#stream = stream;
    this.headers = headers;
    this.rawHeaders = rawHeaders;
    this.connection = connection;
    stream.on('error', ignore);
  }

  get method(): string {
    return this.headers[':method'] ?? '';
  }

  get target(): string {
    return this.headers[':path'] ?? '/';
  }

  get input(): Readable {
    return this.#stream;
  }

  get closed(): boolean {
    return this.#stream.destroyed || this.#stream.closed;
  }

  onClose(listener: () => void): void {
    this.#stream.once('close', listener);
  }

  send(code: number, headers: AnswerHeaders, body: Uint8Array | string | undefined): void {
    const stream = this.#stream;
    if (this.closed) return;
    stream.respond({ ':status': code, ...this.#allowed(headers) }, { endStream: body === undefined });
    if (body !== undefined) stream.end(body);
    this.#discardInput();
  }

  open(code: number, headers: AnswerHeaders): Writable {
    const stream = this.#stream;
    if (!this.closed) stream.respond({ ':status': code, ...this.#allowed(headers) });
    this.#discardInput();
    return stream;
  }

  destroy(): void {
    this.#stream.close(constants.NGHTTP2_INTERNAL_ERROR);
  }

  /** HTTP/2 has no `Connection: close`: it says goodbye, and the connection ends with its last stream. */
  #allowed(headers: AnswerHeaders): AnswerHeaders {
    if (headers['connection'] === undefined) return headers;
    const { connection, ...others } = headers;
    if (connection === 'close') this.#stream.session?.close();
    return others;
  }

  /** What the handler did not read must not hold up the stream. */
  #discardInput(): void {
    if (!this.#stream.readableEnded && !this.#stream.readableFlowing) this.#stream.resume();
  }
}

/** A broken stream shows in `closed`; there is nobody to tell. */
function ignore(): void {}
