// --insecure-port: the administrator without a credential, for programs of this machine and for nobody's web page.
import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Log } from '#base/log.ts';
import { freePort } from '../../test/support/server-under-test.mjs';
import { ServerInTest } from '../../test/support/server-in-test.ts';

const lines: string[] = [];
const note = (...facts: unknown[]) => void lines.push(JSON.stringify(facts));
const log: Log = { debug: note, info: note, warn: note, error: note };

let server: ServerInTest;
let port: number;

beforeAll(async () => {
  port = await freePort();
  // Origins that CORS allows on the secure port count for nothing on this one.
  server = await ServerInTest.start({ log, flags: [`--insecure-port=${port}`, '--bind-address=0.0.0.0', '--cors-allowed-origins=evil.example'] });
}, 60_000);
afterAll(() => server[Symbol.asyncDispose]());

interface Asked {
  readonly address?: string;
  readonly method?: string;
  readonly path?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
}

async function ask({ address = '127.0.0.1', method = 'GET', path = '/api/v1/nodes', body, headers = {} }: Asked) {
  const sent = request({ host: address, port, method, path, headers: { host: `localhost:${port}`, ...headers }, agent: false });
  sent.end(body);
  const [response] = await once(sent, 'response');
  let text = '';
  for await (const chunk of response) text += String(chunk);
  return { code: response.statusCode as number, headers: response.headers, json: JSON.parse(text) as { message: string; status: { userInfo: object } } };
}

test('it is off unless asked for, and warns when it is on', async () => {
  const before = lines.length;
  await using quiet = await ServerInTest.start({ log });
  expect(lines.slice(before).join()).not.toContain('plain HTTP');
  expect(lines.slice(0, before).join()).toContain('plain HTTP');
  expect(quiet.server.port).not.toBe(port);
});

test('without a credential a request is of the administrator, as the textbooks show it', async () => {
  for (const host of [`localhost:${port}`, 'localhost', `LOCALHOST:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`])
    expect((await ask({ headers: { host } })).code, host).toBe(200);
  const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
  const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
  const { json } = await ask({ method: 'POST', path, body: JSON.stringify(review), headers: { 'content-type': 'application/json' } });
  expect(json.status.userInfo).toMatchObject({ username: 'system:unsecured', groups: ['system:masters', 'system:authenticated'] });
});

test('a credential that is shown counts: a wrong one is refused, a right one is that user', async () => {
  expect((await ask({ headers: { authorization: 'Bearer wrong' } })).code).toBe(401);
  expect((await ask({ headers: { authorization: `Bearer ${server.tokenOf('admin')}` } })).code).toBe(200);
});

test('it listens on loopback addresses only, also where the secure port is open to all', async () => {
  const outward = Object.values(networkInterfaces()).flatMap((addresses) => addresses?.filter(({ internal, family }) => !internal && family === 'IPv4') ?? []);
  for (const address of ['127.0.0.2', ...outward.map((one) => one.address)]) {
    const socket = connect(port, address);
    const [problem] = await Promise.race([once(socket, 'error'), once(socket, 'connect').then(() => [undefined])]).catch((error: unknown) => [error]);
    socket.destroy();
    expect((problem as NodeJS.ErrnoException | undefined)?.code, address).toBe('ECONNREFUSED');
  }
});

describe('a page of another site reaches nothing', () => {
  const own = () => `http://localhost:${port}`;

  test.each(['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example', 'evil.example:80', '0.0.0.0', '127.0.0.2', 'localhost:', 'localhost:80@evil'])(
    'by a name that was made to resolve to this machine (DNS rebinding): Host %j',
    async (host) => {
      const { code, json } = await ask({ headers: { host } });
      expect(code).toBe(403);
      expect(json.message).toContain('Host must be localhost, 127.0.0.1 or [::1]');
    },
  );

  test('by a request with several Host headers, an empty one or none', async () => {
    for (const head of ['GET /api HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n', 'GET /api HTTP/1.1\r\nHost:\r\n', 'GET /api HTTP/1.0\r\n']) {
      const socket = connect(port, '127.0.0.1');
      socket.end(`${head}Connection: close\r\n\r\n`);
      let answer = '';
      for await (const chunk of socket) answer += String(chunk);
      expect(answer, head).toMatch(/^HTTP\/1\.1 (400|403) /);
    }
  });

  test.each(['https://evil.example', 'null', 'http://localhost:1', 'https://localhost', 'http://127.0.0.1:1', 'chrome-extension://x'])(
    'by a script or a form (CSRF): Origin %s',
    async (origin) => {
      for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS']) {
        const { code, headers, json } = await ask({ method, headers: { origin, 'content-type': 'text/plain' }, ...(method === 'POST' && { body: '{}' }) });
        expect([code, json.message]).toEqual([403, 'the insecure port refuses this request: it has the Origin of another site']);
        expect(headers['access-control-allow-origin']).toBeUndefined();
      }
    },
  );

  test.each(['cross-site', 'same-site'])('by an image, a frame or a link, which have no Origin: Sec-Fetch-Site %s', async (site) => {
    const { code, json } = await ask({ headers: { 'sec-fetch-site': site } });
    expect([code, json.message]).toEqual([403, 'the insecure port refuses this request: a browser sent it from another site']);
  });

  test('with a credential neither', async () => {
    const authorization = `Bearer ${server.tokenOf('admin')}`;
    expect((await ask({ headers: { authorization, origin: 'https://evil.example' } })).code).toBe(403);
    expect((await ask({ headers: { authorization, host: 'evil.example' } })).code).toBe(403);
  });

  test('by a WebSocket', async () => {
    const upgrade = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13', 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==' };
    const path = '/api/v1/namespaces?watch=true';
    expect((await ask({ path, headers: { ...upgrade, origin: 'https://evil.example' } })).code).toBe(403);
  });

  test('while pages of the server itself and addresses that somebody typed do', async () => {
    expect((await ask({ headers: { origin: own(), 'sec-fetch-site': 'same-origin' } })).code).toBe(200);
    expect((await ask({ headers: { 'sec-fetch-site': 'none' } })).code).toBe(200);
  });
});
