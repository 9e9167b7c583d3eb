import { once } from 'node:events';
import { connect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { ServerInTest } from '../../../test/support/server-in-test.ts';
import { TestAuthority } from '../../../test/support/test-pki.ts';
import { silentLog } from '#base/log.ts';
import type { Exchange } from '#server/front/exchange.ts';
import { listen } from '#server/front/listen.ts';
import { splitEvents } from '#server/answer/split-events.ts';

let server: ServerInTest;
beforeAll(async () => {
  server = await ServerInTest.start();
});
afterAll(() => server[Symbol.asyncDispose]());

interface Asked {
  readonly headers?: Record<string, string>;
  readonly anonymous?: boolean;
  readonly protocols?: string[];
}

/** What stands for the administrator, as a protocol. */
const bearer = 'bearer of admin';

/** As the administrator unless headers say otherwise. */
function open(path: string, { headers = {}, anonymous = false, protocols: asked = [] }: Asked = {}, at = server): WebSocket {
  const { url, certificates } = at.server;
  const token = at.tokenOf('admin');
  const own = anonymous ? headers : { authorization: `Bearer ${token}`, ...headers };
  const secret = `base64url.bearer.authorization.k8s.io.${Buffer.from(token).toString('base64url')}`;
  const protocols = asked.map((protocol) => (protocol === bearer ? secret : protocol));
  const socket = new WebSocket(url.replace('https', 'wss') + path, protocols, { ca: certificates.servingCa ?? '', headers: own });
  socket.on('error', () => {});
  return socket;
}

interface Message {
  readonly data: Buffer;
  readonly binary: boolean;
}

/** Everything until the server closes, and with which code. */
async function conversation(socket: WebSocket): Promise<{ messages: Message[]; code: number }> {
  const messages: Message[] = [];
  socket.on('message', (data: Buffer, binary) => messages.push({ data, binary }));
  const [code] = await once(socket, 'close');
  return { messages, code };
}

async function refusal(socket: WebSocket): Promise<{ code: number; body: string; headers: object }> {
  const [, response] = await once(socket, 'unexpected-response');
  let body = '';
  for await (const chunk of response) body += chunk;
  return { code: response.statusCode, body, headers: response.headers };
}

const watchDefault = '/api/v1/namespaces?watch=true&fieldSelector=metadata.name%3Ddefault&timeoutSeconds=1';

describe('a watch over WebSocket', () => {
  test('sends one text message for each event, and closes when its time is over', async () => {
    const { messages, code } = await conversation(open(watchDefault));
    expect(messages.map(({ binary }) => binary)).toEqual([false]);
    expect(messages[0]?.data.toString()).toMatch(/^\{"type":"ADDED","object":\{"kind":"Namespace".*\}\n$/);
    expect(code).toBe(1000);
  });

  test('sends binary messages without a length before them when protobuf is wanted', async () => {
    const { messages } = await conversation(open(watchDefault, { headers: { accept: 'application/vnd.kubernetes.protobuf' } }));
    expect(messages.map(({ binary }) => binary)).toEqual([true]);
    expect(messages[0]?.data.subarray(0, 7).toString('latin1')).toBe('\n\x05ADDED');
  });

  test('events that come together are still messages of their own', async () => {
    const { messages } = await conversation(open('/api/v1/namespaces?watch=true&timeoutSeconds=1'));
    const names = messages.map(({ data }) => JSON.parse(data.toString()).object.metadata.name);
    expect(names).toEqual(['default', 'kube-node-lease', 'kube-public', 'kube-system']);
  });

  test('tells what happens while it is open, and ends when the client leaves', async () => {
    const socket = open('/api/v1/namespaces/default/configmaps?watch=true&fieldSelector=metadata.name%3Dtold');
    await once(socket, 'open');
    const message = once(socket, 'message');
    await server.make('/api/v1/namespaces/default/configmaps', { metadata: { name: 'told' } });
    expect(JSON.parse(String((await message)[0]))).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'told' } } });
    socket.close();
    await once(socket, 'close');
  });

  test('works on the old watch paths, and as a Table', async () => {
    const old = await conversation(open('/api/v1/watch/namespaces/default?timeoutSeconds=1'));
    expect(JSON.parse(String(old.messages[0]?.data)).object.kind).toBe('Namespace');
    const table = await conversation(open(watchDefault, { headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' } }));
    expect(JSON.parse(String(table.messages[0]?.data)).object.kind).toBe('Table');
  });

  test('an expired resourceVersion is an ERROR event', async () => {
    const { messages } = await conversation(open('/api/v1/namespaces/default/configmaps?watch=true&resourceVersion=1'));
    expect(JSON.parse(String(messages[0]?.data))).toMatchObject({ type: 'ERROR', object: { code: 410, reason: 'Expired' } });
  });

  test('the token may be one of the protocols; it never comes back', async () => {
    const socket = open(watchDefault, { anonymous: true, protocols: [bearer, 'base64.binary.k8s.io'] });
    const { messages } = await conversation(socket);
    expect([messages.length, socket.protocol]).toEqual([1, 'base64.binary.k8s.io']);
    expect((await refusal(open(watchDefault, { anonymous: true, protocols: [bearer] }))).code).toBe(401);
  });
});

describe('a handshake', () => {
  test.each([
    ['two protocols', { protocols: ['a', 'b'] }, 400],
    ['an origin that is no address', { headers: { origin: 'nonsense' } }, 403],
    ['a wrong token', { headers: { authorization: 'Bearer wrong' } }, 401],
    ['nobody, who may not watch secrets', { anonymous: true }, 403],
  ])('with %s is refused', async (_, asked: Asked, code) => {
    expect((await refusal(open('/api/v1/secrets?watch=true', asked))).code).toBe(code);
  });

  test('of another version is refused with the one we speak', async () => {
    const text = await raw(
      `GET ${watchDefault} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${server.tokenOf('admin')}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 8\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`,
    );
    expect(text).toBe('HTTP/1.1 400 Bad Request\r\nSec-WebSocket-Version: 13\r\n\r\n');
  });

  test('on a path that is no watch gets the plain answer', async () => {
    const { code, body } = await refusal(open('/api/v1/namespaces/default'));
    expect([code, JSON.parse(body).metadata.name]).toEqual([200, 'default']);
    expect((await refusal(open('/api/v1/namespaces'))).code).toBe(200);
    expect((await refusal(open('/api/v1/nothing?watch=true'))).code).toBe(404);
  });

  test('for a protocol that we do not speak is ignored, body and all', async () => {
    const body = '{"metadata":{"name":"upgraded"}}';
    const text = await raw(
      `POST /api/v1/namespaces/default/configmaps HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${server.tokenOf('admin')}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n${body}`,
    );
    expect(text).toMatch(/^HTTP\/1\.1 201 Created[\s\S]*"name":"upgraded"/);
  });
});

async function raw(text: string): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port: server.server.port, ca: server.server.certificates.servingCa, ALPNProtocols: ['http/1.1'] });
  socket.write(text);
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

