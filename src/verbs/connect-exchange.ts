// What a verb sees of the request when it answers «connect»: enough to pass it on, body and upgrade included. The server's Exchange is one.
import type { Duplex, Readable } from 'node:stream';
import type { User } from '#api/user.ts';

export interface ConnectExchange {
  readonly method: string;
  /** As sent, percent-encoded, without the query. */
  readonly path: string;
  /** The query as sent, without the question mark. */
  readonly search: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  headerValues(name: string): readonly string[];
  readonly user: User;
  readonly remoteAddress: string;
  /** Aborts when the client goes away or the server must stop. */
  readonly signal: AbortSignal;

  /** The client sends no faster than it is read. */
  body(): Readable;
  setHeader(name: string, value: string | readonly string[]): void;
  send(code: number, contentType: string, body: Uint8Array | string): void;
  /** Never compressed. */
  stream(code: number, contentType: string): ConnectAnswer;
  /** '' when the client does not want to change to another protocol. */
  readonly upgradeTo: string;
  /** Answers 101 with these headers alone, or with none and leaves the answer to the taker. */
  upgrade(headers?: Readonly<Record<string, string | readonly string[]>>): Duplex;
}

export interface ConnectAnswer {
  /** Resolves when the client can take more; undefined: at once. */
  write(chunk: Uint8Array | string): Promise<void> | undefined;
  end(trailers?: Readonly<Record<string, string | readonly string[]>>): void;
}
