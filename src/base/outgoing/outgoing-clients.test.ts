import { once } from 'node:events';
import { createServer as createPlainServer } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { TestAuthority, type TestPair } from '../../../test/support/test-pki.ts';
import type { Caller } from '#base/outgoing/exchange.ts';
import { OutgoingClients } from '#base/outgoing/outgoing-clients.ts';
import type { OutgoingFailure } from '#base/outgoing/outgoing-failure.ts';
import type { OutgoingTarget } from '#base/outgoing/target.ts';

vi.setConfig({ testTimeout: 60_000 });

const authority = new TestAuthority('outgoing');
const serving = authority.issue({ commonName: 'localhost' }, { usage: 'server', names: ['localhost', '127.0.0.1', 'hook.apps.svc'] });

let servers: { close(): unknown; closeAllConnections(): void }[] = [];
let clients = newClients();

afterEach(async () => {
  await clients[Symbol.asyncDispose]();
  clients = newClients();
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  servers = [];
});

function newClients(): OutgoingClients {
  return new OutgoingClients({ now: () => new Date(), userAgent: 'test' });
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

async function serve(handler: Handler, pair: TestPair = serving, more: object = {}): Promise<{ port: number; server: Server }> {
  const server = createServer({ ...pair, ...more }, handler);
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, server };
}

const target = (port: number, more: Partial<OutgoingTarget> = {}): OutgoingTarget => ({ origin: `https://127.0.0.1:${port}`, ca: authority.cert, ...more });
const post = (to: OutgoingTarget, more: object = {}) => clients.post(to, '/', '{}', { timeoutMs: 30_000, ...more });
const failureOf = (to: OutgoingTarget, more: object = {}) =>
  post(to, more).then(
    () => expect.unreachable('an answer came'),
    (error: unknown) => error as OutgoingFailure,
  );
const yes: Handler = (request, response) => void request.resume().on('end', () => response.end('yes'));

test('calls to one target share a connection that is kept', async () => {
  const { port, server } = await serve(yes);
  let connections = 0;
  server.on('secureConnection', () => connections++);
  for (let i = 0; i < 10; i++) expect((await post(target(port))).body.toString()).toBe('yes');
  // A call may begin before the connection of the last one is free again.
  expect(connections).toBeLessThanOrEqual(2);
});

test('64 calls at once are all answered', async () => {
  const { port } = await serve(yes);
  const answers = await Promise.all(Array.from({ length: 64 }, () => post(target(port))));
  expect(answers.every(({ code }) => code === 200)).toBe(true);
});

test('a service is dialled where its resolver says, under its own name', async () => {
  let seen: string | undefined;
  const { port } = await serve((request, response) => {
    seen = request.headers.host;
    yes(request, response);
  });
  const service = { origin: 'https://hook.apps.svc:443', ca: authority.cert, dial: () => ({ host: '127.0.0.1', port }) };
  expect((await post(service)).code).toBe(200);
  expect(seen).toBe('hook.apps.svc');
});

test('a redirect is an answer', async () => {
  let calls = 0;
  const { port } = await serve((_request, response) => {
    calls += 1;
    response.writeHead(302, { location: '/elsewhere' }).end();
  });
  expect((await post(target(port))).code).toBe(302);
  expect(calls).toBe(1);
});

test('a client certificate is shown to servers that ask for one', async () => {
  const client = authority.issue({ commonName: 'api' }, { usage: 'client' });
  const { port } = await serve(yes, serving, { requestCert: true, rejectUnauthorized: true, ca: authority.cert });
  expect((await post(target(port, client))).code).toBe(200);
  expect((await failureOf(target(port))).message).toMatch(/EOF|remote error: tls|connection reset/);
});

