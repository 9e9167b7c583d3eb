// The client's side of an HTTP/2 connection (RFC 9113), for calls of servers that we trust: requests of one message or many, with what was asked for in
// one turn of the event loop in one write. `node:http2` cost three times as much per call (docs/decisions/0008-etcd-store.md).
import type { Socket } from 'node:net';
import { ByteWriter } from '#base/http2/byte-writer.ts';
import { ClientStream, type ClientStreamEnd, type ClientStreamListener } from '#base/http2/client-stream.ts';
import { FrameReader } from '#base/http2/frame-reader.ts';
import { exactly, onConnection, onStream, protocolError } from '#base/http2/frame-rules.ts';
import { writeHeaderBlock, writePing, writeReset, writeSettings, writeSettingsAck, writeWindowUpdate } from '#base/http2/frames.ts';
import { type HeaderBlock, HeaderBlockReader, withoutPadding } from '#base/http2/header-block.ts';
import { HpackDecoder } from '#base/http2/hpack/decoder.ts';
import type { Timers } from '#base/timers.ts';
import { readSettings } from '#base/http2/peer-settings.ts';
import { ChurningMap, ChurningSet } from '#base/memory/churning.ts';
import {
  clientPreface,
  ConnectionError,
  defaultMaxFrameBytes,
  defaultWindow,
  errorCodes,
  flags,
  frameTypes,
  maxStreamId,
  maxWindow,
  settingIds,
} from '#base/http2/protocol.ts';

/** First lists and watches bring megabytes; the default of 64 KiB would make a round trip of every few frames. */
const receiveWindow = 8 << 20;
const headerTableBytes = 4096;
const headBytes = 64 * 1024;
/** A larger batch goes to the socket as it lies, and the next one is gathered elsewhere. */
const largestCopied = 64 * 1024;
/** A peer that measures the connection pings with every message: our answers go with the next request, or after this time. */
const pongMs = 10;
const pingPayload = Buffer.from('binnacle');

export interface Http2ClientOptions {
  readonly timers: Timers;
  /** The settings of the peer have come: it speaks HTTP/2. */
  readonly onReady: () => void;
  /** Once, after all streams were told. */
  readonly onClose: (why: string) => void;
}

export class Http2Client {
  readonly #socket: Socket;
  readonly #options: Http2ClientOptions;
  readonly #reader = new FrameReader((...frame) => this.#take(...frame), 'server');
  readonly #decoder = new HpackDecoder(headerTableBytes);
  readonly #blocks = new HeaderBlockReader(headBytes);
  readonly #streams = new ChurningMap<number, ClientStream>();
  /** Those that the peer does not allow yet. */
  readonly #queue: ClientStream[] = [];
  /** Those with something to send that a window holds back. */
  readonly #heldBack = new ChurningSet<ClientStream>();
  #out = new ByteWriter(16 * 1024);
  #flushing = false;
  /** `leaving`: no more requests are taken. */
  #state: 'greeting' | 'open' | 'leaving' | 'closed' = 'greeting';
  #nextId = 1;
  #window = defaultWindow;
  #peerWindow = defaultWindow;
  #maxFrameBytes = defaultMaxFrameBytes;
  #maxStreams = Number.POSITIVE_INFINITY;
  /** Bytes of answers that the connection's window has not got back. */
  #taken = 0;
  #pong: (() => void) | undefined;
  #cancelPong: (() => void) | undefined;
  #why = 'the connection was closed';
  /** Of `performance.now()`: when an answer last came. */
  heardAt = performance.now();

