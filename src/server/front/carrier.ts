// What the two protocols have to offer so that one exchange can speak both.
import type { ResponseStream, StreamKind } from '#server/front/exchange.ts';

export type AnswerHeaders = Record<string, string | string[]>;

export interface Carrier {
  readonly protocol: 'HTTP/1.1' | 'HTTP/2.0';
  readonly method: string;
  /** Path and query as sent. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Names and values in turn, as they came. */
  readonly rawHeaders: readonly string[];
  readonly connection: Connection;
  /** The body of the request. Rejects with ApiError 413 beyond the limit. Once only. */
  readBody(limitBytes: number): Promise<Buffer>;
  /** The client is gone, or has all it will get. */
  readonly closed: boolean;
  /** Calls back when `closed` becomes true. */
  onClose(listener: () => void): void;
  /** `body` undefined: only the head is sent, as for HEAD. */
  send(code: number, headers: AnswerHeaders, body: Uint8Array | string | undefined): void;
  open(code: number, headers: AnswerHeaders, kind: StreamKind): ResponseStream;
  /** Breaks off what has begun. */
  destroy(): void;
}

/** The facts that all requests of a connection share. */
export interface Connection {
  readonly remoteAddress: string;
  readonly clientCertificates: readonly Buffer[];
  /** A request of `owner` is answered, the next may come. */
  answered(owner: string): void;
}