test('what a client does not read is known as backlog, and a client that is gone ends the exchange', async () => {
  const authority = new TestAuthority();
  const { cert, key } = authority.issue({ commonName: 'server' }, { usage: 'server', names: ['127.0.0.1'] });
  let begun: (exchange: Exchange) => void = () => {};
  const exchange = new Promise<Exchange>((resolve) => (begun = resolve));
  const handler = async (one: Exchange) => begun(one);
  const listener = await listen(handler, { host: '127.0.0.1', port: 0, tls: { cert, key }, log: silentLog });
  const client = new WebSocket(`wss://127.0.0.1:${listener.port}/`, { ca: authority.cert });
  client.on('error', () => {});
  const stream = (await exchange).stream(200, 'application/json', 'events');
  await once(client, 'open');
  client.pause();
  const event = Buffer.from(`"${'x'.repeat(1_000_000)}"\n`);
  for (let i = 0; i < 40; i++) void stream.write(event);
  expect(stream.backlog).toBeGreaterThan(16 * 1024 * 1024);
  const { signal } = await exchange;
  const gone = once(signal, 'abort');
  client.terminate();
  await gone;
  listener.destroy();
});

test('a client that sends pings and does not read gets only the last pongs when it does: none is kept for it', { timeout: 20_000 }, async () => {
  const socket = open('/api/v1/namespaces/default/configmaps?watch=true');
  await once(socket, 'open');
  const pongs: string[] = [];
  socket.on('pong', (payload) => pongs.push(payload.toString()));
  socket.pause();
  const pings = 150_000;
  for (let i = 1; i <= pings; i++) {
    socket.ping(String(i).padStart(120, '0'));
    if (i % 1000 === 0) while (socket.bufferedAmount > 0) await new Promise((resolve) => setImmediate(resolve));
  }
  socket.resume();
  while (Number(pongs.at(-1) ?? 0) < pings) await once(socket, 'pong');
  expect(pongs.length).toBeLessThan(pings / 2);
  socket.terminate();
});

test('a server that stops closes watches over WebSocket properly', async () => {
  const stopping = await ServerInTest.start();
  const socket = open('/api/v1/namespaces?watch=true', {}, stopping);
  await once(socket, 'message');
  const closed = once(socket, 'close');
  await stopping[Symbol.asyncDispose]();
  expect((await closed)[0]).toBe(1000);
});

test('events are split where they end', () => {
  const json = Buffer.from('{"a":1}\n{"b":2}\n');
  expect(splitEvents(json, 'json').map(String)).toEqual(['{"a":1}\n', '{"b":2}\n']);
  const protobuf = Buffer.from([0, 0, 0, 1, 10, 0, 0, 0, 2, 0, 10]);
  expect(splitEvents(protobuf, 'protobuf').map((event) => [...event])).toEqual([[10], [0, 10]]);
});
