// Requests that clients give up, of every kind and over every carrier, and what a server still holds when all of them are gone.
import { type EventEmitter, once } from 'node:events';
import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2';
import { connect as connectTls, TLSSocket } from 'node:tls';
import { queryObjects } from 'node:v8';
import { WebSocket } from 'ws';
import { nextTurn } from '#base/next-turn.ts';
import { silentLog } from '#base/log.ts';
import { Watcher } from '#cache/watcher.ts';
import { CarriedExchange } from '#server/front/carried-exchange.ts';
import type { Handler } from '#server/front/exchange.ts';
import { listen, type Listener } from '#server/front/listen.ts';
import { Http2Stream } from '#server/http2/stream.ts';
import { ServerInTest } from './server-in-test.ts';
import { customObjects, largeAnswer, reviewed, unanswered, WaitingServers } from './waiting-servers.ts';

const reviews = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
const configMaps = '/api/v1/namespaces/default/configmaps';
const initial = 'watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
const watch = `${configMaps}?${initial}`;
/** Of them a list is larger than the buffers of sockets. */
const largeObjects = 10;

/** One server with a few large objects, whose handlers are counted, and the clients that will give up. */
export class Abandoned implements AsyncDisposable {
  readonly #server: ServerInTest;
  readonly #listener: Listener;
  readonly others: WaitingServers;
  readonly #sockets = new Set<TLSSocket>();
  #session: ClientHttp2Session | undefined;
  /** Handlers that have begun and not ended. */
  handlers = { running: 0 };

  private constructor(server: ServerInTest, others: WaitingServers, listener: Listener, handlers: { running: number }) {
    this.#server = server;
    this.others = others;
    this.#listener = listener;
    this.handlers = handlers;
  }

  static async start(): Promise<Abandoned> {
    const server = await ServerInTest.start();
    for (let i = 0; i < largeObjects; i++) await server.make(configMaps, { metadata: { name: `large-${i}` }, data: { text: 'x'.repeat(900_000) } });
    const others = new WaitingServers();
    await others.join(server);
    const handlers = { running: 0 };
    const counted: Handler = async (exchange) => {
      handlers.running++;
      try {
        await server.server.api.handler(exchange);
      } finally {
        handlers.running--;
      }
    };
    const { cert, key } = server.server.certificates.serving;
    const listener = await listen(counted, { host: '127.0.0.1', port: 0, tls: { cert, key }, log: silentLog });
    return new Abandoned(server, others, listener, handlers);
  }

