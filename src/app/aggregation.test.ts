// A real extension server behind an APIService: found, asked in the caller's name, lost and found again.
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { apiUnderTest } from '../../test/support/api-under-test.ts';
import { TestAuthority } from '../../test/support/test-pki.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const api = apiUnderTest();
const authority = new TestAuthority('extensions');
const apiServices = '/apis/apiregistration.k8s.io/v1/apiservices';

let remote: Server;
let asked: IncomingMessage[];
let count = 0;

function answer(request: IncomingMessage, response: ServerResponse): void {
  asked.push(request);
  request.resume();
  if (request.url?.endsWith('/moved')) return void response.writeHead(302, { location: 'https://elsewhere.example' }).end();
  response.writeHead(200, { 'content-type': 'application/json' }).end('{"kind":"Answer"}');
}

function serve(port = 0): Server {
  const serving = authority.issue({ commonName: 'ext' }, { usage: 'server', names: ['ext.default.svc'] });
  const server = createServer({ cert: serving.cert, key: serving.key }, answer);
  server.listen(port, '127.0.0.1');
  return server;
}

beforeEach(async () => {
  asked = [];
  remote = serve();
  await once(remote, 'listening');
});
afterEach(() => {
  remote.closeAllConnections();
  remote.close();
});

async function register(more: object = { insecureSkipTLSVerify: true }): Promise<{ group: string; name: string; port: number }> {
  const group = `ext${++count}.example.com`;
  const name = `v1.${group}`;
  const namespace = await api.namespace();
  const { port } = remote.address() as AddressInfo;
  await api.make(`/api/v1/namespaces/${namespace}/services`, { metadata: { name: 'ext' }, spec: { type: 'ExternalName', externalName: 'localhost' } });
  const service = { namespace, name: 'ext', port };
  await api.make(apiServices, { metadata: { name }, spec: { group, version: 'v1', groupPriorityMinimum: 1000, versionPriority: 15, service, ...more } });
  return { group, name, port };
}

async function untilReason(name: string, reason: string): Promise<string> {
  for (;;) {
    const { status } = (await api.get(`${apiServices}/${name}`)).body as unknown as { status?: { conditions?: { reason: string; message: string }[] } };
    const [condition] = status?.conditions ?? [];
    if (condition?.reason === reason) return condition.message;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

test('requests reach it in the name of the caller, whatever the caller says about it', async () => {
  const { group, name } = await register();
  await untilReason(name, 'Passed');
  const got = await api.ask('GET', `/apis/${group}/v1/things?b=2&a=1`, undefined, { as: 'jane', groups: ['system:masters'] });
  expect([got.code, got.body]).toMatchObject([200, { kind: 'Answer' }]);
  const { url, headers } = asked.at(-1) ?? {};
  expect([url, headers]).toMatchObject([`/apis/${group}/v1/things?a=1&b=2`, { 'x-remote-user': 'jane' }]);
  expect(headers).not.toHaveProperty('authorization');
  expect(headers).not.toHaveProperty('impersonate-user');
});

test('its group stands in discovery beside those served here', async () => {
  const { group, name } = await register();
  await untilReason(name, 'Passed');
  const { groups } = (await api.get('/apis')).body as unknown as { groups: { name: string }[] };
  expect(groups.map((each) => each.name)).toEqual(expect.arrayContaining(['apiregistration.k8s.io', 'apps', group]));
  expect((await api.get(`/apis/${group}`)).body).toMatchObject({ kind: 'APIGroup', preferredVersion: { version: 'v1' } });
  expect((await api.get('/apis/apps/v1')).body).toMatchObject({ kind: 'APIResourceList', groupVersion: 'apps/v1' });
});

test('redirects are refused', async () => {
  const { group, name } = await register();
  await untilReason(name, 'Passed');
  const got = await api.get(`/apis/${group}/v1/moved`);
  expect([got.code, got.text, got.headers['location']]).toEqual([502, expect.stringContaining('not permitted'), undefined]);
});

test('a server that cannot be verified is not asked', async () => {
  const { group, name } = await register({ caBundle: Buffer.from(new TestAuthority('others').cert).toString('base64') });
  expect(await untilReason(name, 'FailedDiscoveryCheck')).toContain('tls: failed to verify certificate');
  const reached = asked.filter(({ url }) => url?.includes(group));
  expect([(await api.get(`/apis/${group}/v1`)).code, reached]).toEqual([503, []]);
});

test('one that dies is unavailable, and available again when it is back', async () => {
  const { group, name, port } = await register();
  await untilReason(name, 'Passed');
  remote.closeAllConnections();
  remote.close();
  await once(remote, 'close');
  expect((await api.get(`/apis/${group}/v1`)).code).toBe(503);
  // Any change lets it be looked at again; otherwise it is after 30 seconds.
  await api.ask('PATCH', `${apiServices}/${name}`, { metadata: { labels: { look: 'again' } } }, { type: 'application/merge-patch+json' });
  await untilReason(name, 'FailedDiscoveryCheck');
  expect((await api.get('/apis/apps/v1')).code).toBe(200);
  remote = serve(port);
  await once(remote, 'listening');
  await untilReason(name, 'Passed');
  expect((await api.get(`/apis/${group}/v1`)).code).toBe(200);
});