test('certificates are judged in the words of Go', async () => {
  const good = await serve(yes);
  const past = new Date('2020-01-02T03:04:05Z');
  const expired = await serve(yes, authority.issue({ commonName: 'x' }, { usage: 'server', names: ['127.0.0.1'], notBefore: new Date(0), notAfter: past }));
  const named = await serve(yes, authority.issue({ commonName: 'x' }, { usage: 'server', names: ['one.test', 'two.test'] }));
  const bare = await serve(yes, authority.issue({ commonName: 'bare.test' }, { usage: 'server' }));
  const prefix = 'tls: failed to verify certificate: x509: ';
  const messageOf = async (to: OutgoingTarget) => (await failureOf(to)).message;
  // In Go every certificate of a bundle is a root, the server's own too: envtest gives it out as the bundle of its webhooks.
  await expect(failureOf(target(good.port, { ca: serving.cert }))).rejects.toThrow('an answer came');
  expect(await messageOf(target(good.port, { ca: new TestAuthority('other').cert }))).toBe(`${prefix}certificate signed by unknown authority`);
  expect(await messageOf(target(expired.port))).toMatch(
    new RegExp(`^${prefix}certificate has expired or is not yet valid: current time \\S+Z is after 2020-01-02T03:04:05Z$`),
  );
  expect(await messageOf(target(named.port))).toBe(`${prefix}cannot validate certificate for 127.0.0.1 because it doesn't contain any IP SANs`);
  expect(await messageOf(target(named.port, { serverName: 'three.test' }))).toBe(`${prefix}certificate is valid for one.test, two.test, not three.test`);
  expect(await messageOf(target(bare.port, { serverName: 'bare.test' }))).toBe(`${prefix}certificate relies on legacy Common Name field, use SANs instead`);
  expect(await messageOf(target(bare.port, { serverName: 'x.test' }))).toBe(`${prefix}certificate is not valid for any names, but wanted to match x.test`);
});

test('nothing is sent to a server with a wrong certificate', async () => {
  let calls = 0;
  const { port } = await serve(() => calls++);
  await failureOf(target(port, { ca: new TestAuthority('other').cert }));
  expect(calls).toBe(0);
});

test('a hanging server costs its time and no more, whether before or in the answer', async () => {
  const silent = await serve(() => undefined);
  expect(await failureOf(target(silent.port), { timeoutMs: 50 })).toMatchObject({ message: 'context deadline exceeded', canceled: false });
  const dripping = await serve((_request, response) => {
    const drip = setInterval(() => response.write(' '), 5);
    response.on('close', () => clearInterval(drip));
  });
  expect(await failureOf(target(dripping.port), { timeoutMs: 200 })).toMatchObject({ message: 'context deadline exceeded' });
});

test('a server that accepts and never shakes hands costs no more than the time of a call either', async () => {
  const accepted: Socket[] = [];
  const server = createTcpServer((socket) => accepted.push(socket)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const to = target((server.address() as AddressInfo).port);
  const failures = await Promise.all([failureOf(to, { timeoutMs: 100 }), failureOf(to, { timeoutMs: 100 })]);
  expect(failures.map(({ message }) => message)).toEqual(['context deadline exceeded', 'context deadline exceeded']);
  // The handshake has a longer time of its own, and still waits.
  expect(accepted.length).toBeGreaterThan(0);
  expect(accepted.every((socket) => socket.readyState === 'open')).toBe(true);
  for (const socket of accepted) socket.destroy();
  server.close();
});

test('a call ends with the request that needs it', async () => {
  let leave = () => {};
  const { port } = await serve(() => leave());
  const caller: Caller = {
    gone: false,
    onGone: (listener) => {
      leave = listener;
      return () => {};
    },
  };
  expect(await failureOf(target(port), { caller })).toMatchObject({ message: 'context canceled', canceled: true });
});

test('an answer beyond the limit is not read to its end', async () => {
  let sent = 0;
  const { port } = await serve((_request, response) => {
    const chunk = Buffer.alloc(1 << 16);
    const more = () => {
      while (sent < 1 << 30 && !response.destroyed) {
        sent += chunk.length;
        if (!response.write(chunk)) return void response.once('drain', more);
      }
    };
    more();
  });
  expect(await failureOf(target(port), { maxBytes: 1 << 20 })).toMatchObject({ message: 'http: response body too large', inBody: true });
  expect(sent).toBeLessThan(64 << 20);
});

test('what is wrong with a connection is said as Go does', async () => {
  const dropping = await serve((request) => request.socket.destroy());
  expect((await failureOf(target(dropping.port))).message).toBe('EOF');
  const halving = await serve((request, response) => {
    response.writeHead(200, { 'content-length': '10' }).write('half', () => request.socket.destroy());
  });
  expect(await failureOf(target(halving.port))).toMatchObject({ message: 'unexpected EOF', inBody: true });
  const plain = createPlainServer(yes);
  servers.push(plain);
  plain.listen(0, '127.0.0.1');
  await once(plain, 'listening');
  expect((await failureOf(target((plain.address() as AddressInfo).port))).message).toBe('http: server gave HTTP response to HTTPS client');
  const { port, server } = await serve(yes);
  server.close();
  await once(server, 'close');
  expect((await failureOf(target(port))).message).toBe(`dial tcp 127.0.0.1:${port}: connect: connection refused`);
});
