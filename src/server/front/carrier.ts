// What a protocol has to offer so that one exchange can speak them all: HTTP/1.1, HTTP/2, and calls within the process.
import type { Duplex, Readable } from 'node:stream';
import type { AnswerHeaders, ResponseStream, StreamKind } from '#server/front/exchange.ts';

export interface Carrier {
  readonly protocol: 'HTTP/1.1' | 'HTTP/2.0';
  readonly method: string;
  /** Path and query as sent. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Names and values in turn, as they came. */
  readonly rawHeaders: readonly string[];
  readonly connection: Connection;
  /** The client reads nothing of an object in the answer but what names it and its resourceVersion. */
  readonly isBrief?: boolean;

  /** The body of the request. Rejects with ApiError 413 beyond the limit. Once only, and not after `body`. */
  readBody(limitBytes: number): Promise<Buffer>;
  /** The same piece by piece; the client is slowed down to the pace of the reader. Destroying it leaves the connection alone. */
  body(): Readable;
  /** The handler will not read the rest: pending reads reject with an AbortError, what still comes is thrown away. */
  discardBody(): void;

  /** The client is gone, or has all it will get. */
  readonly closed: boolean;
  /** Calls back when `closed` becomes true. */
  onClose(listener: () => void): void;

  /** `body` undefined: only the head is sent, as for HEAD. */
  send(code: number, headers: AnswerHeaders, body: Uint8Array | string | undefined): void;
  open(code: number, headers: AnswerHeaders, kind: StreamKind): ResponseStream;
  /** The whole answer is with the client, its window or its socket; or the client is gone. */
  readonly taken: boolean;
  /** Calls back when `taken` becomes true. */
  onTaken(listener: () => void): void;
  /** Breaks off what has begun. */
  destroy(): void;

  /** The protocol that the client wants to change to, in lower case; '' for none. */
  readonly upgradeTo: string;
  /** Answers 101 and lets go of the connection; without headers the taker answers itself. */
  upgrade(headers: AnswerHeaders | undefined): Duplex;
}

/** The facts that all requests of a connection share. */
export interface Connection {
  readonly remoteAddress: string;
  readonly clientCertificates: readonly Buffer[];
  /** A request of `owner` is answered, the next may come. */
  answered(owner: string): void;
}
