// One API server for all tests of a file: ours in this process, or with REFERENCE_SERVER=https://127.0.0.1:PORT a real kube-apiserver, which must do the same.
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { Agent, request } from 'node:https';
import { createInterface } from 'node:readline';
import type { Duplex } from 'node:stream';
import { afterAll, beforeAll } from 'vitest';
import { ServerInTest } from './server-in-test.ts';

export interface ApiObject {
  kind: string;
  apiVersion: string;
  metadata: {
    name: string;
    namespace: string;
    uid: string;
    resourceVersion: string;
    generation?: number;
    creationTimestamp: string;
    deletionTimestamp?: string;
    deletionGracePeriodSeconds?: number;
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
    finalizers?: string[];
    managedFields?: { manager: string; operation: string; subresource?: string; fieldsV1: object }[];
    continue?: string;
    remainingItemCount?: number;
  };
  data?: Record<string, string>;
  spec: { template: { spec: { containers: { name: string; image: string }[] } } };
  status: unknown;
  message: string;
  reason: string;
  details: { causes: { field: string }[] };
  items: { metadata: { name: string; namespace: string } }[];
  columnDefinitions: object[] | null;
  rows: { cells: unknown[]; object: object }[];
}

export interface ApiAnswer {
  readonly code: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  readonly body: ApiObject;
}

export interface Options {
  readonly type?: string;
  readonly accept?: string;
  /** Impersonated by the administrator. */
  readonly as?: string;
  readonly groups?: readonly string[];
}

export interface WatchEvent {
  readonly type: string;
  readonly object: ApiObject;
}

export interface OpenWatch {
  readonly code: number;
  /** The next events; fails when the watch ends before. */
  next(count: number): Promise<WatchEvent[]>;
  /** Everything until the server ends the watch. */
  rest(): Promise<WatchEvent[]>;
  close(): void;
}

/** Some mistakes of clients are 500 upstream. */
export const mistake = process.env['REFERENCE_SERVER'] ? 500 : 400;

export const mergePatch: Options = { type: 'application/merge-patch+json' };
export const jsonPatch: Options = { type: 'application/json-patch+json' };
export const strategicPatch: Options = { type: 'application/strategic-merge-patch+json' };
export const applyPatch: Options = { type: 'application/apply-patch+yaml' };

export class ApiUnderTest {
  #base = new URL(process.env['REFERENCE_SERVER'] ?? 'https://127.0.0.1');
  #token = 'admin-token';
  #server: ServerInTest | undefined;
  readonly #agent = new Agent({ keepAlive: true, rejectUnauthorized: false });
  #namespaces = 0;
  readonly #run = Math.random().toString(36).slice(2, 8);

  async start(flags: readonly string[]): Promise<void> {
    if (process.env['REFERENCE_SERVER']) return;
    this.#server = await ServerInTest.start({ flags });
    this.#token = this.#server.tokenOf('admin');
    this.#base = new URL(`https://127.0.0.1:${this.#server.server.port}`);
  }

  async stop(): Promise<void> {
    this.#agent.destroy();
    await this.#server?.[Symbol.asyncDispose]();
  }

  /** A namespace of its own for a test, as the path of its core resources. */
  async namespace(): Promise<string> {
    const name = `t-${this.#run}-${++this.#namespaces}`;
    await this.make('/api/v1/namespaces', { metadata: { name } });
    return name;
  }

  async ask(
    method: string,
    path: string,
    body?: unknown,
    { type = 'application/json', accept = 'application/json', as, groups = [] }: Options = {},
  ): Promise<ApiAnswer> {
    const who = as === undefined ? {} : { 'impersonate-user': as, ...(groups.length > 0 && { 'impersonate-group': groups }) };
    const response = await this.#send(method, path, body, { 'content-type': type, accept, ...who });
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    return { code: response.statusCode ?? 0, headers: response.headers, text, body: (text.startsWith('{') ? JSON.parse(text) : {}) as ApiObject };
  }

  get url(): string {
    return this.#base.origin;
  }

  get token(): string {
    return this.#token;
  }

  /** With these headers and nothing added but who asks. Rejects when the answer is cut short. */
  async raw(
    method: string,
    path: string,
    headers: OutgoingHttpHeaders = {},
  ): Promise<{ code: number; headers: IncomingMessage['headers']; text: string; trailers: NodeJS.Dict<string> }> {
    const response = await this.#send(method, path, undefined, headers);
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    return { code: response.statusCode ?? 0, headers: response.headers, text: Buffer.concat(chunks).toString(), trailers: response.trailers };
  }

  /** Asks for another protocol; the answer may be a refusal. */
  upgrade(path: string, headers: OutgoingHttpHeaders): Promise<{ head: IncomingMessage; socket: Duplex }> {
    return new Promise((resolve, reject) => {
      const sent = request(new URL(path, this.#base), { headers: { authorization: `Bearer ${this.#token}`, ...headers }, rejectUnauthorized: false });
      sent.once('upgrade', (head, socket) => resolve({ head, socket }));
      sent.once('response', (head) => resolve({ head, socket: head.socket }));
      sent.once('error', reject);
      sent.end();
    });
  }

  get(path: string, options?: Options): Promise<ApiAnswer> {
    return this.ask('GET', path, undefined, options);
  }

  /** POST that must succeed. */
  async make(path: string, object: object): Promise<ApiObject> {
    const { code, text, body } = await this.ask('POST', path, object);
    if (code !== 201) throw new Error(`POST ${path}: ${code} ${text}`);
    return body;
  }

  async watch(path: string, options: Options = {}): Promise<OpenWatch> {
    const response = await this.#send('GET', path, undefined, { accept: options.accept ?? 'application/json' });
    response.on('error', () => {});
    const lines = createInterface(response)[Symbol.asyncIterator]();
    const one = async (): Promise<WatchEvent | undefined> => {
      const line = await lines.next();
      return line.done ? undefined : (JSON.parse(line.value) as WatchEvent);
    };
    return {
      code: response.statusCode ?? 0,
      async next(count) {
        const events: WatchEvent[] = [];
        while (events.length < count) {
          const event = await one();
          if (event === undefined) throw new Error(`the watch ended after ${events.length} of ${count} events`);
          events.push(event);
        }
        return events;
      },
      async rest() {
        const events: WatchEvent[] = [];
        for (let event = await one(); event !== undefined; event = await one()) events.push(event);
        return events;
      },
      close: () => response.destroy(),
    };
  }

  #send(method: string, path: string, body: unknown, asked: OutgoingHttpHeaders): Promise<IncomingMessage> {
    const sentBody = body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
    const { 'content-type': type, ...others } = asked;
    const headers = {
      authorization: `Bearer ${this.#token}`,
      ...others,
      ...(sentBody !== undefined && { 'content-type': type, 'content-length': String(Buffer.byteLength(sentBody)) }),
    };
    return new Promise((resolve, reject) => {
      const sent = request(new URL(path, this.#base), { method, headers, agent: this.#agent }, resolve);
      sent.once('error', reject);
      sent.end(sentBody);
    });
  }
}

/** Started before the first test of the file and stopped after the last. */
export function apiUnderTest(...flags: readonly string[]): ApiUnderTest {
  const api = new ApiUnderTest();
  beforeAll(() => api.start(flags));
  afterAll(() => api.stop());
  return api;
}
