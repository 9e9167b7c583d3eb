import { EventEmitter } from 'node:events';
import type { TLSSocket } from 'node:tls';
import { describe, expect, test } from 'vitest';
import { shortLivedCopy } from '#base/memory/short-lived.ts';
import { nextTurn } from '#base/next-turn.ts';
import { ByteWriter } from '#base/http2/byte-writer.ts';
import { Http2Connection, type Http2Options } from '#server/http2/connection.ts';
import { FrameReader } from '#base/http2/frame-reader.ts';
import { writeFrameHead, writeHeaderBlock, writeSettings, writeWindowUpdate } from '#base/http2/frames.ts';
import { HpackDecoder } from '#base/http2/hpack/decoder.ts';
import { HpackEncoder } from '#base/http2/hpack/encoder.ts';
import { Outbox } from '#server/http2/outbox.ts';
import { clientPreface, errorCodes, flags, frameTypes, settingIds } from '#base/http2/protocol.ts';
import type { Http2Stream } from '#server/http2/stream.ts';

/** The wire: takes what is written when it is told to. */
class FakeSocket extends EventEmitter {
  readonly writes: Buffer[] = [];
  writable = true;
  ended = false;
  destroyed = false;
  takes = true;
  #paused = false;
  #waiting: (() => void)[] = [];

  write(bytes: Buffer, taken: () => void): boolean {
    this.writes.push(Buffer.from(bytes));
    if (this.takes) setImmediate(taken);
    else this.#waiting.push(taken);
    return false;
  }

  takeAgain(): void {
    this.takes = true;
    for (const taken of this.#waiting.splice(0)) taken();
  }

  isPaused(): boolean {
    return this.#paused;
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
  }

  end(): void {
    this.ended = true;
    this.writable = false;
  }

  destroy(): void {
    this.destroyed = true;
    this.emit('close');
  }
}

interface Frame {
  readonly type: number;
  readonly flags: number;
  readonly id: number;
  readonly payload: Buffer;
}

type Fields = readonly (readonly [string, string])[];

/** A client that says exactly what it is told to. */
class RawClient {
  readonly socket = new FakeSocket();
  readonly connection: Http2Connection;
  readonly requests: Http2Stream[] = [];
  readonly #encoder = new HpackEncoder();
  readonly #decoder = new HpackDecoder(4096);
  readonly #out = new ByteWriter(256);
  readonly #frames: Frame[] = [];
  readonly #reader = new FrameReader((type, frameFlags, id, payload) => this.#frames.push({ type, flags: frameFlags, id, payload }), 'server');
  #read = 0;

  constructor(options: Partial<Http2Options> = {}) {
    const all = { outbox: new Outbox(), maxStreams: 3, headBytes: 2000, now: () => 0, date: () => 'now', onRequest: async () => {}, ...options };
    const onRequest = (stream: Http2Stream) => {
      this.requests.push(stream);
      return all.onRequest(stream);
    };
    this.connection = new Http2Connection(this.socket as unknown as TLSSocket, { ...all, onRequest });
    this.#out.text(clientPreface);
    this.settings([]);
  }

