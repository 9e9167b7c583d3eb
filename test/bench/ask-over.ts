// One request over HTTP/1.1 or HTTP/2, and how long its answer took. Of the clients for HTTP/1.1, undici takes two thirds of the CPU of node:https.
import type { Dispatcher, Pool } from 'undici';
import type { Http2Connection, Request } from './http2-connection.ts';
import type { Answer, Ask } from './target.ts';

/** Over any free connection of the pool. */
export function askOverHttp1(pool: Pool, ask: Ask): Promise<Answer> {
  const { discard = false, method, path, headers, body = null } = requestOf(ask);
  const collected = new CollectedAnswer(discard);
  return new Promise((resolve, reject) => {
    const sent = { method: method as Dispatcher.HttpMethod, path, headers, body };
    pool.dispatch(sent, {
      onRequestStart: () => {},
      onResponseStart: (_, code) => collected.begin(code),
      onResponseData: (_, chunk) => collected.add(chunk),
      onResponseEnd: () => resolve(collected.whole()),
      onResponseError: (_, error) => reject(error),
    });
  });
}

/** As one of many requests of its connection, which is how client-go asks. */
export function askOverHttp2(connection: Http2Connection, ask: Ask): Promise<Answer> {
  const { discard = false, ...sent } = requestOf(ask);
  const collected = new CollectedAnswer(discard);
  return new Promise((resolve, reject) => {
    connection.request(sent, {
      begin: (code) => collected.begin(code),
      data: (piece) => collected.add(piece),
      closed: (problem) => (problem === undefined ? resolve(collected.whole()) : reject(problem)),
    });
  });
}

/** Bytes as they are, any other body as JSON. */
function requestOf({ method = 'GET', path, body, headers = {}, discard }: Ask): Request & Pick<Ask, 'discard'> {
  const content: Request['headers'] = body === undefined ? {} : { 'content-type': 'application/json' };
  const bytes = body === undefined || Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
  return { method, path, headers: { ...content, ...headers }, body: bytes, ...(discard !== undefined && { discard }) };
}

class CollectedAnswer {
  readonly #start = performance.now();
  readonly #discard: boolean;
  readonly #chunks: Buffer[] = [];
  #code = 0;
  #bytes = 0;
  #firstByteMs = 0;

  constructor(discard: boolean) {
    this.#discard = discard;
  }

  begin(code: number): void {
    this.#code = code;
    this.#firstByteMs = performance.now() - this.#start;
  }

  add(chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (!this.#discard) this.#chunks.push(chunk);
  }

  whole(): Answer {
    return {
      code: this.#code,
      bytes: this.#bytes,
      body: Buffer.concat(this.#chunks),
      firstByteMs: this.#firstByteMs,
      wholeMs: performance.now() - this.#start,
    };
  }
}
