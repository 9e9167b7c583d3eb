// What a handler that connects a client with another server needs of an exchange, over both protocols.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import { request as httpsRequest } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { silentLog } from '#base/log.ts';
import { callInProcess } from '#server/front/in-process-carrier.ts';
import { listen, type Listener } from '#server/front/listen.ts';
import { reverseProxy } from '../../../test/support/reverse-proxy.ts';
import { TestAuthority } from '../../../test/support/test-pki.ts';

const authority = new TestAuthority();
const tls = authority.issue({ commonName: 's' }, { usage: 'server', names: ['127.0.0.1'] });
let serve: (request: IncomingMessage, response: ServerResponse) => void = () => {};
let upgrade: (request: IncomingMessage, socket: Socket) => void = () => {};
let backend: Server;
let listener: Listener;
const handlers = { running: 0 };

beforeAll(async () => {
  backend = createServer((request, response) => serve(request, response));
  backend.on('upgrade', (request, socket) => upgrade(request, socket as Socket));
  backend.listen(0, '127.0.0.1');
  await once(backend, 'listening');
  const proxy = reverseProxy((backend.address() as AddressInfo).port);
  listener = await listen(
    async (exchange) => {
      handlers.running++;
      await proxy(exchange)
        .catch(() => exchange.cutShort(502, 'text/plain', 'bad gateway'))
        .finally(() => handlers.running--);
    },
    { host: '127.0.0.1', port: 0, tls, log: silentLog },
  );
});

afterAll(() => {
  listener.destroy();
  backend.close();
});

interface Asked {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Record<string, string>;
}

interface Exchanged {
  readonly body: Writable;
  readonly answer: Promise<{ code: number; headers: Record<string, unknown>; chunks: Readable; trailers: () => Record<string, unknown> }>;
  leave(): void;
}

function over1({ method = 'GET', path = '/', headers = {} }: Asked): Exchanged {
  const body = httpsRequest({
    host: '127.0.0.1',
    port: listener.port,
    ca: authority.cert,
    method,
    path,
    headers: { ...headers, te: 'trailers' },
    agent: false,
  });
  body.on('error', () => {});
  const answer = once(body, 'response').then(([response]: IncomingMessage[]) => {
    const chunks = response as IncomingMessage;
    chunks.on('error', () => {});
    return { code: chunks.statusCode ?? 0, headers: chunks.headers, chunks, trailers: () => chunks.trailers };
  });
  return { body, answer, leave: () => body.destroy() };
}

function over2({ method = 'GET', path = '/', headers = {} }: Asked): Exchanged {
  const session = connectHttp2(`https://127.0.0.1:${listener.port}`, { ca: authority.cert });
  session.on('error', () => {});
  const stream = session.request({ ':method': method, ':path': path, ...headers }, { endStream: false });
  let trailers = {};
  stream.on('error', () => {}).on('trailers', (given) => (trailers = given));
  const answer = once(stream, 'response').then(([head]) => ({ code: head[':status'], headers: head, chunks: stream, trailers: () => trailers }));
  return { body: stream, answer, leave: () => session.destroy() };
}

async function textOf(chunks: Readable): Promise<string> {
  let text = '';
  for await (const chunk of chunks) text += String(chunk);
  return text;
}

/** Until nothing has moved for a while. */
async function atRest(count: () => number): Promise<number> {
  for (let seen = -1, still = 0; still < 5; ) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    still = count() === seen && seen > 0 ? still + 1 : 0;
    seen = count();
  }
  return count();
}

const piece = Buffer.alloc(256 * 1024, 'x');
const pieces = 256;

