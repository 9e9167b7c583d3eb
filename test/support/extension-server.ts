// An extension server for tests: a real HTTPS server whose answers a test chooses, and its registration behind a service.
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ApiUnderTest } from './api-under-test.ts';
import { TestAuthority } from './test-pki.ts';

export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

export interface RegistrationOptions {
  readonly group?: string;
  readonly version?: string;
  readonly groupPriorityMinimum?: number;
  readonly versionPriority?: number;
  readonly insecureSkipTLSVerify?: boolean;
  readonly caBundle?: string;
}

export interface Registration {
  readonly group: string;
  readonly name: string;
}

export const apiServices = '/apis/apiregistration.k8s.io/v1/apiservices';
export const authority = new TestAuthority('extensions');

const groupVersionPath = /^\/apis\/[^/]+\/[^/]+$/;
let registered = 0;
const run = Math.random().toString(36).slice(2, 7);

export class ExtensionServerInTest {
  readonly asked: IncomingMessage[] = [];
  /** By path without the query; without one a group-version has no resources, and anything else is a small object. */
  readonly answers = new Map<string, Answer>();
  onUpgrade: (request: IncomingMessage, socket: Duplex) => void = (_, socket) => socket.destroy();
  #server: Server | undefined;
  /** Those in the middle of their handshake as well, which the server does not close. */
  readonly #sockets = new Set<Duplex>();
  #port = 0;

  get port(): number {
    return this.#port;
  }

  /** On the same port as before. */
  async start(): Promise<void> {
    const serving = authority.issue({ commonName: 'ext' }, { usage: 'server', names: ['ext.default.svc'] });
    this.#server = createServer({ cert: serving.cert, key: serving.key, requestCert: true, rejectUnauthorized: false }, (request, response) => {
      this.asked.push(request);
      const path = request.url?.split('?')[0] ?? '';
      const answer = this.answers.get(path);
      if (answer) return answer(request, response);
      request.resume();
      const kind = groupVersionPath.test(path) ? 'APIResourceList' : 'Answer';
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ kind }));
    });
    this.#server.on('connection', (socket: Duplex) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    this.#server.on('upgrade', (request, socket) => this.onUpgrade(request, socket));
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    const server = this.#server;
    if (server === undefined) return;
    this.#server = undefined;
    const closed = once(server, 'close');
    server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  json(path: string, body: object, headers: Readonly<Record<string, string>> = {}): void {
    this.answers.set(path, (request, response) => {
      const isKnown = headers['etag'] !== undefined && request.headers['if-none-match'] === headers['etag'];
      response.writeHead(isKnown ? 304 : 200, { 'content-type': 'application/json', ...headers }).end(isKnown ? undefined : JSON.stringify(body));
    });
  }

  /** A service that leads here, and an APIService behind it. */
  async register(api: ApiUnderTest, options: RegistrationOptions = {}): Promise<Registration> {
    const { group = `ext${run}${++registered}.example.com`, version = 'v1', ...more } = options;
    const namespace = await api.namespace();
    await api.make(`/api/v1/namespaces/${namespace}/services`, { metadata: { name: 'ext' }, spec: { type: 'ExternalName', externalName: 'localhost' } });
    const service = { namespace, name: 'ext', port: this.#port };
    const spec = {
      group,
      version,
      groupPriorityMinimum: 1000,
      versionPriority: 15,
      service,
      ...(more.caBundle === undefined && { insecureSkipTLSVerify: true }),
      ...more,
    };
    await api.make(apiServices, { metadata: { name: `${version}.${group}` }, spec });
    return { group, name: `${version}.${group}` };
  }
}

/** Asks again until the condition Available has this reason; returns its message. */
export async function untilReason(api: ApiUnderTest, name: string, reason: string): Promise<string> {
  const condition = await until(async () => {
    const { status } = (await api.get(`${apiServices}/${name}`)).body as unknown as { status?: { conditions?: { reason: string; message: string }[] } };
    return status?.conditions?.find((each) => each.reason === reason);
  });
  return condition.message;
}

/** The condition says so, and requests are passed on: in the original one follows the other. */
export async function untilAvailable(api: ApiUnderTest, { group, name }: Registration): Promise<void> {
  await untilReason(api, name, 'Passed');
  await until(async () => (await api.get(`/apis/${group}/${name.split('.')[0]}`)).code !== 503);
}

export async function until<T>(look: () => Promise<T | undefined | false>): Promise<T> {
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
