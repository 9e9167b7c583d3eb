// One HTTP/2 connection to one member of etcd, or to a plugin behind a unix socket, carrying gRPC: calls with one request and one answer, and streams of messages.
import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants, type IncomingHttpHeaders, type SecureClientSessionOptions } from 'node:http2';
import { connect as connectSocket } from 'node:net';
import type { Timers } from '#base/timers.ts';
import { GrpcError, grpcCode } from '#base/grpc/grpc-error.ts';
import { MessageFrames, withFrame } from '#base/grpc/message-frames.ts';

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
/** First lists and watches bring megabytes; the default of 64 KiB would make a round trip of every few pages. */
const WINDOW = 8 << 20;

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
  readonly #session: ClientHttp2Session;
  readonly #timers: Timers;
  readonly #peer: string;
  readonly #headers: Readonly<Record<string, string>>;
  #cancelPing: () => void;
  #receivedSincePing = false;
  /** Of `performance.now()`: when the member was last heard of. */
  heardAt = performance.now();

  private constructor(session: ClientHttp2Session, { endpoint, timers, peer }: ConnectOptions) {
    this.#session = session;
    this.#timers = timers;
    this.#peer = peer ?? `etcd at ${new URL(endpoint).host}`;
    this.#headers = peer === undefined ? etcdHeaders : grpcHeaders;
    this.#cancelPing = timers.after(PING_EVERY_MS, () => this.#ping());
    session.on('close', () => this.#cancelPing());
  }

  static open(options: ConnectOptions): Promise<GrpcConnection> {
    const { endpoint, tls, timers, timeoutMs, peer = `etcd at ${endpoint}`, socket } = options;
    return new Promise((resolve, reject) => {
      const session = connect(endpoint, { ...sessionOptions(tls), ...(socket !== undefined && { createConnection: () => connectSocket(socket) }) });
      const fail = (why: string) => {
        cancel();
        session.destroy();
        reject(new GrpcError(grpcCode.unavailable, `${peer}: ${why}`, true));
      };
      const cancel = timers.after(timeoutMs, () => fail(`no connection after ${timeoutMs} ms`));
      session.once('close', () => fail('the connection was closed'));
      session.on('error', (error) => fail(error.message));
      // A process that speaks no HTTP/2, or hangs, takes connections too: its settings are the first sign of life.
      session.once('remoteSettings', () => {
        cancel();
        session.setLocalWindowSize(WINDOW);
        session.unref();
        resolve(new GrpcConnection(session, options));
      });
    });
  }

  get isUsable(): boolean {
    return !this.#session.closed && !this.#session.destroyed;
  }

  /** One request, one answer. Rejects with a GrpcError. */
  call(path: string, message: Uint8Array, timeoutMs: number): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      let answer: Buffer | undefined;
      let cancel = () => {};
      const stream = this.#begin(path, withFrame(message), {
        message: (bytes) => {
          answer = bytes;
        },
        ended: (error) => {
          cancel();
          if (error.code === 0 && answer !== undefined) resolve(answer);
          else reject(error.code === 0 ? new GrpcError(grpcCode.internal, `${this.#peer} answered without a message`) : error);
        },
      });
      cancel = this.#timers.after(timeoutMs, () => {
        reject(new GrpcError(grpcCode.deadlineExceeded, `${this.#peer} did not answer within ${timeoutMs} ms`));
        stream?.close(constants.NGHTTP2_CANCEL);
      });
    });
  }

  /** The first message goes with the headers; more may follow. */
  stream(path: string, first: Uint8Array, listener: StreamListener): MessageStream {
    const stream = this.#begin(path, undefined, listener);
    stream?.write(withFrame(first));
    return {
      send: (message) => {
        if (stream?.writable) stream.write(withFrame(message));
      },
      close: () => stream?.close(constants.NGHTTP2_CANCEL),
    };
  }

  close(): void {
    this.#cancelPing();
    this.#session.destroy();
  }

  /** `only`: the whole of what is sent; absent: the caller goes on writing. */
  #begin(path: string, only: Buffer | undefined, listener: StreamListener): ClientHttp2Stream | undefined {
    let stream: ClientHttp2Stream;
    try {
      stream = this.#session.request({ ...this.#headers, ':path': path });
    } catch (error) {
      listener.ended(new GrpcError(grpcCode.unavailable, (error as Error).message, true));
      return undefined;
    }
    this.#listen(stream, listener);
    if (only) stream.end(only);
    return stream;
  }

  #listen(stream: ClientHttp2Stream, listener: StreamListener): void {
    const frames = new MessageFrames();
    let status: GrpcError | undefined;
    const heard = () => {
      this.heardAt = performance.now();
      this.#receivedSincePing = true;
    };
    stream.on('response', (headers) => {
      heard();
      status = statusOf(headers);
    });
    stream.on('data', (chunk: Buffer) => {
      heard();
      for (const message of frames.push(chunk)) listener.message(message);
    });
    stream.on('trailers', (headers) => {
      status = statusOf(headers);
    });
    stream.on('error', () => undefined);
    stream.once('close', () => {
      const refused = stream.rstCode === constants.NGHTTP2_REFUSED_STREAM;
      listener.ended(status ?? new GrpcError(grpcCode.unavailable, `the connection to ${this.#peer} was lost`, refused));
    });
  }

  /** Only where nothing was heard for a while: a member that is stopped or cut off keeps its connection open. */
  #ping(): void {
    this.#cancelPing = this.#timers.after(PING_EVERY_MS, () => this.#ping());
    if (this.#receivedSincePing || !this.isUsable) {
      this.#receivedSincePing = false;
      return;
    }
    const cancel = this.#timers.after(PING_TIMEOUT_MS, () => this.close());
    this.#session.ping((error) => {
      cancel();
      if (error) this.close();
    });
  }
}

function sessionOptions({ ca, cert, key }: TlsFiles): SecureClientSessionOptions {
  return { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }), settings: { initialWindowSize: WINDOW, enablePush: false }, maxSessionMemory: 1000 };
}

const grpcHeaders = { ':method': 'POST', 'content-type': 'application/grpc', te: 'trailers' };
/** A watch at a member that has lost its leader ends instead of waiting in silence. */
const etcdHeaders = { ...grpcHeaders, hasleader: 'true' };

/** Undefined where the status comes later, with the trailers. */
function statusOf(headers: IncomingHttpHeaders): GrpcError | undefined {
  const code = headers['grpc-status'];
  if (code !== undefined) return new GrpcError(Number(code), decodeURIComponent(String(headers['grpc-message'] ?? '')));
  const http = Number(headers[':status'] ?? 200);
  return http === 200 ? undefined : new GrpcError(grpcCode.unavailable, `HTTP status ${http}`);
}
