// One HTTP request and its response, whichever protocol carries it, as the pipeline learns more about it.
// There is one kind (carried-exchange.ts) over three carriers: HTTP/1.1, HTTP/2, in process. Everything above sees only this.
import type { Duplex, Readable } from 'node:stream';
import type { RequestInfo } from '#api/request-info.ts';
import type { User } from '#api/user.ts';
import type { Offer } from '#server/answer/negotiate.ts';
import type { StructSchema } from '#schema/build.ts';

export interface Exchange {
  readonly method: string;
  /** As sent, percent-encoded, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** The query as sent, without the question mark. */
  readonly search: string;
  /** Names in lower case; repeated headers joined as node does it. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The values of a repeated header one by one, as sent. `name` in lower case. */
  headerValues(name: string): readonly string[];
  readonly protocol: 'HTTP/1.1' | 'HTTP/2.0';
  readonly remoteAddress: string;
  /** DER of the certificate chain the client showed, leaf first; empty without one. */
  readonly clientCertificates: readonly Buffer[];
  /** Aborts when the client goes away, the deadline passes or the server must stop. Made for the first who asks: few requests wait for anything. */
  readonly signal: AbortSignal;
  /** Calls back, once, when `signal` would abort, without making one. Who is no longer interested calls what is returned. */
  onGone(listener: () => void): () => void;
  /** What `signal.aborted` says, without making one. */
  readonly gone: boolean;

  /** Filled in by the pipeline, in this order; reading one too early is a bug and throws. */
  info: RequestInfo;
  user: User;
  auditId: string;
  /** What errors may come as, once it is known which resource is meant; before that they are JSON, YAML or protobuf. */
  errorOffer: Offer | undefined;

  /** Becomes a `Warning` header; duplicates are dropped, the limits of upstream apply. */
  warn(text: string): void;
  readonly warnings: readonly string[];

  /** The whole body. Throws ApiError 413 beyond the limit, an AbortError once the request is answered, cut short or lost. */
  readBody(limitBytes: number): Promise<Buffer>;
  /** The body piece by piece, instead of `readBody`: the client sends no faster than it is read. May go on while the answer is sent. */
  body(): Readable;

  /** A header of the answer, until it is sent; several values are sent one by one. */
  setHeader(name: string, value: string | readonly string[]): void;
  readonly answered: boolean;
  /** Nobody reads more of an object in the answer than what names it and its resourceVersion: neither the client nor an observer. */
  readonly isBrief: boolean;
  /** The whole answer; without a content type the header is left out. Large bodies are compressed for clients that ask for it. */
  send(code: number, contentType: string, body: Uint8Array | string): void;
  /** Starts an answer of unknown length, as it is: never compressed. Each write of `events` is one or more whole events: a WebSocket makes a message of each. */
  stream(code: number, contentType: string, kind?: StreamKind): ResponseStream;
  /** The protocol that the client wants to change to (`websocket`, `spdy/3.1`), in lower case; '' for none. Only HTTP/1.1 knows this. */
  readonly upgradeTo: string;
  /**
   * The answer 101: from here on both sides speak the other protocol, each may end its side alone. Only `headers` are sent with it, nothing the
   * pipeline has set; without them nothing is sent and the taker answers itself. A handler that refuses answers with `send` instead. A client that
   * hangs up looks like one that has only ended its side: the taker ends the other side too, and then the handler.
   */
  upgrade(headers?: AnswerHeaders): Duplex;
  /** The client has taken the whole answer, or will take no more of it. */
  readonly taken: boolean;
  /** Calls back when `taken` is true: at once if it is. */
  onTaken(listener: () => void): void;

  /**
   * Answers over the handler's head and aborts `signal`: what the handler sends from now on is dropped.
   * An answer that has begun is broken off instead.
   */
  cutShort(code: number, contentType: string, body: string): void;

  /** Asks a handler whose answer has no end to end it: aborts `signal`, and breaks nothing off. */
  endEarly(): void;

  /** A fact about this request for the audit log. */
  annotate(key: string, value: string, level?: 'Request'): void;
  /** What the body was understood as, for the audit log. */
  noteObject(object: object, schema: StructSchema): void;

  /** Adds an observer of what passes (metrics, audit, flow control); observers change nothing. */
  observe(observer: ExchangeObserver): void;
}

export interface ExchangeObserver {
  bodyRead?(bytes: Buffer): void;
  /** The answer begins; `body` is undefined when it comes in pieces. */
  answerBegun?(code: number, contentType: string, body: Uint8Array | string | undefined): void;
  /** What the answer says is looked at: it must be the whole one. */
  readonly readsAnswer?: boolean;
  /** One piece of an answer that comes in pieces. */
  chunkWritten?(chunk: Uint8Array | string): void;
  annotated?(key: string, value: string, level?: 'Request'): void;
  /** It goes on changing: what is needed of it must be taken at once. */
  objectRead?(object: object, schema: StructSchema): void;
}

export type AnswerHeaders = Readonly<Record<string, string | readonly string[]>>;

export type StreamKind = 'bytes' | 'events';

export interface ResponseStream {
  /** Resolves when the client can take more (undefined: at once); rejects never: a lost client aborts `exchange.signal`. */
  write(chunk: Uint8Array | string): Promise<void> | undefined;
  /** Resolves when the chunk has been handed over, to whether its memory may be used again: a socket that broke may still hold it. */
  writeThrough(chunk: Uint8Array): Promise<boolean>;
  /** Bytes handed over but not yet taken by the client: what a slow reader owes. */
  readonly backlog: number;
  /** Trailers follow the body where the protocol has a place for them: HTTP/2, and HTTP/1.1 without a content length. */
  end(trailers?: AnswerHeaders): void;
}

/** An answer whose client has gone. */
export const deafAnswer: ResponseStream = { write: () => undefined, writeThrough: () => Promise.resolve(true), backlog: 0, end: () => {} };

export type Handler = (exchange: Exchange) => Promise<void>;
export type Middleware = (next: Handler) => Handler;
