// One HTTP/2 connection to one member of etcd, or to a plugin behind a unix socket, carrying gRPC: calls with one request and one answer, and streams of messages.
import { connect as connectSocket, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { trusting } from '#base/outgoing/authorities.ts';
import type { Timers } from '#base/timers.ts';
import { GrpcError, grpcCode } from '#base/grpc/grpc-error.ts';
import { GrpcStream } from '#base/grpc/grpc-stream.ts';
import { withFrame } from '#base/grpc/message-frames.ts';
import { Http2Client } from '#base/http2/client-connection.ts';
import type { HeaderField } from '#base/http2/hpack/dynamic-table.ts';
import { lastingBlock } from '#base/http2/hpack/encoder.ts';

export interface TlsFiles {
  readonly ca?: Buffer | undefined;
  readonly cert?: Buffer | undefined;
  readonly key?: Buffer | undefined;
}

export interface ConnectOptions {
  /** `http://127.0.0.1:2379`. */
  readonly endpoint: string;
  readonly tls: TlsFiles;
  readonly timers: Timers;
  readonly timeoutMs: number;
  /** What errors call the other side; default: etcd at the endpoint. */
  readonly peer?: string;
  /** The path of a unix socket that leads there. */
  readonly socket?: string;
}

/** etcd counts pings more often than every five seconds as abuse. */
const PING_EVERY_MS = 6_000;
const PING_TIMEOUT_MS = 5_000;

export interface MessageStream {
  send(message: Uint8Array): void;
  close(): void;
}

export interface StreamListener {
  message(bytes: Buffer): void;
  /** Once, whoever ended the stream. */
  ended(error: GrpcError): void;
}

export class GrpcConnection {
  readonly #client: Http2Client;
  readonly #timers: Timers;
  readonly #peer: string;
  readonly #target: readonly HeaderField[];
  readonly #fields: readonly HeaderField[];
  /** Header blocks by path. */
  readonly #blocks = new Map<string, Buffer>();
  #cancelPing: () => void;
  #pingedAt = performance.now();

  private constructor(client: Http2Client, { endpoint, timers, peer }: ConnectOptions) {
    const { protocol, host } = new URL(endpoint);
    this.#client = client;
    this.#timers = timers;
    this.#peer = peer ?? `etcd at ${host}`;
    const scheme = protocol === 'https:' ? 'https' : 'http';
    this.#target = [
      [':method', 'POST'],
      [':scheme', scheme],
      [':authority', host],
    ];
    this.#fields = peer === undefined ? etcdFields : grpcFields;
    this.#cancelPing = timers.after(PING_EVERY_MS, () => this.#ping());
  }

  static open(options: ConnectOptions): Promise<GrpcConnection> {
    const { endpoint, timers, timeoutMs, peer = `etcd at ${endpoint}` } = options;
    return new Promise((resolve, reject) => {
      const socket = socketTo(options);
      const client = new Http2Client(socket, {
        timers,
        // A process that speaks no HTTP/2, or hangs, takes connections too: its settings are the first sign of life.
        onReady: () => {
          cancel();
          socket.unref();
          connection = new GrpcConnection(client, options);
          resolve(connection);
        },
        onClose: (why) => {
          cancel();
          if (connection) connection.#cancelPing();
          reject(new GrpcError(grpcCode.unavailable, `${peer}: ${why}`, true));
        },
      });
      const cancel = timers.after(timeoutMs, () => client.close(`no connection after ${timeoutMs} ms`));
      let connection: GrpcConnection | undefined;
    });
  }

  get isUsable(): boolean {
    return this.#client.isOpen;
  }

  /** Of `performance.now()`: when the member was last heard of. */
  get heardAt(): number {
    return this.#client.heardAt;
  }

  /** One request, one answer. Rejects with a GrpcError. */
  call(path: string, message: Uint8Array, timeoutMs: number): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      let answer: Buffer | undefined;
      const answering = new GrpcStream(this.#peer, {
        message: (bytes) => {
          answer = bytes;
        },
        ended: (error) => {
          cancel();
          if (error !== undefined) reject(error);
          else if (answer === undefined) reject(new GrpcError(grpcCode.internal, `${this.#peer} answered without a message`));
          else resolve(answer);
        },
      });
      const cancel = this.#timers.after(timeoutMs, () => {
        this.#client.cancel(stream);
        reject(new GrpcError(grpcCode.deadlineExceeded, `${this.#peer} did not answer within ${timeoutMs} ms`));
      });
      const stream = this.#client.request(this.#blockOf(path), withFrame(message), true, answering);
    });
  }

  /** The first message goes with the headers; more may follow. */
  stream(path: string, first: Uint8Array, listener: StreamListener): MessageStream {
    const answering = new GrpcStream(this.#peer, {
      message: (bytes) => listener.message(bytes),
      ended: (error) => listener.ended(error ?? new GrpcError(0, '')),
    });
    const stream = this.#client.request(this.#blockOf(path), withFrame(first), false, answering);
    return {
      send: (message) => this.#client.send(stream, withFrame(message)),
      close: () => {
        this.#client.cancel(stream);
        answering.closed('lost');
      },
    };
  }

  close(): void {
    this.#client.close('the connection was closed');
  }

  #blockOf(path: string): Buffer {
    let block = this.#blocks.get(path);
    if (block === undefined) {
      block = lastingBlock([...this.#target, [':path', path], ...this.#fields]);
      this.#blocks.set(path, block);
    }
    return block;
  }

  /** Only where nothing was heard for a while: a member that is stopped or cut off keeps its connection open. */
  #ping(): void {
    this.#cancelPing = this.#timers.after(PING_EVERY_MS, () => this.#ping());
    const isSilent = this.heardAt < this.#pingedAt;
    this.#pingedAt = performance.now();
    if (!isSilent || !this.isUsable) return;
    const cancel = this.#timers.after(PING_TIMEOUT_MS, () => this.close());
    this.#client.ping(cancel);
  }
}

function socketTo({ endpoint, tls: { ca, cert, key }, socket }: ConnectOptions): Socket {
  if (socket !== undefined) return connectSocket(socket);
  const { protocol, hostname, port } = new URL(endpoint);
  const host = hostname.replace(/^\[|\]$/g, '');
  const isTls = protocol === 'https:';
  const to = { host, port: Number(port === '' ? (isTls ? 443 : 80) : port), noDelay: true };
  if (!isTls) return connectSocket(to);
  return connectTls({
    ...to,
    ...trusting(ca),
    ...(cert && { cert }),
    ...(key && { key }),
    ALPNProtocols: ['h2'],
    ...(isIP(host) === 0 && { servername: host }),
  });
}

const grpcFields: readonly HeaderField[] = [
  ['content-type', 'application/grpc'],
  ['te', 'trailers'],
];
/** A watch at a member that has lost its leader ends instead of waiting in silence. */
const etcdFields: readonly HeaderField[] = [...grpcFields, ['hasleader', 'true']];
