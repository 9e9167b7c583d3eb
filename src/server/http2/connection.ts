// The server's side of an HTTP/2 connection (RFC 9113): what each frame of the client means, and the life of its streams.
// Of a rule broken within a stream the stream is reset; of one that concerns the connection it ends, after a GOAWAY that says why.
import type { TLSSocket } from 'node:tls';
import type { AnswerHeaders } from '#server/front/exchange.ts';
import { Allowance, chatter, resets } from '#server/http2/allowance.ts';
import { ClosedStreams, type End } from '#server/http2/closed-streams.ts';
import { FrameReader } from '#base/http2/frame-reader.ts';
import { exactly, onConnection, onStream, protocolError } from '#base/http2/frame-rules.ts';
import { writeGoaway, writePing, writeReset, writeSettings, writeSettingsAck, writeWindowUpdate } from '#base/http2/frames.ts';
import { FieldDecoder } from '#server/http2/field-decoder.ts';
import { HeadWriter } from '#server/http2/head-writer.ts';
import { dependencyIn, type HeaderBlock, HeaderBlockReader, withoutPadding } from '#base/http2/header-block.ts';
import type { Outbox } from '#server/http2/outbox.ts';
import { readSettings } from '#base/http2/peer-settings.ts';
import { ConnectionError, defaultWindow, errorCodes, flags, frameTypes, maxStreamId, maxWindow, settingIds } from '#base/http2/protocol.ts';
import { ChurningMap } from '#base/memory/churning.ts';
import { areTrailers, readRequestHead, type RequestHead, tooLargeHead } from '#server/http2/request-head.ts';
import { Sender } from '#server/http2/sender.ts';
import { Http2Stream, type StreamOwner } from '#server/http2/stream.ts';
import type { Readable } from '#server/front/read-turns.ts';

export interface Http2Options {
  readonly outbox: Outbox;
  /** At once, per connection. */
  readonly maxStreams: number;
  /** Of a request: its fields as HPACK counts them, and its header block as it comes. */
  readonly headBytes: number;
  /** Milliseconds. */
  readonly now: () => number;
  /** For the `date` of answers. */
  readonly date: () => string;
  /** Resolves when the request is done with; rejects never. */
  readonly onRequest: (stream: Http2Stream) => Promise<void>;
}

/** How much of a body is taken before the handler reads it. */
const streamWindow = 256 * 1024;
/** How long a client has to answer our goodbye, and to hang up after it. */
const goodbyeMs = 1000;
/** The same for one that is shown out, perhaps in the middle of sending: clients lose what we said when the connection breaks under them. */
const showOutMs = 10_000;
const mostThrownAway = 4 * 1024 * 1024;
const goodbyePing = Buffer.from('goodbye!');

/**
 * - `open`: requests are taken.
 * - `leaving`: the client has been told to send no more requests; those that have crossed with it are still taken.
 * - `left`: the client has been told which was the last.
 * - `broken`: what still comes is thrown away.
 */
type State = 'open' | 'leaving' | 'left' | 'broken' | 'closed';

export class Http2Connection implements StreamOwner, Readable {
  readonly #socket: TLSSocket;
  readonly #options: Http2Options;
  readonly #sender: Sender;
  readonly #reader = new FrameReader((...frame) => this.#take(...frame), 'client');
  readonly #fields: FieldDecoder;
  readonly #heads: HeadWriter;
  readonly #blocks: HeaderBlockReader;
  readonly #streams = new ChurningMap<number, Http2Stream>();
  readonly #closedStreams = new ClosedStreams();
  readonly #resets: Allowance;
  readonly #chatter: Allowance;
  #state: State = 'open';
  #settled = false;
  #lastStreamId = 0;
  /** Requests whose handler runs, also of streams that are gone. */
  #running = 0;
  #peerInitialWindow = defaultWindow;
  /** Bytes of data that the connection's window has not got back. */
  #taken = 0;
  #thrownAway = 0;
  /** Others have to be read first. */
  #deferred = false;
  #goodbye: NodeJS.Timeout | undefined;
  /** Since when there has been no request. */
  #idleSince: number;

