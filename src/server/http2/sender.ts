// The sending half of a connection: frames of control and heads of answers in their order, then the data of the streams in
// turns of one frame, all that may go with one write. The next write waits until the socket has taken the last.
import type { TLSSocket } from 'node:tls';
import { ByteWriter } from '#base/http2/byte-writer.ts';
import type { Flushable, Outbox } from '#server/http2/outbox.ts';
import { defaultMaxFrameBytes, defaultWindow, frameHeadBytes } from '#base/http2/protocol.ts';
import type { Http2Stream } from '#server/http2/stream.ts';

/** A peer that lets more than this of control frames and heads wait is not read. */
const maxControlBacklog = 64 * 1024;
/** A frame is not cut for the end of a batch if less of it than this would fit. */
const smallestCut = 2048;

export interface SenderOptions {
  readonly socket: TLSSocket;
  readonly outbox: Outbox;
  /** After each write that has been taken. */
  readonly onTaken: () => void;
  /** The last byte of a stream's answer is on its way. */
  readonly onEnded: (stream: Http2Stream) => void;
}

export class Sender implements Flushable {
  /** What goes before any data. The connection writes to it and then calls `schedule`. */
  readonly control = new ByteWriter(512);
  /** The connection's window, as the peer has opened it. */
  window = defaultWindow;
  maxFrameBytes = defaultMaxFrameBytes;
  readonly #options: SenderOptions;
  /** Streams with something to send and a window for it, in the order of their turns. */
  #ready: Http2Stream[] = [];
  #controlSent = 0;
  /** Of the window, for answers that count as taken although they go out with the next write. */
  #reserved = 0;
  #state: 'idle' | 'scheduled' | 'writing' | 'ended' = 'idle';
  #ending = false;

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  get congested(): boolean {
    return this.control.length - this.#controlSent > maxControlBacklog;
  }

  /** A stream has something to send, or may send again. */
  offer(stream: Http2Stream): void {
    if (stream.queued || !stream.canSend) return;
    stream.queued = true;
    this.#ready.push(stream);
    this.schedule();
  }

  /** Whether so many bytes go out with the next write, together with those that were promised the same. */
  reserve(bytes: number): boolean {
    if (this.#reserved + bytes > Math.min(this.window, this.#options.outbox.batch.length / 2)) return false;
    this.#reserved += bytes;
    return true;
  }

  /** Whether the socket is free and the connection's window lets so many bytes through. */
  takesAtOnce(bytes: number): boolean {
    return this.#state !== 'writing' && bytes <= this.window;
  }

  /** Data that what was just read has let through goes at once: a turn of its own would gather nothing more. */
  flushData(): void {
    if (this.#ready.length > 0) this.flush();
  }

  schedule(): void {
    if (this.#state !== 'idle') return;
    this.#state = 'scheduled';
    this.#options.outbox.schedule(this);
  }

  /** Ends the socket once everything is sent. */
  end(): void {
    this.#ending = true;
    this.schedule();
  }

  /** Sends what there is of control, and ends the socket. */
  abandonData(): void {
    this.#ready = [];
    this.end();
  }

  flush(): void {
    const { socket, outbox } = this.#options;
    if (this.#state === 'ended' || this.#state === 'writing') return;
    this.#state = 'idle';
    this.#reserved = 0;
    if (!socket.writable) return;
    const length = this.#fill(outbox.batch);
    if (length === 0) return this.#endIfAsked();
    this.#state = 'writing';
    socket.write(outbox.batch.subarray(0, length), this.#taken);
  }

  readonly #taken = (): void => {
    this.#state = 'idle';
    if (this.#ready.length > 0 || this.control.length > 0 || this.#ending) this.flush();
    this.#options.onTaken();
  };

  #endIfAsked(): void {
    if (!this.#ending) return;
    this.#state = 'ended';
    this.#options.socket.end();
  }

  #fill(batch: Buffer): number {
    const at = this.#fillControl(batch);
    return this.control.length > 0 || this.#ready.length === 0 ? at : this.#fillData(batch, at);
  }

  #fillControl(batch: Buffer): number {
    const left = this.control.written.subarray(this.#controlSent);
    const length = Math.min(left.length, batch.length);
    batch.set(length === left.length ? left : left.subarray(0, length));
    this.#controlSent += length;
    if (this.#controlSent === this.control.length) {
      this.control.clear();
      this.#controlSent = 0;
    }
    return length;
  }

  /** Goes round until everybody who is left has nothing, or no window, or no room. */
  #fillData(batch: Buffer, start: number): number {
    const ready = this.#ready;
    let at = start;
    let next = 0;
    for (let passed = 0; passed < ready.length - next; ) {
      const stream = ready[next++] as Http2Stream;
      const length = this.#share(stream, batch.length - at - frameHeadBytes);
      if (length >= 0) {
        at = stream.putFrame(batch, at, length);
        this.window -= length;
        passed = 0;
        if (stream.ended) this.#options.onEnded(stream);
      } else passed++;
      stream.queued = stream.canSend;
      if (stream.queued) ready.push(stream);
    }
    this.#ready = next === 0 ? ready : ready.slice(next);
    return at;
  }

  /** How much of a stream goes into the next frame; -1: nothing now. */
  #share(stream: Http2Stream, room: number): number {
    const sendable = Math.min(stream.sendable, this.maxFrameBytes);
    if (sendable === 0) return stream.canSend && room >= 0 ? 0 : -1;
    const length = Math.min(sendable, this.window, room);
    return length <= 0 || (length === room && length < Math.min(sendable, smallestCut)) ? -1 : length;
  }
}
