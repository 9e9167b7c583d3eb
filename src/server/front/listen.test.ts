import { once } from 'node:events';
import { request as plainRequest } from 'node:http';
import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ApiError } from '#api/api-error.ts';
import { silentLog } from '#base/log.ts';
import type { Exchange, Handler } from '#server/front/exchange.ts';
import { listen, type Listener, type ListenOptions } from '#server/front/listen.ts';
import { TestAuthority } from '../../../test/support/test-pki.ts';
import { type ClientTls, http1Client, http2Client, type WireClient } from '../../../test/support/wire-clients.ts';

const authority = new TestAuthority();
const serverPair = authority.issue({ commonName: 'server' }, { usage: 'server', names: ['127.0.0.1'] });
const trust: ClientTls = { ca: authority.cert };

let handler: Handler = async () => {};
let listener: Listener;

beforeAll(async () => {
  listener = await start({});
});

afterAll(() => listener.destroy());

function start(options: Partial<ListenOptions>): Promise<Listener> {
  return listen((exchange) => handler(exchange), { host: '127.0.0.1', port: 0, tls: { ...serverPair, clientCa: authority.cert }, log: silentLog, ...options });
}

const clients: [string, (tls?: ClientTls) => WireClient][] = [
  ['HTTP/1.1', (tls = trust) => http1Client(listener.port, tls)],
  ['HTTP/2.0', (tls = trust) => http2Client(listener.port, tls)],
];