  constructor(socket: TLSSocket, options: Http2Options) {
    this.#socket = socket;
    this.#options = options;
    this.#idleSince = options.now();
    this.#blocks = new HeaderBlockReader(options.headBytes);
    this.#fields = new FieldDecoder(options.headBytes);
    this.#resets = new Allowance(resets.burst, resets.perSecond, options.now);
    this.#chatter = new Allowance(chatter.burst, chatter.perSecond, options.now);
    this.#sender = new Sender({ socket, outbox: options.outbox, onTaken: () => this.#readOrNot(), onEnded: (stream) => this.#sent(stream) });
    this.#heads = new HeadWriter(this.#sender, options.outbox.scratch, options.date);
    this.#greet();
    socket.on('data', (chunk: Buffer) => this.#hear(chunk));
    // What is wrong with a socket shows in its closing.
    socket.on('error', () => {});
    socket.once('close', () => this.#gone());
  }

  /** Takes no new requests, lets the running ones end, and then hangs up. */
  close(): void {
    if (this.#state !== 'open') return;
    this.#state = 'leaving';
    writeGoaway(this.#sender.control, maxStreamId, errorCodes.none, '');
    writePing(this.#sender.control, goodbyePing, false);
    this.#sender.schedule();
    this.#goodbye = setTimeout(() => this.#leave(), goodbyeMs).unref();
  }

  /** A head that never becomes whole is no request. */
  closeIfIdle(forMs: number): void {
    if (this.#streams.size === 0 && this.#options.now() - this.#idleSince >= forMs) this.close();
  }

  stopReading(): void {
    this.#deferred = true;
    this.#readOrNot();
  }

  startReading(): void {
    this.#deferred = false;
    this.#readOrNot();
  }

  // What streams ask for.

  respond(stream: Http2Stream, code: number, headers: AnswerHeaders, endStream: boolean): void {
    this.#heads.head(stream, code, headers, endStream);
    if (endStream) this.#answered(stream);
  }

  offer(stream: Http2Stream): void {
    this.#sender.offer(stream);
  }

  reserve(bytes: number): boolean {
    return this.#sender.reserve(bytes);
  }

  takesAtOnce(bytes: number): boolean {
    return this.#sender.takesAtOnce(bytes);
  }

  reset(stream: Http2Stream, code: number): void {
    this.#resetId(stream.id, code);
    this.#forget(stream, 'reset by us');
  }

  openWindow(stream: Http2Stream, bytes: number): void {
    if (stream.closed) return;
    stream.receiveWindow += bytes;
    writeWindowUpdate(this.#sender.control, stream.id, bytes);
    this.#sender.schedule();
  }

  /** The last data of the stream is on its way; trailers go with the next write. */
  #sent(stream: Http2Stream): void {
    if (stream.trailers !== undefined) this.#heads.trailers(stream, stream.trailers);
    this.#answered(stream);
  }

  // The life of streams.

  #begin(id: number, head: RequestHead, requestEnded: boolean): Http2Stream {
    const stream = new Http2Stream({ id, head, owner: this, sendWindow: this.#peerInitialWindow, receiveWindow: streamWindow }, requestEnded);
    this.#streams.set(id, stream);
    return stream;
  }

  #serve(stream: Http2Stream): void {
    this.#running++;
    void this.#options.onRequest(stream).then(() => this.#running--);
  }

  #answered(stream: Http2Stream): void {
    this.#resets.giveBack();
    stream.body.discard();
    stream.tellTaken();
    this.#endIfAnswered(stream);
  }

  /** A request that is answered before it has ended may end by itself, but not send much more. */
  #endIfAnswered(stream: Http2Stream): void {
    if (!stream.ended || stream.closed) return;
    if (stream.requestEnded) this.#forget(stream, 'both sides');
    else if (this.#state === 'left' || stream.receiveWindow < streamWindow / 2) this.reset(stream, errorCodes.none);
  }

  #forget(stream: Http2Stream, end: End): void {
    this.#streams.delete(stream.id);
    if (this.#streams.size === 0) this.#idleSince = this.#options.now();
    this.#closedStreams.add(stream.id, end);
    stream.close();
    this.#hangUpIfDone();
  }

  #resetId(id: number, code: number): void {
    this.#closedStreams.add(id, 'reset by us');
    writeReset(this.#sender.control, id, code);
    this.#sender.schedule();
  }

  /** The peer has broken a rule: a stream that it makes us reset is as dear as one that it resets itself. */
  #refuse(id: number, code: number): void {
    this.#resetId(id, code);
    const stream = this.#streams.get(id);
    if (stream === undefined) return;
    this.#forget(stream, 'reset by us');
    this.#countReset();
  }

  #countReset(): void {
    if (!this.#resets.spend()) throw new ConnectionError(errorCodes.enhanceYourCalm, 'too many requests are given up');
  }

  #countChatter(): void {
    if (!this.#chatter.spend()) throw new ConnectionError(errorCodes.enhanceYourCalm, 'too many frames that ask for nothing');
  }

  // The life of the connection.

  get #wholeWindow(): number {
    return Math.min(maxWindow, Math.max(defaultWindow, streamWindow * this.#options.maxStreams));
  }

  #greet(): void {
    const { control } = this.#sender;
    writeSettings(control, [
      [settingIds.maxConcurrentStreams, this.#options.maxStreams],
      [settingIds.initialWindowSize, streamWindow],
      [settingIds.maxHeaderListSize, this.#options.headBytes],
    ]);
    if (this.#wholeWindow > defaultWindow) writeWindowUpdate(control, 0, this.#wholeWindow - defaultWindow);
    this.#sender.schedule();
  }

  /** No reason not to read may be left. */
  #readOrNot(): void {
    const wanted = this.#state === 'broken' || !(this.#deferred || this.#sender.congested);
    if (wanted === !this.#socket.isPaused()) return;
    if (wanted) this.#socket.resume();
    else this.#socket.pause();
  }

  #hear(chunk: Buffer): void {
    if (this.#state === 'broken') return this.#throwAway(chunk);
    try {
      this.#reader.push(chunk);
    } catch (cause) {
      if (!(cause instanceof ConnectionError)) throw cause;
      this.#break(cause);
    }
    this.#sender.flushData();
    if (this.#sender.congested) this.#readOrNot();
  }

  /** Who is in the middle of sending can finish and then read why it was shown out; who goes on and on is cut off. */
  #throwAway(chunk: Buffer): void {
    this.#thrownAway += chunk.length;
    if (this.#thrownAway > mostThrownAway) this.#socket.destroy();
  }

  #break({ code, message }: ConnectionError): void {
    this.#state = 'broken';
    writeGoaway(this.#sender.control, this.#lastStreamId, code, message);
    this.#sender.abandonData();
    this.#closeStreams();
    this.#readOrNot();
    this.#destroyAfter(showOutMs);
  }

  /** The second half of a goodbye: whatever comes now has not been taken. */
  #leave(): void {
    if (this.#state !== 'leaving') return;
    this.#state = 'left';
    writeGoaway(this.#sender.control, this.#lastStreamId, errorCodes.none, '');
    this.#sender.schedule();
    for (const stream of this.#streams.values()) this.#endIfAnswered(stream);
    this.#hangUpIfDone();
  }

  #hangUpIfDone(): void {
    if (this.#state !== 'left' || this.#streams.size > 0) return;
    this.#sender.end();
    this.#destroyAfter(goodbyeMs);
  }

  /** A client that does not read, or does not hang up, must not keep its connection. */
  #destroyAfter(ms: number): void {
    clearTimeout(this.#goodbye);
    this.#goodbye = setTimeout(() => this.#socket.destroy(), ms).unref();
  }

  #gone(): void {
    this.#state = 'closed';
    clearTimeout(this.#goodbye);
    this.#closeStreams();
  }

  #closeStreams(): void {
    const streams = [...this.#streams.values()];
    this.#streams.clear();
    for (const stream of streams) stream.close();
  }

  // What comes.

  #take(type: number, frameFlags: number, streamId: number, payload: Buffer): void {
    if (this.#state === 'broken' || this.#state === 'closed') return;
    if (!this.#settled && type !== frameTypes.settings) throw protocolError('SETTINGS must come first');
    if (this.#blocks.pending !== undefined && type !== frameTypes.continuation) throw protocolError('a header block is not complete');
    switch (type) {
      case frameTypes.data:
        return this.#takeData(frameFlags, streamId, payload);
      case frameTypes.headers:
        return this.#takeHeaders(frameFlags, streamId, payload);
      case frameTypes.priority:
        return this.#takePriority(streamId, payload);
      case frameTypes.rstStream:
        return this.#takeReset(streamId, payload);
      case frameTypes.settings:
        return this.#takeSettings(frameFlags, streamId, payload);
      case frameTypes.pushPromise:
        throw protocolError('clients do not push');
      case frameTypes.ping:
        return this.#takePing(frameFlags, streamId, payload);
      case frameTypes.goaway:
        return onConnection(streamId);
      case frameTypes.windowUpdate:
        return this.#takeWindowUpdate(streamId, payload);
      case frameTypes.continuation:
        return this.#takeContinuation(frameFlags, streamId, payload);
      default:
    }
  }

  #takeData(frameFlags: number, id: number, payload: Buffer): void {
    onStream(id);
    this.#giveBackWindow(payload.length);
    const piece = withoutPadding(frameFlags, payload);
    const endsRequest = (frameFlags & flags.endStream) !== 0;
    if (payload.length === 0 && !endsRequest) this.#countChatter();
    const stream = this.#streams.get(id);
    if (stream === undefined) return this.#takeLate(id);
    if (stream.requestEnded) return this.#refuse(id, errorCodes.streamClosed);
    if (payload.length > stream.receiveWindow) return this.#refuse(id, errorCodes.flowControl);
    if (!stream.receive(piece, payload.length) || (endsRequest && !stream.endRequest())) return this.#refuse(id, errorCodes.protocol);
    this.#endIfAnswered(stream);
  }

  /** The windows of the streams bound what is kept. The connection's is all of them together, and given back at once, in large steps. */
  #giveBackWindow(bytes: number): void {
    this.#taken += bytes;
    if (this.#taken * 2 < this.#wholeWindow) return;
    writeWindowUpdate(this.#sender.control, 0, this.#taken);
    this.#sender.schedule();
    this.#taken = 0;
  }

  /** DATA or HEADERS for a stream that is not open. */
  #takeLate(id: number): void {
    if (id > this.#lastStreamId) {
      if (this.#state === 'left' && id % 2 === 1) return;
      throw protocolError('a stream that has not begun');
    }
    const end = this.#closedStreams.endOf(id);
    if (end === 'reset by us') return;
    throw new ConnectionError(end === undefined ? errorCodes.protocol : errorCodes.streamClosed, 'the stream is closed');
  }

  #takeHeaders(frameFlags: number, id: number, payload: Buffer): void {
    onStream(id);
    const block = this.#blocks.headers(frameFlags, id, payload);
    if (block !== undefined) this.#takeBlock(block);
  }

  #takeContinuation(frameFlags: number, id: number, payload: Buffer): void {
    if (payload.length === 0) this.#countChatter();
    const block = this.#blocks.continuation(frameFlags, id, payload);
    if (block !== undefined) this.#takeBlock(block);
  }

  /** Every block is decoded, whatever becomes of it: the next one builds on it. */
  #takeBlock(block: HeaderBlock): void {
    const fields = this.#fields.decode(block.bytes);
    const stream = this.#streams.get(block.streamId);
    if (stream !== undefined) this.#takeTrailers(stream, block, fields);
    else if (block.streamId <= this.#lastStreamId) this.#takeLate(block.streamId);
    else this.#takeRequest(block, fields);
  }

  #takeTrailers(stream: Http2Stream, { endStream }: HeaderBlock, fields: readonly string[] | undefined): void {
    if (stream.requestEnded) return this.#refuse(stream.id, errorCodes.streamClosed);
    const wellFormed = endStream && fields !== undefined && areTrailers(fields);
    if (!wellFormed || !stream.endRequest()) return this.#refuse(stream.id, errorCodes.protocol);
    this.#endIfAnswered(stream);
  }

  #takeRequest({ streamId: id, endStream, dependsOnItself }: HeaderBlock, fields: readonly string[] | undefined): void {
    if (id % 2 === 0) throw protocolError('streams of a client have odd numbers');
    if (this.#state === 'left') return;
    this.#lastStreamId = id;
    if (this.#isFull) return this.#resetId(id, errorCodes.refusedStream);
    if (fields === undefined) return this.#begin(id, tooLargeHead, endStream).respond(431, {}, true);
    const head = dependsOnItself ? undefined : readRequestHead(fields);
    if (head === undefined || (endStream && (head.contentLength ?? 0) > 0)) return this.#resetId(id, errorCodes.protocol);
    this.#serve(this.#begin(id, head, endStream));
  }

  /** A client that resets its streams does not get more work done at once than one that waits for the answers. */
  get #isFull(): boolean {
    const { maxStreams } = this.#options;
    return this.#streams.size >= maxStreams || this.#running >= 2 * maxStreams;
  }

  #takePriority(id: number, payload: Buffer): void {
    onStream(id);
    this.#countChatter();
    if (payload.length !== 5) this.#refuse(id, errorCodes.frameSize);
    else if (dependencyIn(payload) === id) this.#refuse(id, errorCodes.protocol);
  }

  #takeReset(id: number, payload: Buffer): void {
    onStream(id);
    exactly(4, payload);
    this.#notIdle(id);
    const stream = this.#streams.get(id);
    if (stream === undefined) return;
    this.#forget(stream, 'reset by the peer');
    this.#countReset();
  }

  #takeSettings(frameFlags: number, id: number, payload: Buffer): void {
    onConnection(id);
    if ((frameFlags & flags.ack) !== 0) return exactly(0, payload);
    this.#settled = true;
    this.#countChatter();
    const settings = readSettings(payload);
    if (settings.headerTableSize !== undefined) this.#heads.limitTable(settings.headerTableSize);
    if (settings.maxFrameSize !== undefined) this.#sender.maxFrameBytes = Math.min(settings.maxFrameSize, largestFrameSent);
    if (settings.initialWindowSize !== undefined) this.#changeWindows(settings.initialWindowSize);
    writeSettingsAck(this.#sender.control);
    this.#sender.schedule();
  }

  /** Of streams that are open too; they may come to owe. */
  #changeWindows(initial: number): void {
    const change = initial - this.#peerInitialWindow;
    this.#peerInitialWindow = initial;
    for (const stream of this.#streams.values()) {
      stream.sendWindow += change;
      if (stream.sendWindow > maxWindow) throw new ConnectionError(errorCodes.flowControl, 'a window is too large');
      this.#sender.offer(stream);
    }
  }

  #takePing(frameFlags: number, id: number, payload: Buffer): void {
    onConnection(id);
    exactly(8, payload);
    if ((frameFlags & flags.ack) !== 0) {
      if (payload.equals(goodbyePing)) this.#leave();
      return;
    }
    this.#countChatter();
    writePing(this.#sender.control, payload, true);
    this.#sender.schedule();
  }

  #takeWindowUpdate(id: number, payload: Buffer): void {
    exactly(4, payload);
    const increment = payload.readUInt32BE(0) & 0x7fff_ffff;
    if (id === 0) return this.#openSendWindow(increment);
    this.#notIdle(id);
    const stream = this.#streams.get(id);
    if (stream === undefined) return;
    if (increment === 0) return this.#refuse(id, errorCodes.protocol);
    stream.sendWindow += increment;
    if (stream.sendWindow > maxWindow) this.#refuse(id, errorCodes.flowControl);
    else this.#sender.offer(stream);
  }

  #openSendWindow(increment: number): void {
    if (increment === 0) throw protocolError('a window that opens by nothing');
    this.#sender.window += increment;
    if (this.#sender.window > maxWindow) throw new ConnectionError(errorCodes.flowControl, 'the window of the connection is too large');
  }

  #notIdle(id: number): void {
    if (id > this.#lastStreamId && this.#state !== 'left') throw protocolError('a stream that has not begun');
  }
}

/** Larger ones would make other streams wait longer. */
const largestFrameSent = 16_384;
