// One HTTP/2 connection of a client that costs little. That of node takes as much CPU for an event of a watch as our server, and on two cores both servers wait for it.
import { once } from 'node:events';
import { connect } from 'node:tls';
import { Http2Client } from '#base/http2/client-connection.ts';
import type { HeaderField } from '#base/http2/hpack/dynamic-table.ts';
import { lastingBlock } from '#base/http2/hpack/encoder.ts';
import { systemTimers } from '#base/timers.ts';

export interface Credentials {
  readonly ca: Buffer;
  readonly cert: Buffer;
  readonly key: Buffer;
}

export interface Request {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
}

export interface AnswerListener {
  begin(code: number): void;
  data(piece: Buffer): void;
  /** Without a problem: the server has said all. */
  closed(problem: Error | undefined): void;
}

const nothing = Buffer.alloc(0);

export class Http2Connection implements Disposable {
  readonly #client: Http2Client;
  readonly #server: URL;

  private constructor(client: Http2Client, server: URL) {
    this.#client = client;
    this.#server = server;
  }

  static async open(server: URL, credentials: Credentials): Promise<Http2Connection> {
    const socket = connect({ host: server.hostname, port: Number(server.port), ALPNProtocols: ['h2'], ...credentials });
    await once(socket, 'secureConnect');
    socket.setNoDelay(true);
    return new Promise((resolve, reject) => {
      const onClose = (why: string) => reject(new Error(`${server.origin}: ${why}`));
      const client = new Http2Client(socket, { timers: systemTimers, onReady: () => resolve(new Http2Connection(client, server)), onClose });
    });
  }

  request({ method, path, headers, body = nothing }: Request, listener: AnswerListener): void {
    const target: HeaderField[] = [
      [':method', method],
      [':scheme', 'https'],
      [':authority', this.#server.host],
      [':path', path],
    ];
    this.#client.request(lastingBlock([...target, ...Object.entries(headers)]), body, true, {
      field: (name, value) => {
        if (name === ':status') listener.begin(Number(value));
      },
      data: (piece) => listener.data(piece),
      closed: (end) => listener.closed(end === 'ended' ? undefined : new Error(`${method} ${path}: ${end}`)),
    });
  }

  /** A watch, say: resolves when it is answered, and hears what comes as long as the connection lives. */
  follow(path: string, headers: Request['headers'], data: (piece: Buffer) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = (code: number) => (code === 200 ? resolve() : reject(new Error(`${path}: ${code}`)));
      const closed = (problem?: Error) => reject(problem ?? new Error(`${path}: ended`));
      this.request({ method: 'GET', path, headers, body: undefined }, { begin, data, closed });
    });
  }

  [Symbol.dispose](): void {
    this.#client.close('no longer wanted');
  }
}