describe.each([
  ['HTTP/1.1', over1],
  ['HTTP/2', over2],
])('over %s', (_, ask) => {
  test('a request reaches the other server as it is, and its answer comes back with every header, trailers, and uncompressed', async () => {
    const large = 'x'.repeat(300_000);
    serve = async (request, response) => {
      const body = await textOf(request);
      response.writeHead(207, { 'content-type': 'text/odd', 'set-cookie': ['a=1', 'b=2'], trailer: 'x-sum' });
      response.write(`${request.method} ${request.url} ${request.headers['x-test']} ${body}`);
      response.addTrailers({ 'x-sum': '42' });
      response.end(large);
    };
    const { body, answer, leave } = ask({ method: 'PATCH', path: '/a%20b?c=d', headers: { 'x-test': 'yes', 'accept-encoding': 'gzip' } });
    body.end('hello');
    const { code, headers, chunks, trailers } = await answer;
    expect([code, headers['content-type'], headers['set-cookie'], headers['content-encoding']]).toEqual([207, 'text/odd', ['a=1', 'b=2'], undefined]);
    expect(await textOf(chunks)).toBe(`PATCH /a%20b?c=d yes hello${large}`);
    expect(trailers()).toMatchObject({ 'x-sum': '42' });
    leave();
  });

  test.each(['HEAD', 'OPTIONS', 'DELETE'])('%s is passed on, and 304 has no body', async (method) => {
    serve = (request, response) => {
      response.writeHead(request.url === '/same' ? 304 : 200, { 'content-length': '4', 'x-method': request.method });
      response.end(request.method === 'HEAD' ? undefined : 'body');
    };
    const first = ask({ method });
    first.body.end();
    const { headers, chunks } = await first.answer;
    expect([headers['x-method'], await textOf(chunks)]).toEqual([method, method === 'HEAD' ? '' : 'body']);
    const same = ask({ method, path: '/same' });
    same.body.end();
    expect([(await same.answer).code, await textOf((await same.answer).chunks)]).toEqual([304, '']);
    first.leave();
    same.leave();
  });

  test('question and answer can go on at the same time', async () => {
    serve = (request, response) => request.pipe(response);
    const { body, answer, leave } = ask({ method: 'POST' });
    body.write('one');
    const { chunks } = await answer;
    expect(String((await once(chunks, 'data'))[0])).toBe('one');
    body.write('two');
    expect(String((await once(chunks, 'data'))[0])).toBe('two');
    body.end();
    await once(chunks, 'end');
    leave();
  });

  test('a client that sends faster than the other server reads is made to wait, and little is kept', { timeout: 30_000 }, async () => {
    let arrived: IncomingMessage | undefined;
    serve = (request) => (arrived = request);
    const { body, leave, answer } = ask({ method: 'POST' });
    answer.catch(() => {});
    const before = process.memoryUsage().arrayBuffers;
    let taken = 0;
    const sending = (async () => {
      for (let i = 0; i < pieces; i++) {
        taken += piece.length;
        if (!body.write(piece)) await once(body, 'drain');
      }
      body.end();
    })();
    await vi.waitFor(() => expect(arrived).toBeDefined());
    await atRest(() => taken);
    expect(taken).toBeLessThan((pieces * piece.length) / 2);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan((pieces * piece.length) / 3);
    let received = 0;
    arrived?.on('data', (chunk: Buffer) => (received += chunk.length));
    await sending;
    await vi.waitFor(() => expect(received).toBe(pieces * piece.length), { timeout: 20_000 });
    leave();
  });

  test('a server that answers faster than the client reads is made to wait, and little is kept', { timeout: 30_000 }, async () => {
    let sent = 0;
    serve = async (_request, response) => {
      for (let i = 0; i < pieces && !response.destroyed; i++) {
        if (!response.write(piece)) await Promise.race([once(response, 'drain'), once(response, 'close')]);
        sent += piece.length;
      }
      response.end();
    };
    const before = process.memoryUsage().arrayBuffers;
    const { body, answer, leave } = ask({});
    body.end();
    const { chunks } = await answer;
    chunks.pause();
    await atRest(() => sent);
    expect(sent).toBeLessThan((pieces * piece.length) / 2);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan((pieces * piece.length) / 3);
    let received = 0;
    chunks.on('data', (chunk: Buffer) => (received += chunk.length)).resume();
    await vi.waitFor(() => expect(received).toBe(pieces * piece.length), { timeout: 20_000 });
    leave();
  });

  test('a client that leaves ends the request to the other server, and its handler', async () => {
    let closed = false;
    serve = (request, response) => {
      response.writeHead(200).write('begun');
      request.socket.once('close', () => (closed = true));
    };
    const { body, answer, leave } = ask({ method: 'POST' });
    body.write('half');
    await answer;
    leave();
    await vi.waitFor(() => expect([closed, handlers.running]).toEqual([true, 0]));
  });

  test('another server that breaks off its answer breaks off ours', async () => {
    serve = (request, response) => {
      response.writeHead(200, { 'content-length': '10' }).write('begun');
      setImmediate(() => request.socket.destroy());
    };
    const { body, answer, leave } = ask({});
    body.end();
    const { chunks } = await answer;
    await expect(textOf(chunks)).rejects.toThrow();
    leave();
  });
});