  settings(settings: readonly (readonly [number, number])[]): void {
    writeSettings(this.#out, settings);
    this.send();
  }

  frame(type: number, frameFlags: number, id: number, payload: Uint8Array | number[] | string = []): void {
    const bytes = Buffer.from(payload as string);
    writeFrameHead(this.#out, bytes.length, type, frameFlags, id);
    this.#out.bytes(bytes);
    this.send();
  }

  block(fields: Fields): Buffer {
    const block = new ByteWriter(256);
    this.#encoder.begin(block);
    for (const [name, value] of fields) this.#encoder.field(block, name, value);
    return Buffer.from(block.written);
  }

  headers(id: number, fields: Fields = get, endStream = true): void {
    writeHeaderBlock(this.#out, id, this.block(fields), endStream, 16_384);
    this.send();
  }

  windowUpdate(id: number, increment: number): void {
    writeWindowUpdate(this.#out, id, increment);
    this.send();
  }

  send(): void {
    const bytes = Buffer.from(this.#out.written);
    this.#out.clear();
    this.socket.emit('data', bytes);
  }

  /** What has come since the last time. */
  async received(): Promise<Frame[]> {
    for (let turn = 0; turn < 4; turn++) await nextTurn();
    for (; this.#read < this.socket.writes.length; this.#read++) this.#reader.push(this.socket.writes[this.#read] as Buffer);
    return this.#frames.splice(0);
  }

  fields({ payload }: Frame): [string, string][] {
    const fields: [string, string][] = [];
    this.#decoder.decode(payload, (name, value) => fields.push([name, value]));
    return fields;
  }
}

const get: Fields = [
  [':method', 'GET'],
  [':scheme', 'https'],
  [':path', '/a?b'],
  [':authority', 'x'],
];
const post: Fields = [[':method', 'POST'], ...get.slice(1)];

/** Past the greeting of both sides. */
async function connected(options: Partial<Http2Options> = {}): Promise<RawClient> {
  const client = new RawClient(options);
  await client.received();
  return client;
}

function ofType(frames: readonly Frame[], type: number): Frame[] {
  return frames.filter((frame) => frame.type === type);
}

function codeOf(frame: Frame | undefined): number | undefined {
  return frame?.payload.readUInt32BE(frame.type === frameTypes.goaway ? 4 : 0);
}

async function resetOf(client: RawClient, id = 1): Promise<number | undefined> {
  return codeOf(ofType(await client.received(), frameTypes.rstStream).find((frame) => frame.id === id));
}

async function goawayOf(client: RawClient): Promise<number | undefined> {
  return codeOf(ofType(await client.received(), frameTypes.goaway)[0]);
}

const hold = () => new Promise<void>(() => {});

describe('a request', () => {
  test('arrives as it was sent, and its answer goes back', async () => {
    const client = await connected();
    client.headers(1, [...get, ['x-a', '1'], ['x-a', '2'], ['cookie', 'a=1'], ['cookie', 'b=2'], ['authorization', 'first'], ['authorization', 'second']]);
    const [stream] = client.requests;
    expect(stream?.head).toMatchObject({ method: 'GET', target: '/a?b', headers: { 'x-a': '1, 2', cookie: 'a=1; b=2', authorization: 'first' } });
    stream?.respond(200, { 'content-type': 'text/plain', warning: ['one', 'two'] }, false);
    void stream?.write('hello');
    stream?.end();
    const [head, data] = await client.received();
    expect(client.fields(head as Frame)).toEqual([
      [':status', '200'],
      ['content-type', 'text/plain'],
      ['warning', 'one'],
      ['warning', 'two'],
      ['date', 'now'],
    ]);
    expect([data?.type, data?.flags, data?.payload.toString()]).toEqual([frameTypes.data, flags.endStream, 'hello']);
    expect(stream?.closed).toBe(true);
  });

  test.each<[string, Fields]>([
    ['a name in capitals', [...get, ['X-A', '1']]],
    ['a name with a space', [...get, ['x a', '1']]],
    ['an empty name', [...get, ['', '1']]],
    ['a value with a line feed', [...get, ['x-a', '1\n2']]],
    ['a value that begins with a space', [...get, ['x-a', ' 1']]],
    ['a pseudo header after another', [get[0] as [string, string], ['x-a', '1'], ...get.slice(1)]],
    ['an unknown pseudo header', [...get, [':protocol', 'websocket']]],
    ['the pseudo header of an answer', [...get, [':status', '200']]],
    ['two paths', [...get, [':path', '/b']]],
    ['no path', get.filter(([name]) => name !== ':path')],
    ['an empty path', [...get.filter(([name]) => name !== ':path'), [':path', '']]],
    ['no method', get.slice(1)],
    ['no scheme', get.filter(([name]) => name !== ':scheme')],
    ['a header of the connection', [...get, ['connection', 'keep-alive']]],
    ['a transfer encoding', [...get, ['transfer-encoding', 'chunked']]],
    ['te other than trailers', [...get, ['te', 'gzip']]],
    ['a length that is no number', [...get, ['content-length', '-1']]],
    ['two lengths that differ', [...post, ['content-length', '1'], ['content-length', '2']]],
    ['a length without a body', [...get, ['content-length', '1']]],
  ])('with %s is refused, and the connection goes on', async (_what, fields) => {
    const client = await connected();
    client.headers(1, fields);
    expect(await resetOf(client)).toBe(errorCodes.protocol);
    client.headers(3, [...get, ['te', 'trailers']]);
    expect(client.requests.map(({ id }) => id)).toEqual([3]);
  });

  test('may end with trailers, which must be the end', async () => {
    const client = await connected({ onRequest: hold });
    for (const id of [1, 3]) client.headers(id, post, false);
    client.headers(1, [['x-checksum', '1']], true);
    client.headers(3, [['x-checksum', '1']], false);
    expect(client.requests.map(({ requestEnded }) => requestEnded)).toEqual([true, false]);
    expect(await resetOf(client, 3)).toBe(errorCodes.protocol);
  });
});

describe('a body', () => {
  test('is read whole, and its window is given back while it is read', async () => {
    const client = await connected();
    client.headers(1, post, false);
    const body = client.requests[0]?.body.read(1_000_000);
    for (let i = 0; i < 30; i++) client.frame(frameTypes.data, i === 29 ? flags.endStream : 0, 1, Buffer.alloc(16_384, i));
    const whole = await body;
    expect([whole?.length, whole?.[0], whole?.at(-1)]).toEqual([30 * 16_384, 0, 29]);
    const updates = ofType(await client.received(), frameTypes.windowUpdate);
    expect(updates.filter(({ id }) => id === 1).map(codeOf)).toEqual(Array.from({ length: 7 }, () => 65_536));
  });

  test('that nobody reads is taken up to the window of its stream', async () => {
    const client = await connected({ onRequest: hold });
    client.headers(1, post, false);
    for (let i = 0; i < 16; i++) client.frame(frameTypes.data, 0, 1, Buffer.alloc(16_384));
    expect(ofType(await client.received(), frameTypes.windowUpdate).filter(({ id }) => id === 1)).toEqual([]);
    client.frame(frameTypes.data, 0, 1, Buffer.alloc(1));
    expect(await resetOf(client)).toBe(errorCodes.flowControl);
  });

  test.each([
    ['longer', 'abcd'],
    ['shorter', 'ab'],
  ])('that is %s than was said is refused', async (_how, sent) => {
    const client = await connected();
    client.headers(1, [...post, ['content-length', '3']], false);
    const body = client.requests[0]?.body.read(100);
    client.frame(frameTypes.data, flags.endStream, 1, sent);
    await expect(body).rejects.toThrow('unexpected EOF');
    expect(await resetOf(client)).toBe(errorCodes.protocol);
  });

  test('that is longer than its reader allows is refused at once', async () => {
    const client = await connected();
    client.headers(1, post, false);
    const body = client.requests[0]?.body.read(3);
    client.frame(frameTypes.data, 0, 1, 'abcd');
    await expect(body).rejects.toThrow('limit is 3');
  });

  test('does not keep alive what came with it', async () => {
    const client = await connected();
    client.headers(1, post, false);
    const body = client.requests[0]?.body.read(100);
    const others = Buffer.concat([frameBytes(frameTypes.data, flags.endStream, 1, Buffer.from('abc')), frameBytes(frameTypes.ping, 0, 0, Buffer.alloc(8))]);
    client.socket.emit('data', others);
    expect((await body)?.buffer).not.toBe(others.buffer);
  });

  test('of an answered request may end by itself, but not go on for long', async () => {
    const client = await connected();
    for (const id of [1, 3]) client.headers(id, post, false);
    for (const stream of client.requests) stream.respond(403, {}, true);
    client.frame(frameTypes.data, flags.endStream, 1, 'abc');
    expect(client.requests.map(({ closed }) => closed)).toEqual([true, false]);
    for (let i = 0; i < 9; i++) client.frame(frameTypes.data, 0, 3, Buffer.alloc(16_384));
    expect(ofType(await client.received(), frameTypes.rstStream).map((frame) => [frame.id, codeOf(frame)])).toEqual([[3, errorCodes.none]]);
    client.frame(frameTypes.data, 0, 3, 'what was on its way is no mistake');
    expect(await client.received()).toEqual([]);
  });

  test('data after the end of a request is a mistake of the stream', async () => {
    const client = await connected({ onRequest: hold });
    client.headers(1);
    client.frame(frameTypes.data, 0, 1, 'more');
    expect(await resetOf(client)).toBe(errorCodes.streamClosed);
  });

  test('padding is not part of it, and counts as sent', async () => {
    const client = await connected();
    client.headers(1, post, false);
    const stream = client.requests[0] as Http2Stream;
    const before = stream.receiveWindow;
    client.frame(frameTypes.data, flags.endStream | flags.padded, 1, [2, 97, 98, 0, 0]);
    expect((await stream.body.read(10)).toString()).toBe('ab');
    expect(before - stream.receiveWindow).toBe(5);
  });
});

function frameBytes(type: number, frameFlags: number, id: number, payload: Buffer): Buffer {
  const out = new ByteWriter(64);
  writeFrameHead(out, payload.length, type, frameFlags, id);
  out.bytes(payload);
  return Buffer.from(out.written);
}

/** Streams that have been answered with a head. */
async function streaming(client: RawClient, count: number): Promise<Http2Stream[]> {
  for (let i = 0; i < count; i++) client.headers(client.requests.length * 2 + 1);
  for (const stream of client.requests) stream.respond(200, {}, false);
  await client.received();
  return client.requests;
}

function textOf(frames: readonly Frame[]): string {
  return Buffer.concat(frames.map(({ payload }) => payload)).toString();
}

describe('answers', () => {
  test('of all streams that are written to in a turn go with one write', async () => {
    const client = await connected();
    const streams = await streaming(client, 3);
    const before = client.socket.writes.length;
    const event = Buffer.alloc(8000, 1);
    for (const stream of streams) void stream.write(event);
    await client.received();
    expect(client.socket.writes.length - before).toBe(1);
  });

  test('take turns, a frame each', async () => {
    const client = await connected({ maxStreams: 10 });
    const streams = await streaming(client, 3);
    for (const stream of streams) void stream.write(Buffer.alloc(20_000));
    expect(ofType(await client.received(), frameTypes.data).map(({ id, payload }) => [id, payload.length])).toEqual([
      [1, 16_384],
      [3, 16_384],
      [5, 16_384],
      [1, 3616],
      [3, 3616],
      [5, 3616],
    ]);
  });

  test('stop at the window of the connection and go on, in turns, when it opens', async () => {
    const client = await connected();
    const streams = await streaming(client, 2);
    for (const stream of streams) void stream.write(Buffer.alloc(60_000));
    const sum = (frames: readonly Frame[]) => ofType(frames, frameTypes.data).reduce((total, { payload }) => total + payload.length, 0);
    expect(sum(await client.received())).toBe(65_535);
    client.windowUpdate(0, 1000);
    expect(sum(await client.received())).toBe(1000);
    client.windowUpdate(0, 100_000);
    expect(sum(await client.received())).toBe(120_000 - 66_535);
  });

  test('stop at the window of their stream, also when it becomes less than nothing', async () => {
    const client = await connected();
    const [stream] = await streaming(client, 1);
    client.settings([[settingIds.initialWindowSize, 10]]);
    void stream?.write(Buffer.alloc(30));
    expect(ofType(await client.received(), frameTypes.data).map(({ payload }) => payload.length)).toEqual([10]);
    client.settings([[settingIds.initialWindowSize, 5]]);
    client.windowUpdate(1, 5);
    expect(ofType(await client.received(), frameTypes.data)).toEqual([]);
    client.windowUpdate(1, 7);
    client.settings([[settingIds.initialWindowSize, 8]]);
    expect(ofType(await client.received(), frameTypes.data).map(({ payload }) => payload.length)).toEqual([7, 3]);
  });

  test('make their writer wait while the client does not take them', async () => {
    const client = await connected();
    const [stream] = await streaming(client, 1);
    client.socket.takes = false;
    void stream?.write('x');
    await client.received();
    const room: (Promise<void> | undefined)[] = [];
    while (room.at(-1) === undefined) room.push(stream?.write(Buffer.alloc(10_000)));
    expect(room).toHaveLength(7);
    expect(stream?.backlog).toBe(70_000);
    const written = client.socket.writes.length;
    await client.received();
    expect(client.socket.writes).toHaveLength(written);
    client.socket.takeAgain();
    client.windowUpdate(0, 100_000);
    client.windowUpdate(1, 100_000);
    await room.at(-1);
    expect(stream?.backlog).toBeLessThan(40_000);
  });

  test.each<[string, (client: RawClient) => void, (client: RawClient) => void]>([
    ['of the stream', (client) => client.settings([[settingIds.initialWindowSize, 3]]), (client) => client.windowUpdate(1, 100)],
    ['of the connection', (client) => void client.requests[0]?.write(Buffer.alloc(65_530)), (client) => client.windowUpdate(0, 100)],
  ])('that wait for the window %s do not keep the slab that they were made in', async (_, close, open) => {
    const client = await connected();
    const [, stream] = await streaming(client, 2);
    close(client);
    await client.received();
    const answer = shortLivedCopy(Buffer.from('an answer'));
    void stream?.write(answer);
    answer.fill('x');
    open(client);
    client.windowUpdate(3, 100);
    expect(textOf(ofType(await client.received(), frameTypes.data))).toBe('an answer');
  });

  test('that wait for the socket do not keep the slab that they were made in', async () => {
    const client = await connected();
    const [one, other] = await streaming(client, 2);
    client.socket.takes = false;
    void one?.write('first ');
    await nextTurn();
    const answer = shortLivedCopy(Buffer.from('an answer'));
    void other?.write(answer);
    answer.fill('x');
    client.socket.takeAgain();
    expect(textOf(ofType(await client.received(), frameTypes.data))).toBe('first an answer');
  });

  test('a writer that waits is told when nobody will read any more', async () => {
    const client = await connected();
    const [stream] = await streaming(client, 1);
    client.socket.takes = false;
    const through = stream?.writeThrough(Buffer.alloc(200_000));
    let left = false;
    stream?.onClose(() => (left = true));
    client.frame(frameTypes.rstStream, 0, 1, [0, 0, 0, 8]);
    await through;
    expect([left, stream?.backlog, stream?.write('more')]).toEqual([true, 0, undefined]);
  });

  test('a head that is larger than a frame goes in several', async () => {
    const client = await connected();
    client.headers(1);
    client.requests[0]?.respond(200, { 'x-long': 'x'.repeat(20_000) }, true);
    const frames = await client.received();
    expect(frames.map(({ type, flags: its }) => [type, its])).toEqual([
      [frameTypes.headers, flags.endStream],
      [frameTypes.continuation, flags.endHeaders],
    ]);
    expect(client.fields({ ...(frames[0] as Frame), payload: Buffer.concat(frames.map(({ payload }) => payload)) })).toContainEqual([
      'x-long',
      'x'.repeat(20_000),
    ]);
  });
});

describe('limits', () => {
  test('a stream beyond the limit is refused, and can be had again when another has ended', async () => {
    const client = await connected({ onRequest: hold });
    for (const id of [1, 3, 5, 7]) client.headers(id);
    expect(await resetOf(client, 7)).toBe(errorCodes.refusedStream);
    client.requests[0]?.respond(200, {}, true);
    client.headers(9);
    expect(client.requests.map(({ id }) => id)).toEqual([1, 3, 5, 9]);
  });

  test('resetting streams gets no more work done at once', async () => {
    const client = await connected({ onRequest: hold });
    for (let id = 1; id < 60; id += 2) {
      client.headers(id);
      client.frame(frameTypes.rstStream, 0, id, [0, 0, 0, 8]);
    }
    expect(client.requests).toHaveLength(6);
  });

  test('a head that is too large is answered with 431', async () => {
    const client = await connected();
    const long: Fields = [['x-long', 'x'.repeat(900)]];
    client.headers(1, [...get, ...long]);
    client.headers(3, [...get, ...long, ...long, ...long]);
    const [head] = ofType(await client.received(), frameTypes.headers);
    expect([head?.id, client.fields(head as Frame)[0]]).toEqual([3, [':status', '431']]);
    expect(client.requests.map(({ id }) => id)).toEqual([1]);
  });

  test.each([
    ['of large pieces', Buffer.alloc(500, 0x40)],
    ['of empty pieces', Buffer.alloc(0)],
  ])('a header block without an end, %s, ends the connection', async (_how, piece) => {
    const client = await connected();
    client.frame(frameTypes.headers, 0, 1, [0x82]);
    for (let i = 0; i < 300; i++) client.frame(frameTypes.continuation, 0, 1, piece);
    expect(await goawayOf(client)).toBe(errorCodes.enhanceYourCalm);
    expect(client.socket.ended).toBe(true);
  });

  test('nothing may come within a header block', async () => {
    const client = await connected();
    client.frame(frameTypes.headers, 0, 1, [0x82]);
    client.frame(frameTypes.ping, 0, 0, Buffer.alloc(8));
    expect(await goawayOf(client)).toBe(errorCodes.protocol);
  });

  test('who resets stream after stream is shown out', async () => {
    const client = await connected();
    for (let id = 1; id < 3000 && !client.socket.ended; id += 2) {
      client.headers(id);
      client.frame(frameTypes.rstStream, 0, id, [0, 0, 0, 8]);
      if (id % 5 === 0) await nextTurn();
    }
    expect(await goawayOf(client)).toBe(errorCodes.enhanceYourCalm);
    expect(client.requests.length).toBeLessThanOrEqual(1001);
  });

  test('who makes us reset stream after stream is shown out too', async () => {
    const client = await connected();
    for (let id = 1; id < 3000 && !client.socket.ended; id += 2) {
      client.headers(id);
      client.windowUpdate(id, 0);
      if (id % 5 === 0) await nextTurn();
    }
    expect(await goawayOf(client)).toBe(errorCodes.enhanceYourCalm);
  });

  test('who gives up as many requests as it gets answered may go on', async () => {
    const client = await connected();
    for (let id = 1; id < 6000; id += 4) {
      client.headers(id);
      client.headers(id + 2);
      client.requests.at(-2)?.respond(200, {}, true);
      client.frame(frameTypes.rstStream, 0, id + 2, [0, 0, 0, 8]);
      await nextTurn();
    }
    expect(await goawayOf(client)).toBeUndefined();
  });

  test.each<[string, (client: RawClient) => void]>([
    ['PING', (client) => client.frame(frameTypes.ping, 0, 0, Buffer.alloc(8))],
    ['SETTINGS', (client) => client.settings([])],
    ['empty DATA', (client) => client.frame(frameTypes.data, 0, 1)],
    ['PRIORITY', (client) => client.frame(frameTypes.priority, 0, 1, [0, 0, 0, 0, 1])],
  ])('a flood of %s ends the connection', async (_what, send) => {
    const client = await connected({ onRequest: hold });
    client.headers(1, post, false);
    for (let i = 0; i < 11_000 && !client.socket.ended; i++) {
      send(client);
      if (i % 1000 === 0) await nextTurn();
    }
    expect(await goawayOf(client)).toBe(errorCodes.enhanceYourCalm);
  });

  test('who does not take our answers is not listened to', async () => {
    const client = await connected();
    client.socket.takes = false;
    client.frame(frameTypes.ping, 0, 0, Buffer.alloc(8));
    await client.received();
    for (let i = 0; i < 4000 && !client.socket.isPaused(); i++) client.frame(frameTypes.ping, 0, 0, Buffer.alloc(8));
    expect(client.socket.isPaused()).toBe(true);
    client.socket.takeAgain();
    await client.received();
    expect(client.socket.isPaused()).toBe(false);
  });

  test.each<[string, (client: RawClient) => void, number]>([
    ['a window of the connection that is too large', (client) => client.windowUpdate(0, 2 ** 31 - 1), errorCodes.flowControl],
    ['windows of streams that are too large', (client) => growWindows(client), errorCodes.flowControl],
    ['data on a stream that has not begun', (client) => client.frame(frameTypes.data, 0, 9, 'x'), errorCodes.protocol],
    ['a stream with an even number', (client) => client.headers(2), errorCodes.protocol],
    ['a push', (client) => client.frame(frameTypes.pushPromise, flags.endHeaders, 1, [0, 0, 0, 2]), errorCodes.protocol],
    ['a PING of the wrong size', (client) => client.frame(frameTypes.ping, 0, 0, [1]), errorCodes.frameSize],
    ['a header block that cannot be read', (client) => client.frame(frameTypes.headers, flags.endHeaders, 9, [0xff, 0x00]), errorCodes.compression],
  ])('%s ends the connection', async (_what, offend, code) => {
    const client = await connected({ onRequest: hold });
    client.headers(1, post, false);
    offend(client);
    expect(await goawayOf(client)).toBe(code);
    expect([client.socket.ended, client.requests.every(({ closed }) => closed)]).toEqual([true, true]);
  });

  test('a window of a stream that is too large is a mistake of the stream', async () => {
    const client = await connected({ onRequest: hold });
    client.headers(1);
    client.windowUpdate(1, 2 ** 31 - 1);
    expect(await resetOf(client)).toBe(errorCodes.flowControl);
  });
});

function growWindows(client: RawClient): void {
  client.windowUpdate(1, 2 ** 31 - 1 - 65_535);
  client.settings([[settingIds.initialWindowSize, 65_536]]);
}

describe('a goodbye', () => {
  test('is said to a connection that has been without a request for so long, and to no other', async () => {
    let now = 0;
    const client = await connected({ now: () => now, onRequest: hold });
    client.headers(1);
    now = 100;
    client.connection.closeIfIdle(50);
    expect(ofType(await client.received(), frameTypes.goaway)).toHaveLength(0);
    client.requests[0]?.respond(200, {}, true);
    now = 149;
    client.connection.closeIfIdle(50);
    expect(ofType(await client.received(), frameTypes.goaway)).toHaveLength(0);
    now = 150;
    client.connection.closeIfIdle(50);
    expect(ofType(await client.received(), frameTypes.goaway)).toHaveLength(1);
  });

  test('is said to who sends no more than half a head', async () => {
    let now = 0;
    const client = await connected({ now: () => now });
    client.frame(frameTypes.headers, 0, 1, client.block(get));
    now = 50;
    client.connection.closeIfIdle(50);
    expect(ofType(await client.received(), frameTypes.goaway)).toHaveLength(1);
  });

  test('still takes the requests that have crossed with it, names the last one, and hangs up when all are answered', async () => {
    const client = await connected({ onRequest: hold });
    client.headers(1);
    client.connection.close();
    const [first, ping] = await client.received();
    expect([first?.type, first?.payload.readUInt32BE(0)]).toEqual([frameTypes.goaway, 2 ** 31 - 1]);
    client.headers(3);
    client.frame(frameTypes.ping, flags.ack, 0, ping?.payload);
    const [second] = await client.received();
    expect([second?.type, second?.payload.readUInt32BE(0), second?.payload.readUInt32BE(4)]).toEqual([frameTypes.goaway, 3, errorCodes.none]);
    client.headers(5);
    expect(client.requests.map(({ id }) => id)).toEqual([1, 3]);
    for (const stream of client.requests) stream.respond(200, {}, true);
    expect(client.socket.ended).toBe(false);
    expect(await client.received()).toHaveLength(2);
    expect(client.socket.ended).toBe(true);
  });

  test('does not wait for the rest of a request that is answered', async () => {
    const client = await connected();
    client.headers(1, post, false);
    client.requests[0]?.respond(413, {}, true);
    client.connection.close();
    const ping = ofType(await client.received(), frameTypes.ping)[0];
    client.frame(frameTypes.ping, flags.ack, 0, ping?.payload);
    expect(await resetOf(client)).toBe(errorCodes.none);
    expect(client.socket.ended).toBe(true);
  });
});

test('a connection that is lost closes its streams', async () => {
  const client = await connected({ onRequest: hold });
  client.headers(1, post, false);
  const body = client.requests[0]?.body.read(10);
  client.socket.destroy();
  await expect(body).rejects.toThrow('unexpected EOF');
  expect(client.requests[0]?.closed).toBe(true);
});

test('who has broken a rule may finish what it sends, but is cut off when it goes on and on', async () => {
  const client = await connected();
  client.frame(frameTypes.ping, 0, 0, 'x');
  for (let i = 0; i < 60; i++) client.socket.emit('data', Buffer.alloc(65_536));
  expect([client.socket.isPaused(), client.socket.destroyed]).toEqual([false, false]);
  for (let i = 0; i < 6; i++) client.socket.emit('data', Buffer.alloc(65_536));
  expect(client.socket.destroyed).toBe(true);
});

test('a connection is read again only when nobody wants it left alone', async () => {
  const client = await connected();
  client.connection.stopReading();
  expect(client.socket.isPaused()).toBe(true);
  client.requests[0]?.respond(200, {}, true);
  await client.received();
  expect(client.socket.isPaused()).toBe(true);
  client.connection.startReading();
  expect(client.socket.isPaused()).toBe(false);
});

test('unknown frames and settings mean nothing', async () => {
  const client = await connected();
  client.frame(0x77, 0xff, 5, 'what');
  client.settings([[0x7777, 1]]);
  client.headers(1);
  expect(ofType(await client.received(), frameTypes.goaway)).toEqual([]);
  expect(client.requests).toHaveLength(1);
});