describe.each(clients)('over %s', (protocol, connect) => {
  test('a request arrives with method, path, query and headers as sent', async () => {
    const seen: unknown[] = [];
    handler = async (exchange) => {
      seen.push(exchange.method, exchange.path, exchange.query.get('a'), exchange.headers['x-test'], exchange.protocol, exchange.remoteAddress);
      exchange.setHeader('X-Answer', '1');
      exchange.send(201, 'application/json', '{}');
    };
    await using client = connect();
    const answer = await client.ask({ method: 'PATCH', path: '/a%20b/c?a=1&a=2', headers: { 'x-test': 'yes' } });
    expect(seen).toEqual(['PATCH', '/a%20b/c', '1', 'yes', protocol, '127.0.0.1']);
    expect(answer).toMatchObject({ code: 201, headers: { 'content-type': 'application/json', 'content-length': '2', 'x-answer': '1' } });
    expect(answer.body.toString()).toBe('{}');
    expect(answer.headers).not.toHaveProperty('connection');
  });

  test('repeated headers can be read one by one', async () => {
    let groups: readonly string[] = [];
    handler = async (exchange) => {
      groups = exchange.headerValues('impersonate-group');
      exchange.send(200, '', '');
    };
    await using client = connect();
    await client.ask({ headers: { 'impersonate-group': ['a, b', 'c'] } });
    expect(groups).toEqual(['a, b', 'c']);
  });

  test('a body is read whole, up to its limit', async () => {
    handler = async (exchange) => {
      const body = await exchange.readBody(1000).catch((refusal: ApiError) => refusal.message);
      exchange.send(200, 'text/plain', body);
    };
    await using client = connect();
    expect((await client.ask({ method: 'POST', body: 'x'.repeat(1000) })).body).toHaveLength(1000);
    expect((await client.ask({ method: 'POST', body: 'x'.repeat(1001) })).body.toString()).toBe('Request entity too large: limit is 1000');
    expect((await client.ask({ method: 'POST', body: 'x'.repeat(500_000) })).body.toString()).toBe('Request entity too large: limit is 1000');
    expect((await client.ask({ method: 'POST', body: '' })).body).toHaveLength(0);
  });

  test('an answer without reading the body leaves the connection usable', async () => {
    handler = async (exchange) => exchange.send(200, 'text/plain', 'ok');
    await using client = connect();
    for (let i = 0; i < 3; i++) expect((await client.ask({ method: 'POST', body: 'x'.repeat(200_000) })).body.toString()).toBe('ok');
  });

  test('HEAD and 304 carry no body', async () => {
    handler = async (exchange) => exchange.send(exchange.path === '/same' ? 304 : 200, 'text/plain', 'body');
    await using client = connect();
    expect(await client.ask({ method: 'HEAD' })).toMatchObject({
      code: 200,
      headers: { 'content-type': 'text/plain', 'content-length': '4' },
      body: Buffer.alloc(0),
    });
    expect(await client.ask({ path: '/same' })).toMatchObject({ code: 304, body: Buffer.alloc(0) });
  });

  test('large answers are compressed for those who ask for it', async () => {
    const text = 'kubernetes '.repeat(20_000);
    handler = async (exchange) => exchange.send(200, 'application/json', exchange.path === '/small' ? 'small' : text);
    await using client = connect();
    const compressed = await client.ask({ headers: { 'accept-encoding': 'br, gzip' } });
    expect(compressed.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(compressed.body).toString()).toBe(text);
    expect((await client.ask({})).headers['content-encoding']).toBeUndefined();
    expect((await client.ask({ path: '/small', headers: { 'accept-encoding': 'gzip' } })).headers['content-encoding']).toBeUndefined();
  });

  test('warnings become headers, also beyond ASCII', async () => {
    handler = async (exchange) => {
      exchange.warn('one');
      exchange.warn('größer');
      exchange.warn('one');
      exchange.send(200, 'text/plain', '');
    };
    await using client = connect();
    const { warning } = (await client.ask({})).headers;
    expect(Buffer.from(String(warning), 'latin1').toString()).toMatch(/^299 - "one", ?299 - "größer"$/);
  });

  test('the handler of a stream learns when the client leaves', async () => {
    const begun = deferred<void>();
    const left = deferred<boolean>();
    handler = async (exchange) => {
      const stream = exchange.stream(200, 'application/json');
      exchange.signal.addEventListener('abort', () => left.resolve(true));
      await stream.write('first\n');
      begun.resolve();
    };
    const client = connect();
    client.ask({ path: '/?watch=1' }).catch(() => undefined);
    await begun.promise;
    await client[Symbol.asyncDispose]();
    expect(await left.promise).toBe(true);
  });

  test('the backlog of a stream grows while the client does not read', async () => {
    const done = deferred<number>();
    handler = async (exchange) => {
      const stream = exchange.stream(200, 'application/json');
      for (let i = 0; i < 64 && stream.backlog < 1_000_000; i++) void stream.write(Buffer.alloc(1_000_000));
      done.resolve(stream.backlog);
      exchange.cutShort(500, '', '');
    };
    await using client = connect();
    await expect(client.ask({})).rejects.toThrow();
    expect(await done.promise).toBeGreaterThanOrEqual(1_000_000);
  });

  test('what is cut short drops the late answer of the handler', async () => {
    let aborted = false;
    handler = async (exchange) => {
      const { signal } = exchange;
      exchange.cutShort(504, 'text/plain', 'too late');
      aborted = signal.aborted;
      exchange.send(200, 'text/plain', 'never seen');
    };
    await using client = connect();
    const answer = await client.ask({});
    expect([answer.code, answer.body.toString(), aborted]).toEqual([504, 'too late', true]);
  });

  test('an answer that has begun is broken off when cut short', async () => {
    handler = async (exchange) => {
      await exchange.stream(200, 'text/plain').write('half');
      exchange.cutShort(500, 'text/plain', '');
    };
    await using client = connect();
    await expect(client.ask({})).rejects.toThrow();
  });

  test('the certificate that a client shows is handed on, leaf first, and not judged', async () => {
    const seen: Buffer[][] = [];
    handler = async (exchange) => {
      seen.push([...exchange.clientCertificates]);
      exchange.send(200, '', '');
    };
    const stranger = new TestAuthority('other').issue({ commonName: 'eve' }, { usage: 'client' });
    await using known = connect({ ...trust, ...authority.issue({ commonName: 'alice' }, { usage: 'client' }) });
    await using unknown = connect({ ...trust, ...stranger });
    await using nobody = connect();
    for (const client of [known, unknown, nobody]) await client.ask({});
    expect(seen.map((chain) => chain.length > 0)).toEqual([true, true, false]);
    const leaf = stranger.cert.replace(/-----.*-----|\n/g, '');
    expect(seen[1]?.[0]?.toString('base64')).toBe(leaf);
  });
});