describe('an upgrade', () => {
  async function ask(): Promise<TLSSocket> {
    const options = { host: '127.0.0.1', port: listener.port, ca: authority.cert, ALPNProtocols: ['http/1.1'], allowHalfOpen: true };
    const socket = connectTls(options);
    await once(socket, 'secureConnect');
    socket.write('GET /x HTTP/1.1\r\nhost: a\r\nconnection: Upgrade\r\nupgrade: Echo/1\r\n\r\nfirst');
    return socket;
  }

  const switched = 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: echo/1\r\nx-server: other\r\n\r\n';

  test('joins both sides after the pipeline; each may end alone', async () => {
    upgrade = (_request, socket) => {
      socket.write(switched);
      let heard = '';
      socket.on('data', (chunk) => (heard += String(chunk)));
      socket.on('end', () => socket.end(`heard ${heard}`));
    };
    const socket = await ask();
    await vi.waitFor(() => expect(String(socket.read())).toMatch(/^HTTP\/1\.1 101 Switching Protocols\r\n[\s\S]*upgrade: echo\/1\r\nx-server: other\r\n\r\n$/));
    socket.end(' last');
    expect(await textOf(socket)).toBe('heard first last');
    await vi.waitFor(() => expect(handlers.running).toBe(0));
  });

  test('that the other server refuses gets its answer', async () => {
    upgrade = (_request, socket) => socket.end('HTTP/1.1 403 Forbidden\r\nx-why: no\r\ncontent-length: 2\r\n\r\nno');
    expect(await textOf(await ask())).toMatch(/^HTTP\/1\.1 403 Forbidden\r\nx-why: no\r\n[\s\S]*\r\n\r\nno$/);
  });

  test('ends on both sides when the client is lost', async () => {
    let closed = false;
    upgrade = (_request, socket) => {
      socket.on('error', () => {}).on('close', () => (closed = true));
      socket.resume().on('end', () => socket.end());
      socket.write(switched);
    };
    const socket = await ask();
    await once(socket, 'data');
    socket.destroy();
    await vi.waitFor(() => expect([closed, handlers.running]).toEqual([true, 0]));
  });

  test('is nothing that HTTP/2 or a call in process can ask for', async () => {
    const refusals: string[] = [];
    await callInProcess(
      async (exchange) => {
        try {
          exchange.upgrade();
        } catch (refusal) {
          refusals.push(exchange.upgradeTo, (refusal as Error).message);
        }
        exchange.send(200, '', '');
      },
      { method: 'GET', path: '/', headers: { connection: 'upgrade', upgrade: 'websocket' } },
    );
    expect(refusals).toEqual(['', 'Upgrade request required']);
  });
});

test('in process a request streams too', async () => {
  const response = await callInProcess(
    async (exchange) => {
      exchange.setHeader('x-many', ['a', 'b']);
      const stream = exchange.stream(200, 'text/plain');
      for await (const chunk of exchange.body()) await stream.write(chunk as Buffer);
      stream.end({ 'x-sum': '1' });
    },
    { method: 'POST', path: '/', body: 'hello' },
  );
  let text = '';
  for await (const chunk of response.chunks) text += String(Buffer.from(chunk));
  expect([text, response.headers['x-many'], response.trailers]).toEqual(['hello', 'a, b', { 'x-sum': '1' }]);
});