  /** So many, the kinds in turn, `atOnce` at a time; every client is gone at the end. */
  async giveUp(count: number, atOnce = 20): Promise<void> {
    for (let done = 0; done < count; done += atOnce) {
      await Promise.all(Array.from({ length: Math.min(atOnce, count - done) }, (_, i) => this.#giveUpOne(done + i)));
      if (done % (atOnce * 5) === 0) this.#endSession();
    }
    this.#endSession();
    for (const socket of this.#sockets) socket.destroy();
  }

  async #giveUpOne(index: number): Promise<void> {
    const kinds = Object.values(abortions);
    await (kinds[index % kinds.length] as Abortion)(this);
  }

  #endSession(): void {
    this.#session?.destroy();
    this.#session = undefined;
  }

  /** What runs for requests. */
  async left(): Promise<Record<string, number>> {
    const { api } = this.#server.server;
    const metrics = (await this.#server.ask('GET', '/metrics')).text;
    await nextTurn();
    return {
      handlers: this.handlers.running,
      running: api.requests.running,
      streams: api.requests.streams,
      // The one that asks.
      seats: sumOf(metrics, 'apiserver_flowcontrol_current_executing_seats'),
      queued: sumOf(metrics, 'apiserver_flowcontrol_current_inqueue_requests'),
    };
  }

  /** What is kept for them. Collects garbage first, which takes seconds. */
  kept(): Record<string, number> {
    return Object.fromEntries(Object.entries(remembered).map(([name, made]) => [name, queryObjects(made, { format: 'count' })]));
  }

  get authorization(): string {
    return `Bearer ${this.#server.tokenOf('admin')}`;
  }

  get port(): number {
    return this.#listener.port;
  }

  async socket(): Promise<TLSSocket> {
    const socket = connectTls({ host: '127.0.0.1', port: this.port, rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] });
    this.#sockets.add(socket);
    socket.on('error', () => {}).once('close', () => this.#sockets.delete(socket));
    await once(socket, 'secureConnect');
    return socket;
  }

  /** One for many requests, whose client never opens a window by itself. */
  session(): ClientHttp2Session {
    if (this.#session === undefined || this.#session.destroyed || this.#session.closed) {
      this.#session = connectHttp2(`https://127.0.0.1:${this.port}`, { rejectUnauthorized: false, settings: { initialWindowSize: 1000 } });
      this.#session.on('error', () => {}).setMaxListeners(0);
    }
    return this.#session;
  }

  get transport() {
    return this.#server.server.api.transport;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // One stops listening, the other breaks off what is still connected: the process may end only after both.
    const closed = this.#listener.close();
    this.#listener.destroy();
    await closed;
    await this.#server[Symbol.asyncDispose]();
    await this.others.stop();
  }
}

/** Everything that is made for a request or a connection: a timer or a listener that is left would keep one of these. */
const remembered = { CarriedExchange, Http2Stream, Watcher, TLSSocket };

type Abortion = (on: Abandoned) => Promise<void>;

/** Over HTTP/1.1: the head and what follows it, then what ends it. */
function over1(method: string, path: string, more: string, end: (socket: TLSSocket, on: Abandoned) => Promise<void> | void): Abortion {
  return async (on) => {
    const socket = await on.socket();
    socket.pause();
    socket.write(`${method} ${path} HTTP/1.1\r\nhost: a\r\nauthorization: ${on.authorization}\r\n${more}`);
    await end(socket, on);
    socket.destroy();
  };
}

type Http2Request = ReturnType<ClientHttp2Session['request']>;

function over2(method: string, path: string, end: (stream: Http2Request, on: Abandoned) => Promise<void> | void): Abortion {
  return async (on) => {
    const stream = on.session().request({ ':method': method, ':path': path, authorization: on.authorization }, { endStream: method === 'GET' });
    stream.on('error', () => {});
    if (method !== 'GET') stream.write('{"half":');
    await end(stream, on);
    stream.close(8);
  };
}

function inProcess(path: string, end: (aborting: AbortController, answer: ReturnType<Abandoned['transport']>) => Promise<void>): Abortion {
  return async (on) => {
    const aborting = new AbortController();
    const answer = on.transport({ method: 'GET', path, signal: aborting.signal });
    answer.catch(() => {});
    await end(aborting, answer);
    aborting.abort();
  };
}

/** Or the end of everything. */
function heard(emitter: EventEmitter, event: string): Promise<void> {
  return new Promise((resolve) => emitter.once(event, () => resolve()).once('close', () => resolve()));
}

const json = 'content-type: application/json\r\n';
const half = `${json}content-length: 100\r\n\r\n{"half":`;
const upgrade = 'connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n';
const moment = () => nextTurn();
const closed = (socket: TLSSocket) => heard(socket.resume(), 'close');
const answered = (socket: TLSSocket) => heard(socket, 'readable');
/** The request, or another one like it, waits for a server that does not answer. */
const waiting = (client: EventEmitter, on: Abandoned) => Promise.race([heard(on.others.events, 'asked'), heard(client, 'close')]);
const secret = '{"metadata":{"generateName":"waiting-"}}';

const abortions: Readonly<Record<string, Abortion>> = {
  'HTTP/1.1: half a head': over1('GET', configMaps, 'accept:', moment),
  'HTTP/1.1: half a body': over1('POST', reviews, half, moment),
  'HTTP/1.1: half a body, waited for until its deadline': over1('POST', `${reviews}?timeout=30ms`, half, answered),
  'HTTP/1.1: half a chunk': over1('POST', reviews, `${json}transfer-encoding: chunked\r\n\r\n10\r\n{"ha`, moment),
  'HTTP/1.1: a list that is not read': over1('GET', configMaps, '\r\n', answered),
  'HTTP/1.1: a list that is not read until its deadline': over1('GET', `${configMaps}?timeout=50ms`, '\r\n', async (socket) => {
    await new Promise((resolve) => setTimeout(resolve, 60));
    await closed(socket);
  }),
  'HTTP/1.1: a compressed list that is not read': over1('GET', configMaps, 'accept-encoding: gzip\r\n\r\n', answered),
  'HTTP/1.1: a Table that is not read': over1('GET', configMaps, 'accept: application/json;as=Table;v=v1;g=meta.k8s.io\r\n\r\n', moment),
  'HTTP/1.1: a watch that is not read': over1('GET', watch, '\r\n', answered),
  'HTTP/1.1: requests one behind the other': async (on) => {
    const socket = await on.socket();
    const each = (path: string) => `GET ${path} HTTP/1.1\r\nhost: a\r\nauthorization: ${on.authorization}\r\n\r\n`;
    socket.pause();
    socket.write(each(watch) + each(configMaps) + each('/nowhere') + each(`${configMaps}/large-0`) + each(watch));
    await answered(socket);
    socket.destroy();
  },
  'HTTP/1.1: no credentials and half a body': async (on) => {
    const socket = await on.socket();
    socket.write(`POST ${reviews} HTTP/1.1\r\nhost: a\r\n${half}`);
    await answered(socket);
    socket.destroy();
  },
  'an upgrade with half a head': over1('GET', watch, upgrade, moment),
  'an upgrade with half a body': over1('POST', reviews, `connection: upgrade\r\nupgrade: h2c\r\n${half}`, moment),
  'an upgrade with half a body, waited for until its deadline': over1(
    'POST',
    `${reviews}?timeout=30ms`,
    `connection: upgrade\r\nupgrade: h2c\r\n${half}`,
    answered,
  ),
  'an upgrade that changes nothing and is not hung up': over1('GET', '/version', `connection: upgrade\r\nupgrade: spdy/3.1\r\n\r\n`, closed),
  'a handshake of another version': over1('GET', watch, `${upgrade}sec-websocket-version: 8\r\n\r\n`, closed),
  'WebSocket: a watch that is not read': over1('GET', watch, `${upgrade}sec-websocket-version: 13\r\n\r\n`, answered),
  'WebSocket: a watch whose client leaves in the middle': async (on) => {
    const socket = new WebSocket(`wss://127.0.0.1:${on.port}${watch}`, { rejectUnauthorized: false, headers: { authorization: on.authorization } });
    socket.on('error', () => {});
    await heard(socket, 'open');
    if (socket.readyState === socket.OPEN) socket.ping();
    socket.terminate();
  },
  'HTTP/2: half a body, reset': over2('POST', reviews, moment),
  'HTTP/2: half a body, waited for until its deadline': over2('POST', `${reviews}?timeout=30ms`, (stream) => heard(stream, 'response')),
  'HTTP/2: half a body, left behind': async (on) => {
    const stream = on.session().request({ ':method': 'POST', ':path': reviews, authorization: on.authorization }, { endStream: false });
    stream.on('error', () => {}).write('{"half":');
  },
  'HTTP/2: a list, reset at once': over2('GET', configMaps, moment),
  'HTTP/2: a list that is not read, reset': over2('GET', configMaps, (stream) => heard(stream, 'response')),
  'HTTP/2: a list that is not read until its deadline': over2('GET', `${configMaps}?timeout=50ms`, (stream) => heard(stream, 'close')),
  'HTTP/2: an object that is not read, left behind': async (on) => {
    on.session()
      .request({ ':path': `${configMaps}/large-0`, authorization: on.authorization })
      .on('error', () => {});
  },
  'HTTP/2: a watch, reset': over2('GET', watch, (stream) => heard(stream, 'response')),
  'HTTP/2: a watch, left behind': async (on) => {
    on.session()
      .request({ ':path': watch, authorization: on.authorization })
      .on('error', () => {});
  },
  'a custom list that is not read': over1('GET', customObjects, '\r\n', answered),
  'a custom list that is not read, reset': over2('GET', customObjects, (stream) => heard(stream, 'response')),
  'a custom watch that is not read': over1('GET', `${customObjects}?${initial}`, '\r\n', answered),
  'a custom watch, reset': over2('GET', `${customObjects}?${initial}`, (stream) => heard(stream, 'response')),
  'half a custom object': over1('POST', customObjects, half, moment),
  'an extension server does not answer': over1('GET', unanswered, '\r\n', waiting),
  'an extension server does not answer, reset': over2('GET', unanswered, waiting),
  'an extension server does not answer until the deadline': over1('GET', `${unanswered}?timeout=30ms`, '\r\n', answered),
  'an extension server gets half a body': over1('POST', unanswered, half, waiting),
  'an extension server gets half a body, reset': over2('POST', unanswered, waiting),
  'an extension server does not answer an upgrade': over1('GET', unanswered, `${upgrade}sec-websocket-version: 13\r\n\r\n`, waiting),
  'the large answer of an extension server is not read': over1('GET', largeAnswer, '\r\n', answered),
  'the large answer of an extension server is not read, reset': over2('GET', largeAnswer, (stream) => heard(stream, 'response')),
  'a webhook does not answer': over1('POST', reviewed, `${json}content-length: ${secret.length}\r\n\r\n${secret}`, waiting),
  'a webhook does not answer until the deadline': over1(
    'POST',
    `${reviewed}?timeout=50ms`,
    `${json}content-length: ${secret.length}\r\n\r\n${secret}`,
    answered,
  ),
  'in process: a list, given up at once': inProcess(configMaps, async () => {}),
  'in process: a list that is not read': inProcess(configMaps, async (_, answer) => void (await answer)),
  'in process: a list whose reader stops': inProcess(configMaps, async (_, answer) => {
    for await (const _chunk of (await answer).chunks) break;
  }),
  'in process: a watch, given up': inProcess(watch, async (aborting, answer) => {
    for await (const _chunk of (await answer).chunks) break;
    aborting.abort();
  }),
  'in process: a watch that is not read': inProcess(watch, async (_, answer) => void (await answer)),
};

export const kindsOfAbortion = Object.keys(abortions);

function sumOf(metrics: string, name: string): number {
  const lines = metrics.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
  return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
}
