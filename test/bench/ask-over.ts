// One request over HTTP/1.1 or HTTP/2, and how long its answer took.
import type { ClientHttp2Session } from 'node:http2';
import { type Agent, request } from 'node:https';
import type { Answer, Ask } from './target.ts';

/** Over any free connection of the agent. */
export function askOverHttp1(agent: Agent, server: URL, { method = 'GET', path, body, headers = {}, discard = false }: Ask): Promise<Answer> {
  const bytes = bytesOf(body);
  const content = bytes && { 'content-type': 'application/json', 'content-length': String(bytes.length) };
  const collected = new CollectedAnswer(discard);
  return new Promise((resolve, reject) => {
    const sent = request(new URL(path, server), { method, agent, headers: { ...content, ...headers } }, (response) => {
      collected.begin(response.statusCode ?? 0);
      response.on('data', (chunk: Buffer) => collected.add(chunk));
      response.on('error', reject);
      response.on('end', () => resolve(collected.whole()));
    });
    sent.on('error', reject).end(bytes);
  });
}

/** As one of many requests of its connection, which is how client-go asks. */
export function askOverHttp2(session: ClientHttp2Session, { method = 'GET', path, body, headers = {}, discard = false }: Ask): Promise<Answer> {
  const bytes = bytesOf(body);
  const content = bytes && { 'content-type': 'application/json' };
  const collected = new CollectedAnswer(discard);
  return new Promise((resolve, reject) => {
    const stream = session.request({ ':method': method, ':path': path, ...content, ...headers }, { endStream: bytes === undefined });
    stream.on('response', (head) => collected.begin(Number(head[':status'])));
    stream.on('data', (chunk: Buffer) => collected.add(chunk));
    stream.on('error', reject);
    stream.on('end', () => resolve(collected.whole()));
    if (bytes !== undefined) stream.end(bytes);
  });
}

/** Bytes as they are, anything else as JSON. */
function bytesOf(body: unknown): Buffer | undefined {
  return body === undefined || Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
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
