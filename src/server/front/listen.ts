// The front door: one port that speaks HTTP/1.1 and HTTP/2, chosen by ALPN, and hands every request over as an Exchange.
import { constants } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createHttp1, type IncomingMessage, type Server as Http1Server, ServerResponse } from 'node:http';
import type { AddressInfo, Server, Socket } from 'node:net';
import {
  createSecureContext,
  createServer as createTls,
  DEFAULT_CIPHERS,
  type SecureContext,
  type SecureVersion,
  type Server as TlsServer,
  type TLSSocket,
} from 'node:tls';
import { systemClock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import { isBrokenTarget } from '#base/request-target.ts';
import type { Handler } from '#server/front/exchange.ts';
import { ClientConnection } from '#server/front/client-connection.ts';
import { Http1Carrier } from '#server/front/http1-carrier.ts';
import { Http2Connection, type Http2Options } from '#server/http2/connection.ts';
import { Outbox } from '#server/http2/outbox.ts';
import type { Http2Stream } from '#server/http2/stream.ts';
import { Http2Carrier } from '#server/front/http2-carrier.ts';
import { httpDate } from '#server/front/http-date.ts';
import { CarriedExchange } from '#server/front/carried-exchange.ts';
import { ParsedSocket } from '#server/front/parsed-socket.ts';
import type { UpgradeRequest } from '#server/front/upgrade-carrier.ts';
import { ReadTurns } from '#server/front/read-turns.ts';
import type { ReservedPort } from '#server/front/reserved-port.ts';

export interface ListenOptions {
  readonly host: string;
  /** 0: any free one. A reserved one is taken over by `open`. */
  readonly port: number | ReservedPort;
  /** Absent: plain HTTP/1.1, for trusted loopback only. */
  readonly tls?: TlsOptions;
  readonly http2?: boolean;
  readonly limits?: Partial<Limits>;
  readonly log: Log;
}

export interface TlsOptions {
  readonly cert: string | Buffer;
  readonly key: string | Buffer;
  /** Shown to clients so that they can pick a certificate; nothing is verified here. */
  readonly clientCa?: string | Buffer;
  readonly minVersion?: SecureVersion;
  readonly ciphers?: string;
  /** In the order of preference, by OpenSSL's names, with colons between them. */
  readonly curves?: string;
  /** Other certificates for clients that ask for one of these names (SNI). */
  readonly named?: readonly NamedCertificate[];
}

export interface NamedCertificate {
  readonly cert: string;
  readonly key: string;
  readonly names: readonly string[];
}

export interface Limits {
  /** Head of a request: URL and headers together. Long `kubectl exec` commands travel in the URL. */
  readonly headBytes: number;
  readonly connections: number;
  readonly streamsPerConnection: number;
  /** Connections without a request are closed after this. */
  readonly idleMs: number;
  /** The head of an HTTP/1.1 request must be complete within this. */
  readonly headMs: number;
  /** So must the handshake of a TLS connection, however often its client sends a byte. */
  readonly handshakeMs: number;
}

export const defaultLimits: Limits = {
  headBytes: 1024 * 1024,
  connections: 50_000,
  streamsPerConnection: 100,
  idleMs: 90_000,
  headMs: 32_000,
  handshakeMs: 32_000,
};

export interface Listener {
  readonly port: number;
  /** From now on connections of a reserved port are taken. */
  open(): void;
  /** Other certificates for new connections; those that are open keep theirs. Versions and ciphers stay. */
  setCertificates(tls: TlsOptions): void;
  /** Takes no new connections or requests, lets the running ones end, and resolves when all are gone. */
  close(): Promise<void>;
  /** Breaks off whatever still runs. */
  destroy(): void;
}

export async function listen(handler: Handler, options: ListenOptions): Promise<Listener> {
  const limits = { ...defaultLimits, ...options.limits };
  const turns = new ReadTurns({ longTurnMs: 2, perTurn: 8, now: () => performance.now() });
  const http1 = http1Front(handler, options, limits, turns);
  const http2 = new Http2Front(handler, options, limits, turns);
  const tls = options.tls === undefined ? undefined : tlsFront(options.tls, options.http2 === false ? undefined : http2, http1);
  if (tls) limitHandshakes(tls.server, limits.handshakeMs);
  const front = tls?.server ?? http1;
  const sockets = trackSockets(front);
  front.maxConnections = limits.connections;
  const { port, open } = await portFor(front, options);
  return {
    port,
    open,
    setCertificates: (next) => tls?.setCertificates(next),
    close: () => {
      open();
      turns.close();
      return closeGently(front, http1, http2, sockets);
    },
    destroy: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}

async function portFor(front: Server, { port, host }: ListenOptions): Promise<Pick<Listener, 'port' | 'open'>> {
  if (typeof port !== 'number') {
    let isOpen = false;
    const open = () => {
      if (!isOpen) port.handTo(front);
      isOpen = true;
    };
    return { port: port.port, open };
  }
  front.listen(port, host);
  await once(front, 'listening');
  return { port: (front.address() as AddressInfo).port, open: () => {} };
}

interface TlsFront {
  readonly server: TlsServer;
  setCertificates(tls: TlsOptions): void;
}

function tlsFront(tls: TlsOptions, http2: Http2Front | undefined, http1: Http1Server): TlsFront {
  let named = namedContexts(tls);
  const front = createTls({
    ...contextOf(tls),
    requestCert: true,
    rejectUnauthorized: false,
    ...(named.length > 0 && { SNICallback: (name: string, done: (problem: null, context?: SecureContext) => void) => done(null, contextFor(named, name)) }),
    ALPNProtocols: http2 === undefined ? ['http/1.1'] : ['h2', 'http/1.1'],
    handshakeTimeout: 10_000,
  });
  // It never listens itself, and without this it would enforce no time limits and know no idle connections.
  http1.emit('listening');
  front.on('secureConnection', (socket: TLSSocket) => {
    socket.setNoDelay(true);
    socket.setKeepAlive(true, 180_000);
    if (http2 !== undefined && socket.alpnProtocol === 'h2') http2.take(socket);
    else http1.emit('connection', socket);
  });
  return {
    server: front,
    setCertificates: (next) => {
      named = namedContexts(next);
      front.setSecureContext(contextOf(next));
    },
  };
}

function contextOf({ cert, key, clientCa, minVersion, ciphers, curves }: TlsOptions) {
  // An empty list, not undefined: node would otherwise load its bundle of public authorities at start.
  // No session tickets: OpenSSL keeps the client's certificate in them but not its intermediates, so a resumed session could not be judged.
  // No renegotiation, as Go's server has none: a client could make the server sign again and again.
  const secureOptions = constants.SSL_OP_NO_TICKET | noRenegotiation;
  return {
    cert,
    key,
    ca: clientCa ?? [],
    minVersion: minVersion ?? 'TLSv1.2',
    ciphers: ciphers ?? preferredCiphers(),
    ecdhCurve: curves ?? 'auto',
    secureOptions,
  } as const;
}

/** OpenSSL's SSL_OP_NO_RENEGOTIATION, which the types of node leave out. */
const noRenegotiation = 1 << 30;

/** What node would take, but the one first that costs least, as in the original. */
function preferredCiphers(): string {
  return [...new Set(['TLS_AES_128_GCM_SHA256', ...DEFAULT_CIPHERS.split(':')])].join(':');
}

interface NamedContext {
  readonly names: readonly string[];
  readonly context: SecureContext;
}

function namedContexts({ named = [], ...tls }: TlsOptions): readonly NamedContext[] {
  return named.map(({ cert, key, names }) => ({
    names: names.map((name) => name.toLowerCase()),
    context: createSecureContext(contextOf({ ...tls, cert, key })),
  }));
}

/** The name itself, else a `*` in place of its first label; undefined: the certificate for everybody else. */
function contextFor(named: readonly NamedContext[], asked: string): SecureContext | undefined {
  const name = asked.toLowerCase();
  const wildcard = name.replace(/^[^.]+/, '*');
  return (named.find(({ names }) => names.includes(name)) ?? named.find(({ names }) => names.includes(wildcard)))?.context;
}

interface Http1Connection {
  readonly client: ClientConnection;
  readonly reading: ParsedSocket;
}

function http1Front(handler: Handler, { log }: ListenOptions, limits: Limits, turns: ReadTurns): Http1Server {
  const connections = new WeakMap<Socket, Http1Connection>();
  const connectionOf = (socket: Socket) => {
    const known = connections.get(socket);
    if (known !== undefined) return known;
    const reading = new ParsedSocket(socket);
    const made = { reading, client: new ClientConnection(socket, reading, turns) };
    connections.set(socket, made);
    return made;
  };
  const exchangeOf = (request: IncomingMessage, response: ServerResponse) => {
    const { client, reading } = connectionOf(request.socket);
    return new CarriedExchange(new Http1Carrier(request, response, client, reading));
  };
  const server = createHttp1({
    maxHeaderSize: limits.headBytes,
    headersTimeout: limits.headMs,
    // How long a body may take is the handler's affair: streams have no end of their own.
    requestTimeout: 0,
    connectionsCheckingInterval: Math.min(limits.headMs, 5_000),
    keepAliveTimeout: limits.idleMs,
    noDelay: true,
  });
  const reportBug = bugReporter(log);
  server.on('request', (request, response) => {
    if (isBrokenTarget(request.url ?? '')) return refuseTarget(response);
    void handler(exchangeOf(request, response)).catch(reportBug);
  });
  server.on('upgrade', (request, duplex, head) => {
    const socket = duplex as Socket;
    const response = new ServerResponse(request);
    response.assignSocket(socket);
    if (isBrokenTarget(request.url ?? '')) return refuseTarget(response);
    void serveUpgrade(handler, { request, response, socket, head, connection: connectionOf(socket).client }).catch(reportBug);
  });
  return server;
}

/** As Go's server answers before any handler is asked; over HTTP/2 such a stream is reset (http2/request-head.ts). */
function refuseTarget(response: ServerResponse): void {
  response.sendDate = false;
  response.writeHead(400, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' }).end('400 Bad Request');
}

/** Few clients ask for it, and what speaks WebSocket takes time to load. */
async function serveUpgrade(handler: Handler, upgrade: UpgradeRequest): Promise<void> {
  // node:http has let go of the socket, and an error without a listener ends the process.
  upgrade.socket.on('error', () => {});
  const { UpgradeCarrier } = await import('#server/front/upgrade-carrier.ts');
  await handler(new CarriedExchange(new UpgradeCarrier(upgrade)));
}

/** An idle connection lives at most a fifth longer than it may. */
const idleSweeps = 5;

class Http2Front {
  readonly #handler: Handler;
  readonly #shared: Omit<Http2Options, 'onRequest'>;
  readonly #turns: ReadTurns;
  readonly #reportBug: (cause: unknown) => void;
  readonly #connections = new Set<Http2Connection>();
  readonly #idleMs: number;
  #sweep: NodeJS.Timeout | undefined;
  #closing = false;

  constructor(handler: Handler, { log }: ListenOptions, limits: Limits, turns: ReadTurns) {
    this.#handler = handler;
    this.#idleMs = limits.idleMs;
    this.#turns = turns;
    this.#shared = {
      outbox: new Outbox(),
      maxStreams: limits.streamsPerConnection,
      headBytes: limits.headBytes,
      now: () => performance.now(),
      date: httpDate(systemClock),
    };
    this.#reportBug = bugReporter(log);
  }

  take(socket: TLSSocket): void {
    const http2 = new Http2Connection(socket, { ...this.#shared, onRequest: (stream) => this.#serve(stream, connection) });
    const connection = new ClientConnection(socket, http2, this.#turns);
    this.#connections.add(http2);
    socket.once('close', () => this.#connections.delete(http2));
    if (this.#closing) http2.close();
    else this.#sweep ??= setInterval(this.#closeIdle, this.#idleMs / idleSweeps).unref();
  }

  /** Not made where a connection is at hand: the timer would keep it. */
  readonly #closeIdle = (): void => {
    for (const connection of this.#connections) connection.closeIfIdle(this.#idleMs);
  };

  /** Tells clients to send no more requests; each connection ends with its last one. */
  close(): void {
    this.#closing = true;
    clearInterval(this.#sweep);
    for (const connection of this.#connections) connection.close();
  }

  #serve(stream: Http2Stream, connection: ClientConnection): Promise<void> {
    return this.#handler(new CarriedExchange(new Http2Carrier(stream, connection))).catch(this.#reportBug);
  }
}

/** The pipeline turns everything thrown into an answer, so this is never called unless it is broken itself. */
function bugReporter(log: Log): (cause: unknown) => void {
  return (cause) => log.error('a request handler failed outside the pipeline', cause);
}

/** Node's own limit begins anew with every byte. */
function limitHandshakes(front: TlsServer, longestMs: number): void {
  const deadlines = new Map<string, NodeJS.Timeout>();
  const clientOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`;
  front.on('connection', (socket: Socket) => {
    const client = clientOf(socket);
    const deadline = setTimeout(() => socket.destroy(), longestMs).unref();
    deadlines.set(client, deadline);
    socket.once('close', () => {
      clearTimeout(deadline);
      if (deadlines.get(client) === deadline) deadlines.delete(client);
    });
  });
  front.on('secureConnection', (socket: TLSSocket) => {
    clearTimeout(deadlines.get(clientOf(socket)));
    deadlines.delete(clientOf(socket));
  });
}

function trackSockets(front: Server): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  front.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return sockets;
}

/**
 * What a client sent just before it could know is still answered (by a refusal, if the server stops): connections that
 * seem idle are closed only a moment later, and swept again because node does not tell when the last answer is out.
 */
async function closeGently(front: Server, http1: Http1Server, http2: Http2Front, sockets: ReadonlySet<Socket>): Promise<void> {
  const closed = once(front, 'close');
  front.close();
  http2.close();
  if (sockets.size > 0) await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, lastRequestsMs))]);
  // Only after what has arrived meanwhile is read: timers come before sockets in a turn of the event loop.
  const closeIdle = () => setImmediate(() => http1.closeIdleConnections());
  const sweep = setInterval(closeIdle, sweepMs);
  closeIdle();
  await closed;
  clearInterval(sweep);
  if (http1 !== front) http1.close();
}

const lastRequestsMs = 250;
const sweepMs = 20;