  constructor(socket: Socket, options: Http2ClientOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#out.text(clientPreface);
    writeSettings(this.#out, [
      [settingIds.enablePush, 0],
      [settingIds.initialWindowSize, receiveWindow],
    ]);
    writeWindowUpdate(this.#out, 0, receiveWindow - defaultWindow);
    this.#schedule();
    socket.on('data', (chunk: Buffer) => this.#hear(chunk));
    socket.on('error', (error) => {
      this.#why = error.message;
    });
    socket.once('close', () => this.#gone());
  }

  /** Requests may begin. */
  get isOpen(): boolean {
    return this.#state === 'open';
  }

  /** `isWhole`: `body` is all of it, or nothing where it is empty. */
  request(block: Buffer, body: Uint8Array, isWhole: boolean, listener: ClientStreamListener): ClientStream {
    const stream = new ClientStream(block, body, isWhole, listener);
    if (!this.isOpen) listener.closed('unseen');
    else if (this.#streams.size < this.#maxStreams) this.#begin(stream);
    else this.#queue.push(stream);
    return stream;
  }

  send(stream: ClientStream, piece: Uint8Array): void {
    stream.put(piece);
    if (this.#streams.has(stream.id)) this.#sendData(stream);
  }

  /** The listener is told nothing more. */
  cancel(stream: ClientStream): void {
    const waiting = this.#queue.indexOf(stream);
    if (waiting >= 0) this.#queue.splice(waiting, 1);
    if (!this.#streams.has(stream.id)) return;
    writeReset(this.#out, stream.id, errorCodes.cancel);
    this.#schedule();
    this.#forget(stream);
  }

  ping(answered: () => void): void {
    this.#pong = answered;
    writePing(this.#out, pingPayload, false);
    this.#schedule();
  }

  close(why: string): void {
    if (this.#state === 'closed') return;
    this.#why = why;
    this.#socket.destroy();
    this.#gone();
  }

  #begin(stream: ClientStream): void {
    stream.id = this.#nextId;
    this.#nextId += 2;
    stream.sendWindow = this.#peerWindow;
    this.#streams.set(stream.id, stream);
    writeHeaderBlock(this.#out, stream.id, stream.block, stream.isWhole && !stream.hasWaiting, this.#maxFrameBytes);
    this.#sendData(stream);
    if (this.#nextId > maxStreamId) this.#leave();
  }

  #sendData(stream: ClientStream): void {
    this.#window -= stream.writeData(this.#out, this.#window, this.#maxFrameBytes);
    if (stream.hasWaiting) this.#heldBack.add(stream);
    else this.#heldBack.delete(stream);
    this.#schedule();
  }

  #sendHeldBack(): void {
    for (const stream of this.#heldBack) this.#sendData(stream);
  }

  /** What others ask for in this turn of the event loop goes with the same write. */
  #schedule(): void {
    if (this.#flushing) return;
    this.#flushing = true;
    setImmediate(this.#flush);
  }

  readonly #flush = (): void => {
    this.#flushing = false;
    this.#cancelPong?.();
    this.#cancelPong = undefined;
    const { written } = this.#out;
    if (!this.#socket.writable || written.length === 0) return;
    if (written.length > largestCopied) this.#out = new ByteWriter(16 * 1024);
    this.#socket.write(written.length > largestCopied ? written : Buffer.from(written));
    this.#out.clear();
  };

  #end(stream: ClientStream, end: ClientStreamEnd): void {
    // An answer may come before all of the request is out: the rest is of no use to the peer.
    if (end === 'ended' && (stream.hasWaiting || !stream.isWhole)) {
      writeReset(this.#out, stream.id, errorCodes.none);
      this.#schedule();
    }
    this.#forget(stream);
    stream.listener.closed(end);
  }

  #forget(stream: ClientStream): void {
    this.#streams.delete(stream.id);
    this.#heldBack.delete(stream);
    const next = this.#state === 'open' && this.#streams.size < this.#maxStreams ? this.#queue.shift() : undefined;
    if (next !== undefined) this.#begin(next);
    if (this.#state === 'leaving') this.#closeIfDone();
  }

  /** Requests that are under way may end; those that never do have to begin again elsewhere. */
  #leave(): void {
    if (this.#state === 'closed') return;
    this.#state = 'leaving';
    for (const stream of this.#queue.splice(0)) stream.listener.closed('unseen');
    this.#closeIfDone();
  }

  #closeIfDone(): void {
    for (const { isWhole } of this.#streams.values()) if (isWhole) return;
    this.close('the server takes no more requests');
  }

  #gone(): void {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    const streams = [...this.#streams.values()];
    this.#streams.clear();
    this.#heldBack.clear();
    this.#cancelPong?.();
    for (const stream of streams) stream.listener.closed('lost');
    for (const stream of this.#queue.splice(0)) stream.listener.closed('unseen');
    this.#options.onClose(this.#why);
  }

  #hear(chunk: Buffer): void {
    try {
      this.#reader.push(chunk);
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error;
      this.close(error.message);
    }
  }

  #take(type: number, frameFlags: number, id: number, payload: Buffer): void {
    if (this.#state === 'closed') return;
    if (this.#blocks.pending !== undefined && type !== frameTypes.continuation) throw protocolError('a header block is interrupted');
    if (this.#state === 'greeting' && type !== frameTypes.settings) throw protocolError('this is no HTTP/2');
    if (type === frameTypes.data) this.#takeData(frameFlags, id, payload);
    else if (type === frameTypes.headers) this.#takeHeaders(this.#blocks.headers(frameFlags, id, payload));
    else if (type === frameTypes.continuation) this.#takeHeaders(this.#blocks.continuation(frameFlags, id, payload));
    else if (type === frameTypes.windowUpdate) this.#takeWindowUpdate(id, payload);
    else if (type === frameTypes.rstStream) this.#takeReset(id, payload);
    else if (type === frameTypes.settings) this.#takeSettings(frameFlags, id, payload);
    else if (type === frameTypes.ping) this.#takePing(frameFlags, id, payload);
    else if (type === frameTypes.goaway) this.#takeGoaway(id, payload);
    else if (type === frameTypes.pushPromise) throw protocolError('a push that was not allowed');
  }

  #takeData(frameFlags: number, id: number, payload: Buffer): void {
    onStream(id);
    this.heardAt = performance.now();
    this.#taken = this.#giveBack(0, this.#taken + payload.length);
    const stream = this.#streams.get(id);
    if (stream === undefined) return;
    const isLast = (frameFlags & flags.endStream) !== 0;
    stream.taken += payload.length;
    if (!isLast) stream.taken = this.#giveBack(id, stream.taken);
    stream.listener.data(withoutPadding(frameFlags, payload));
    if (isLast && this.#streams.has(id)) this.#end(stream, 'ended');
  }

  /** Opens the window again when half of it was used; returns what it has not got back. */
  #giveBack(id: number, taken: number): number {
    if (taken < receiveWindow / 2) return taken;
    writeWindowUpdate(this.#out, id, taken);
    this.#schedule();
    return 0;
  }

  #takeHeaders(block: HeaderBlock | undefined): void {
    if (block === undefined) return;
    onStream(block.streamId);
    this.heardAt = performance.now();
    const stream = this.#streams.get(block.streamId);
    // What the block says of the table concerns later ones too, whoever it is for.
    this.#decoder.decode(block.bytes, (name, value) => stream?.listener.field(name, value));
    if (block.endStream && stream !== undefined) this.#end(stream, 'ended');
  }

  #takeWindowUpdate(id: number, payload: Buffer): void {
    exactly(4, payload);
    const increment = payload.readUInt32BE(0) & 0x7fff_ffff;
    if (id === 0) {
      this.#window += increment;
      if (this.#window > maxWindow) throw new ConnectionError(errorCodes.flowControl, 'the window of the connection is too large');
      return this.#sendHeldBack();
    }
    const stream = this.#streams.get(id);
    if (stream === undefined) return;
    stream.sendWindow += increment;
    if (this.#heldBack.has(stream)) this.#sendData(stream);
  }

  #takeReset(id: number, payload: Buffer): void {
    onStream(id);
    exactly(4, payload);
    const stream = this.#streams.get(id);
    if (stream !== undefined) this.#end(stream, payload.readUInt32BE(0) === errorCodes.refusedStream ? 'unseen' : 'lost');
  }

  #takeSettings(frameFlags: number, id: number, payload: Buffer): void {
    onConnection(id);
    if ((frameFlags & flags.ack) !== 0) return;
    const { initialWindowSize = this.#peerWindow, maxFrameSize = this.#maxFrameBytes, maxConcurrentStreams = this.#maxStreams } = readSettings(payload);
    for (const stream of this.#streams.values()) stream.sendWindow += initialWindowSize - this.#peerWindow;
    this.#peerWindow = initialWindowSize;
    this.#maxFrameBytes = maxFrameSize;
    this.#maxStreams = maxConcurrentStreams;
    writeSettingsAck(this.#out);
    this.#schedule();
    this.#sendHeldBack();
    if (this.#state !== 'greeting') return;
    this.#state = 'open';
    this.#options.onReady();
  }

  #takePing(frameFlags: number, id: number, payload: Buffer): void {
    onConnection(id);
    exactly(8, payload);
    if ((frameFlags & flags.ack) !== 0) {
      this.#pong?.();
      this.#pong = undefined;
      return;
    }
    writePing(this.#out, payload, true);
    this.#cancelPong ??= this.#options.timers.after(pongMs, this.#flush);
  }

  #takeGoaway(id: number, payload: Buffer): void {
    onConnection(id);
    if (payload.length < 8) throw new ConnectionError(errorCodes.frameSize, 'GOAWAY is cut off');
    const last = payload.readUInt32BE(0) & maxStreamId;
    this.#leave();
    for (const stream of this.#streams.values()) if (stream.id > last && this.#streams.has(stream.id)) this.#end(stream, 'unseen');
  }
}
