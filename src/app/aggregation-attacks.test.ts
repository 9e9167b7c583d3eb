// What a caller does to be taken for somebody else by an extension server: it believes the headers that come over this server's connection.
import { connect as connectHttp2 } from 'node:http2';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { connect } from 'node:tls';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { apiUnderTest } from '../../test/support/api-under-test.ts';
import { apiServices, ExtensionServerInTest, untilAvailable } from '../../test/support/extension-server.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const api = apiUnderTest('--requestheader-username-headers=X-Our-User', '--requestheader-extra-headers-prefix=X-Our-Extra-');
const extension = new ExtensionServerInTest();
let name = '';
let things = '';

beforeAll(async () => {
  await extension.start();
  const registration = await extension.register(api);
  name = registration.name;
  things = `/apis/${registration.group}/v1/things`;
  await untilAvailable(api, registration);
});
beforeEach(() => {
  extension.asked.length = 0;
});
afterAll(async () => {
  await api.ask('DELETE', `${apiServices}/${name}`);
  await extension.stop();
});

/** The server asks for discovery by itself. */
const asked = () => extension.asked.filter(({ url }) => url?.startsWith(things));

/** A head as it stands here, with the administrator's credentials; returns everything that is answered until the server hangs up. */
async function raw(head: string, body = ''): Promise<string> {
  const { hostname, port } = new URL(api.url);
  const socket = connect({ host: hostname, port: Number(port), rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] });
  const ending = /upgrade:/i.test(head) ? '' : 'connection: close\r\n';
  socket.write(`${head}host: x\r\nauthorization: Bearer ${api.token}\r\n${ending}\r\n${body}`);
  return text(socket);
}

test('headers by which front proxies name users here are not passed on, whatever flags call them', async () => {
  const answer = await raw(`GET ${things} HTTP/1.1\r\nX-Our-User: root\r\nX-Our-Extra-Scopes: all\r\nX-Remote-User: root\r\nX-Other: kept\r\n`);
  expect(answer).toMatch(/^HTTP\/1.1 200/);
  const [headers] = asked().map((request) => request.headers);
  expect(headers).toMatchObject({ 'x-remote-user': 'admin', 'x-other': 'kept' });
  expect(Object.keys(headers ?? {}).filter((header) => header.startsWith('x-our-'))).toEqual([]);
});

test('a header that Connection names is not passed on, and none that names the caller goes with it', async () => {
  await raw(`GET ${things} HTTP/1.1\r\nconnection: x-remote-user, x-remote-group, x-mine\r\nx-mine: 1\r\n`);
  const [headers] = asked().map((request) => request.headers);
  expect(headers).toMatchObject({ 'x-remote-user': 'admin', 'x-remote-group': expect.stringContaining('system:masters') });
  expect(headers?.['x-mine']).toBeUndefined();
});

test('a body that an upgrade announces does not become the beginning of the next request to that server', async () => {
  const upgrades: Record<string, string | string[] | undefined>[] = [];
  extension.onUpgrade = (request, socket: Duplex) => {
    upgrades.push(request.headers);
    socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
  };
  const smuggled = `GET ${things}/smuggled HTTP/1.1\r\nhost: x\r\nx-remote-user: root\r\nx-remote-group: system:masters\r\n\r\n`.repeat(10);
  const refused = await raw(`GET ${things} HTTP/1.1\r\nconnection: upgrade\r\nupgrade: websocket\r\ncontent-length: ${smuggled.length}\r\n`, smuggled);
  expect(refused).toMatch(/^HTTP\/1.1 4/);
  expect(upgrades.map((headers) => headers['content-length'] ?? '0')).toEqual(upgrades.map(() => '0'));
  await raw(`POST ${things}?next HTTP/1.1\r\ncontent-length: ${smuggled.length}\r\n`, smuggled);
  expect(asked().map(({ url }) => url?.split('=')[0])).toEqual([`${things}?next`]);
});

test.each([
  ['GET with a body', (body: string) => [`GET ${things} HTTP/1.1\r\ncontent-length: ${body.length}\r\n`, body]],
  [
    'GET whose Connection names its length',
    (body: string) => [`GET ${things} HTTP/1.1\r\ncontent-length: ${body.length}\r\nconnection: content-length\r\n`, body],
  ],
  ['HEAD with a body', (body: string) => [`HEAD ${things} HTTP/1.1\r\ncontent-length: ${body.length}\r\n`, body]],
  [
    'DELETE in chunks',
    (body: string) => [`DELETE ${things} HTTP/1.1\r\ntransfer-encoding: chunked\r\n`, `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`],
  ],
  [
    'POST whose Connection names its length',
    (body: string) => [`POST ${things} HTTP/1.1\r\ncontent-length: ${body.length}\r\nconnection: content-length\r\n`, body],
  ],
  [
    'POST whose Connection names its chunks',
    (body: string) => [
      `POST ${things} HTTP/1.1\r\ntransfer-encoding: chunked\r\nconnection: transfer-encoding\r\n`,
      `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
    ],
  ],
] as const)('a request in the body of a %s is no request to that server', async (_, of) => {
  const [head = '', body = ''] = of(`GET ${things}/smuggled HTTP/1.1\r\nhost: x\r\nx-remote-user: root\r\n\r\n`);
  expect(await raw(head, body)).toMatch(/^HTTP\/1.1 200/);
  await raw(`GET ${things}?next=1 HTTP/1.1\r\n`);
  expect(asked().map(({ url, headers }) => [url, headers['x-remote-user']])).toEqual([
    [things, 'admin'],
    [`${things}?next=1`, 'admin'],
  ]);
});

test('lengths that contradict each other reach nobody', async () => {
  const smuggled = `GET ${things}/smuggled HTTP/1.1\r\nhost: x\r\nx-remote-user: root\r\n\r\n`;
  for (const lengths of [
    'content-length: 5\r\ncontent-length: 6\r\n',
    'content-length: 5\r\ntransfer-encoding: chunked\r\n',
    'transfer-encoding: chunked, identity\r\n',
  ])
    expect(await raw(`POST ${things} HTTP/1.1\r\n${lengths}`, `0\r\n\r\n${smuggled}`)).toMatch(/^HTTP\/1.1 400/);
  expect(asked()).toEqual([]);
});

test.each([
  ['a length that is too short', 'DELETE', { 'content-length': '5' }],
  ['no length', 'DELETE', {}],
  ['a length that is too short', 'POST', { 'content-length': '5' }],
])('over HTTP/2, a request behind a body of %s (%s) is no request to that server', async (_, method, more) => {
  const session = connectHttp2(api.url, { rejectUnauthorized: false });
  const stream = session.request({ ':method': method, ':path': things, authorization: `Bearer ${api.token}`, ...more }, { endStream: false });
  stream.on('error', () => {}).resume();
  stream.end(`12345GET ${things}/smuggled HTTP/1.1\r\nhost: x\r\nx-remote-user: root\r\n\r\n`);
  await new Promise((resolve) => stream.once('close', resolve));
  session.destroy();
  await raw(`GET ${things}?next=1 HTTP/1.1\r\n`);
  expect(asked().map(({ url, headers }) => [url, headers['x-remote-user']])).toContainEqual([`${things}?next=1`, 'admin']);
  expect(asked().filter(({ url, headers }) => url?.endsWith('smuggled') || headers['x-remote-user'] !== 'admin')).toEqual([]);
});