describe('limits', () => {
  test('a head that is too long is refused before it is read', async () => {
    const small = await start({ limits: { headBytes: 4096 } });
    handler = async (exchange) => exchange.send(200, '', '');
    await using client = http1Client(small.port, trust);
    expect((await client.ask({ headers: { 'x-long': 'x'.repeat(10_000) } })).code).toBe(431);
    expect((await client.ask({ headers: { 'x-long': 'x'.repeat(1000) } })).code).toBe(200);
    small.destroy();
  });

  test('a client is told how many streams it may open at once', async () => {
    const narrow = await start({ limits: { streamsPerConnection: 7 } });
    await using client = http2Client(narrow.port, trust);
    if (client.session.remoteSettings.maxConcurrentStreams !== 7) await once(client.session, 'remoteSettings');
    expect(client.session.remoteSettings.maxConcurrentStreams).toBe(7);
    narrow.destroy();
  });

  test('HTTP/2 can be switched off', async () => {
    const old = await start({ http2: false });
    const socket = connectTls({ port: old.port, host: '127.0.0.1', ca: authority.cert, ALPNProtocols: ['h2', 'http/1.1'] });
    await once(socket, 'secureConnect');
    expect(socket.alpnProtocol).toBe('http/1.1');
    socket.destroy();
    old.destroy();
  });
});

describe('a path whose escapes cannot be read', () => {
  const asked: string[] = [];
  beforeAll(() => {
    handler = async (exchange) => {
      asked.push(exchange.path);
      exchange.send(200, '', '');
    };
  });

  test('is answered in plain text, and the connection ends', async () => {
    await using client = http1Client(listener.port, trust);
    const answer = await client.ask({ path: '/api/%zz' });
    expect(answer).toMatchObject({ code: 400, headers: { 'content-type': 'text/plain; charset=utf-8', connection: 'close' } });
    expect(answer.body.toString()).toBe('400 Bad Request');
    expect((await client.ask({ path: '/api?a=%zz' })).code).toBe(200);
    expect(asked).toEqual(['/api']);
  });

  test('resets its HTTP/2 stream, and no other', async () => {
    await using client = http2Client(listener.port, trust);
    await expect(client.ask({ path: '/api/%zz' })).rejects.toThrow(/PROTOCOL_ERROR/);
    expect((await client.ask({ path: '/other' })).code).toBe(200);
    expect(asked).toEqual(['/api', '/other']);
  });
});

test('without certificates it speaks plain HTTP/1.1', async () => {
  const plain = await listen(async (exchange) => exchange.send(200, 'text/plain', 'ok'), { host: '127.0.0.1', port: 0, log: silentLog });
  const request = plainRequest({ host: '127.0.0.1', port: plain.port }).end();
  const [response] = await once(request, 'response');
  expect(response.statusCode).toBe(200);
  response.destroy();
  plain.destroy();
});

test('closing sends GOAWAY, lets the running request end and then resolves', async () => {
  const closing = await start({});
  const { promise: begun, resolve: begin } = deferred<Exchange>();
  handler = async (exchange) => begin(exchange);
  const client = http2Client(closing.port, trust);
  const answer = client.ask({});
  const exchange = await begun;
  const goaway = once(client.session, 'goaway');
  const closed = closing.close();
  await goaway;
  exchange.send(200, 'text/plain', 'done');
  expect((await answer).body.toString()).toBe('done');
  await closed;
});

test('reading what the pipeline has not yet found out is a bug', async () => {
  const { promise, resolve } = deferred<unknown>();
  handler = async (exchange) => {
    try {
      void exchange.user;
    } catch (bug) {
      resolve(bug);
    }
    exchange.send(200, '', '');
  };
  await using client = http1Client(listener.port, trust);
  await client.ask({});
  expect(await promise).toMatchObject({ message: 'exchange.user was read before the pipeline set it' });
});

