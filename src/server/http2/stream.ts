import { apart } from '#base/memory/short-lived.ts';
import type { AnswerHeaders, ResponseStream } from '#server/front/exchange.ts';
import { putDataHead } from '#base/http2/frames.ts';
import { PendingData } from '#server/http2/pending-data.ts';
import { errorCodes, frameHeadBytes } from '#base/http2/protocol.ts';
import { RequestBody } from '#server/http2/request-body.ts';
import type { RequestHead } from '#server/http2/request-head.ts';

/** What a stream asks of its connection. */
export interface StreamOwner {
  respond(stream: Http2Stream, code: number, headers: AnswerHeaders, endStream: boolean): void;
  /** The stream has something to send. */
  offer(stream: Http2Stream): void;
  /** Whether so many bytes go out with the next write, whatever else is waiting. */
  reserve(bytes: number): boolean;
  /** Whether so many bytes of data would not have to wait for the client. */
  takesAtOnce(bytes: number): boolean;
  reset(stream: Http2Stream, code: number): void;
  /** The peer may send that many bytes more. */
  openWindow(stream: Http2Stream, bytes: number): void;
  /** No more streams are taken, and the connection ends with the last. */
  close(): void;
}

export interface StreamOptions {
  readonly id: number;
  readonly head: RequestHead;
  readonly owner: StreamOwner;
  readonly sendWindow: number;
  readonly receiveWindow: number;
}

/** One request and its answer. */
export class Http2Stream implements ResponseStream {
  readonly id: number;
  readonly head: RequestHead;
  readonly body: RequestBody;
  /** How much the peer takes; less than nothing when it has changed its mind. */
  sendWindow: number;
  receiveWindow: number;
  /** Whether it waits for its turn to send. */
  queued = false;
  readonly #owner: StreamOwner;
  readonly #pending = new PendingData();
  #answer: 'open' | 'ending' | 'ended' = 'open';
  #request: 'open' | 'ended';
  #closed = false;
  /** The rest of the answer goes out with the next write. */
  #leaving = false;
  #trailers: AnswerHeaders | undefined;
  #onClose: (() => void)[] | undefined;
  #onTaken: (() => void)[] | undefined;

  constructor({ id, head, owner, sendWindow, receiveWindow }: StreamOptions, requestEnded: boolean) {
    this.id = id;
    this.head = head;
    this.sendWindow = sendWindow;
    this.receiveWindow = receiveWindow;
    this.#owner = owner;
    this.body = new RequestBody((bytes) => owner.openWindow(this, bytes));
    this.#request = requestEnded ? 'ended' : 'open';
    if (requestEnded) this.body.end();
  }

  get closed(): boolean {
    return this.#closed;
  }

  onClose(listener: () => void): void {
    if (this.#onClose === undefined) this.#onClose = [listener];
    else this.#onClose.push(listener);
  }

  /** An informational answer, such as 100, leaves the real one to come. */
  respond(code: number, headers: AnswerHeaders, endStream: boolean): void {
    if (this.#closed) return;
    if (endStream) this.#answer = 'ended';
    this.#owner.respond(this, code, headers, endStream);
  }

  write(chunk: Uint8Array | string): Promise<void> | undefined {
    if (!this.#put(chunk)) return undefined;
    return this.#pending.room();
  }

  /** Bytes are copied when their turn comes, and nothing refers to those that are dropped. */
  async writeThrough(chunk: Uint8Array): Promise<boolean> {
    if (this.#put(chunk)) await this.#pending.emptied();
    return true;
  }

  get backlog(): number {
    return this.#pending.length;
  }

  end(trailers?: AnswerHeaders): void {
    if (this.#closed || this.#answer !== 'open') return;
    this.#answer = 'ending';
    this.#trailers = trailers;
    this.#owner.offer(this);
  }

  /** Every byte of the answer has been let through by the windows of the client, or the client is gone. */
  get taken(): boolean {
    if (this.#closed || this.#leaving || this.#answer === 'ended') return true;
    this.#leaving = this.#answer === 'ending' && this.#pending.length <= this.sendWindow && this.#owner.reserve(this.#pending.length);
    return this.#leaving;
  }

  onTaken(listener: () => void): void {
    if (this.#onTaken === undefined) this.#onTaken = [listener];
    else this.#onTaken.push(listener);
  }

  /** From the connection: the answer is out. */
  tellTaken(): void {
    const listeners = this.#onTaken;
    this.#onTaken = undefined;
    if (listeners !== undefined) for (const listener of listeners) listener();
  }

  reset(code: number = errorCodes.internal): void {
    if (!this.#closed) this.#owner.reset(this, code);
  }

  closeConnection(): void {
    this.#owner.close();
  }

  /** False when the client is gone. */
  #put(chunk: Uint8Array | string): boolean {
    if (this.#closed || this.#answer !== 'open') return false;
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    const length = this.#pending.length + bytes.length;
    this.#pending.put(length <= this.sendWindow && this.#owner.takesAtOnce(length) ? bytes : apart(bytes));
    this.#owner.offer(this);
    return true;
  }

  /** Bytes that the stream's own window lets through. */
  get sendable(): number {
    return Math.max(0, Math.min(this.#pending.length, this.sendWindow));
  }

  /** Has data and a window for it, or only its end. */
  get canSend(): boolean {
    return !this.#closed && (this.sendable > 0 || (this.#answer === 'ending' && this.#pending.length === 0));
  }

  /** Nothing more will be sent. */
  get ended(): boolean {
    return this.#answer === 'ended';
  }

  /** What ends the stream in place of its last data. */
  get trailers(): AnswerHeaders | undefined {
    return this.#trailers;
  }

  get requestEnded(): boolean {
    return this.#request === 'ended';
  }

  /** Returns where the frame ends. */
  putFrame(out: Buffer, at: number, length: number): number {
    const isLast = this.#answer === 'ending' && length === this.#pending.length;
    putDataHead(out, at, length, isLast && this.#trailers === undefined, this.id);
    this.#pending.take(out, at + frameHeadBytes, length);
    this.sendWindow -= length;
    if (isLast) this.#answer = 'ended';
    return at + frameHeadBytes + length;
  }

  /** False when it is not as long as was said. */
  receive(piece: Buffer, windowBytes: number): boolean {
    this.receiveWindow -= windowBytes;
    const { contentLength } = this.head;
    if (contentLength !== undefined && this.body.length + piece.length > contentLength) return false;
    this.body.add(piece, windowBytes);
    return true;
  }

  /** False when the body is not as long as was said. */
  endRequest(): boolean {
    const { contentLength } = this.head;
    if (contentLength !== undefined && contentLength !== this.body.length) return false;
    this.#request = 'ended';
    this.body.end();
    return true;
  }

  /** From the connection: nothing more comes or goes. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#pending.drop();
    this.body.break();
    for (const listener of this.#onClose ?? []) listener();
    this.#onClose = undefined;
    this.tellTaken();
  }
}