function deferred<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((fulfil) => {
    resolve = fulfil;
  });
  return { promise, resolve };
}

test('a client that asks for another name sees the certificate of that name', async () => {
  const other = { ...authority.issue({ commonName: 'other' }, { usage: 'server', names: ['other.example'] }), names: ['other.example'] };
  const named = await start({ tls: { ...serverPair, named: [other] } });
  const subjectFor = async (servername: string) => {
    const socket = connectTls({ port: named.port, host: '127.0.0.1', ca: authority.cert, servername, rejectUnauthorized: false });
    await once(socket, 'secureConnect');
    const { subject } = socket.getPeerCertificate();
    socket.destroy();
    return subject.CN;
  };
  expect([await subjectFor('other.example'), await subjectFor('nobody.example')]).toEqual(['other', 'server']);
  named.destroy();
});

test.each([
  ['says nothing', ''],
  ['greets and asks for nothing', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0'],
])('an HTTP/2 client that %s is shown out', async (_, text) => {
  const listener = await start({ limits: { idleMs: 100 } });
  const socket = connectTls({ host: '127.0.0.1', port: listener.port, rejectUnauthorized: false, ALPNProtocols: ['h2'] });
  await once(socket, 'secureConnect');
  socket.write(text, 'latin1');
  socket.resume();
  await once(socket, 'close');
  await listener.close();
});

test('a client that never finishes its handshake is shown out, however often it sends a byte', async () => {
  const listener = await start({ limits: { handshakeMs: 200 } });
  const socket = connect({ host: '127.0.0.1', port: listener.port });
  // The beginning of a handshake record that is 16 kB long.
  socket.write(Buffer.from([0x16, 0x03, 0x01, 0x40, 0x00]));
  const drip = setInterval(() => socket.write(Buffer.from([1])), 5);
  socket.on('error', () => undefined).resume();
  await once(socket, 'close');
  clearInterval(drip);
  await listener.close();
});

test('the deadline of a handshake does not end a connection that has made it', async () => {
  const listener = await start({ limits: { handshakeMs: 100 } });
  const socket = connectTls({ host: '127.0.0.1', port: listener.port, rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] });
  await once(socket, 'secureConnect');
  const stopped = connect({ host: '127.0.0.1', port: listener.port });
  stopped.on('error', () => undefined).resume();
  await once(stopped, 'close');
  expect(socket.destroyed).toBe(false);
  socket.destroy();
  await listener.close();
});

test('a client that never finishes the head of its request is shown out', async () => {
  const listener = await start({ limits: { headMs: 200 } });
  const socket = connectTls({ host: '127.0.0.1', port: listener.port, rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] });
  await once(socket, 'secureConnect');
  socket.write('GET / HTTP/1.1\r\nho');
  socket.resume();
  await once(socket, 'close');
  await listener.close();
});

test.each(['in one piece', 'piece by piece'])('a client that sends the next request while an answer %s is on its way keeps its connection', async (way) => {
  const { promise: answered, resolve } = deferred<void>();
  const large = Buffer.alloc(8 << 20, 'a');
  handler = async (exchange) => {
    const body = exchange.method === 'POST' ? Buffer.from(`got ${(await exchange.readBody(1 << 20)).length}`) : large;
    if (way === 'in one piece') exchange.send(200, 'text/plain', body);
    else {
      const stream = exchange.stream(200, 'text/plain');
      void stream.write(body);
      stream.end();
    }
    resolve();
  };
  const socket = connectTls({ host: '127.0.0.1', port: listener.port, rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] });
  await once(socket, 'secureConnect');
  socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n');
  await answered;
  // Whole, so that the head and more than one TLS record of the body come together.
  socket.write(Buffer.concat([Buffer.from('POST / HTTP/1.1\r\nhost: a\r\nconnection: close\r\ncontent-length: 200000\r\n\r\n'), Buffer.alloc(200_000, 'b')]));
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  expect(Buffer.concat(chunks).subarray(large.length).toString()).toContain('got 200000');
});
