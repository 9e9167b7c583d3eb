// Every kind of credential over real TLS: the good one, and all the ways in which one can be wrong.
import { createHmac, generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { signingKey, signJwt, verifyingKeys } from '#auth/authentication/jwt.ts';
import { openIdDocuments } from '#auth/authentication/openid-metadata.ts';
import { keepSecret } from '../../test/support/secrets.ts';
import { ServerInTest } from '../../test/support/server-in-test.ts';
import { TestAuthority, type TestPair } from '../../test/support/test-pki.ts';
import { http1Client, http2Client } from '../../test/support/wire-clients.ts';

/** The machine may be busy. */
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
const hour = 3_600_000;
const dir = mkdtempSync(join(tmpdir(), 'binnacle-credentials-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

function file(name: string, text: string): string {
  writeFileSync(join(dir, name), text);
  return join(dir, name);
}

describe('a client certificate', () => {
  const authority = new TestAuthority('clients');
  let now = Date.now();
  let server: ServerInTest;
  beforeAll(async () => {
    server = await ServerInTest.start({ flags: [`--client-ca-file=${file('clients.crt', authority.cert)}`], clock: { now: () => new Date(now) } });
  });
  afterAll(() => server?.[Symbol.asyncDispose]());

  async function who(pair: TestPair | undefined, { token = '', dial = http1Client as typeof http1Client } = {}): Promise<unknown> {
    await using client = dial(server.server.port, { ca: server.server.certificates.servingCa ?? '', ...pair });
    const headers = { 'content-type': 'application/json', ...(token !== '' && { authorization: `Bearer ${server.tokenOf(token)}` }) };
    const { code, body } = await client.ask({ method: 'POST', path, headers, body: '{}' });
    return code === 201 ? JSON.parse(body.toString()).status.userInfo.username : code;
  }
  const anna = { commonName: 'anna' };

  test('of our authority stands for its name, over both protocols', async () => {
    const pair = authority.issue(anna, { usage: 'client' });
    expect([await who(pair), await who(pair, { dial: http2Client })]).toEqual(['anna', 'anna']);
  });

  const between = new TestAuthority('between');
  const wrong: Readonly<Record<string, () => TestPair>> = {
    'another authority signed': () => new TestAuthority('strangers').issue(anna, { usage: 'client' }),
    'another authority of the same name signed': () => new TestAuthority('clients').issue(anna, { usage: 'client' }),
    'has expired': () => authority.issue(anna, { usage: 'client', notBefore: new Date(now - 2 * hour), notAfter: new Date(now - hour) }),
    'is not yet valid': () => authority.issue(anna, { usage: 'client', notBefore: new Date(now + hour), notAfter: new Date(now + 2 * hour) }),
    'is meant for servers': () => authority.issue(anna, { usage: 'server', names: ['anna'] }),
    'comes over an intermediate that may not sign': () => {
      const leaf = between.issue(anna, { usage: 'client' });
      return { ...leaf, cert: leaf.cert + authority.issueFor(between, { usage: 'client' }) };
    },
    'comes over an intermediate that has expired': () => {
      const leaf = between.issue(anna, { usage: 'client' });
      return {
        ...leaf,
        cert: leaf.cert + authority.issueFor(between, { usage: 'authority', notBefore: new Date(now - 2 * hour), notAfter: new Date(now - hour) }),
      };
    },
  };
  test.each(Object.keys(wrong))('that %s is refused, and never made anonymous', async (name) => {
    const pair = wrong[name]?.();
    expect(await who(pair)).toBe(401);
    expect(await who(pair, { dial: http2Client })).toBe(401);
    // Others may still know who it is.
    expect(await who(pair, { token: 'admin' })).toBe('admin');
    expect(await who(pair, { token: 'wrong' })).toBe(401);
  });

  test('over an intermediate that may sign is good', async () => {
    const leaf = between.issue(anna, { usage: 'client' });
    expect(await who({ ...leaf, cert: leaf.cert + authority.issueFor(between, { usage: 'authority' }) })).toBe('anna');
  });

  test('is good over its intermediate on a session that is taken up again, too', async () => {
    const leaf = between.issue(anna, { usage: 'client' });
    const cert = leaf.cert + authority.issueFor(between, { usage: 'authority' });
    const shown = { host: '127.0.0.1', port: server.server.port, ca: server.server.certificates.servingCa, key: leaf.key, cert };
    const open = async (session?: Buffer) => {
      const socket = connect({ ...shown, ...(session && { session }) });
      let next = session;
      socket.on('session', (offered: Buffer) => (next = offered));
      await once(socket, 'secureConnect');
      socket.write(`POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`);
      const [answer] = (await once(socket, 'data')) as [Buffer];
      socket.destroy();
      return { status: answer.toString().split('\r\n')[0], next };
    };
    const first = await open();
    expect([first.status, (await open(first.next)).status]).toEqual(['HTTP/1.1 201 Created', 'HTTP/1.1 201 Created']);
  });

  test('ends on an open connection when its time is over', async () => {
    const pair = authority.issue(anna, { usage: 'client' });
    await using client = http2Client(server.server.port, { ca: server.server.certificates.servingCa ?? '', ...pair });
    const ask = async () => (await client.ask({ method: 'POST', path, headers: { 'content-type': 'application/json' }, body: '{}' })).code;
    expect(await ask()).toBe(201);
    now += 2 * hour;
    expect(await ask()).toBe(401);
    now -= 2 * hour;
  });

  test('goes before a token, whatever the token says', async () => {
    expect(await who(authority.issue(anna, { usage: 'client' }), { token: 'admin' })).toBe('anna');
    expect(await who(authority.issue(anna, { usage: 'client' }), { token: 'wrong' })).toBe('anna');
  });

  test('without a name says nothing about who shows it: anonymous', async () => {
    expect(await who(authority.issue({ commonName: '', organizations: ['system:masters'] }, { usage: 'client' }))).toBe(403);
  });
});

describe('a WebSocket without headers of its own', () => {
  /** The status of the answer; a raw socket, because clients hide what a refused upgrade says. */
  async function statusOf(server: ServerInTest, protocols: string): Promise<number> {
    const socket = connect({ host: '127.0.0.1', port: server.server.port, rejectUnauthorized: false });
    await once(socket, 'secureConnect');
    const head = ['GET /api/v1/nodes/none HTTP/1.1', 'Host: x', 'Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'];
    socket.write([...head, 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==', `Sec-WebSocket-Protocol: ${protocols}`, '', ''].join('\r\n'));
    const [answer] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    return Number(/^HTTP\/1\.1 (\d+)/.exec(answer.toString())?.[1]);
  }
  const offered = (token: string) => `base64url.bearer.authorization.k8s.io.${Buffer.from(token).toString('base64url')}, v4.channel.k8s.io`;

  test('may offer its token as a protocol', async () => {
    await using server = await ServerInTest.start();
    expect(await statusOf(server, 'v4.channel.k8s.io')).toBe(403);
    expect(await statusOf(server, offered(server.tokenOf('admin')))).toBe(404);
    expect(await statusOf(server, offered('wrong'))).toBe(401);
  });
});

test('a bootstrap token is nothing unless the server is told to take it', async () => {
  await using server = await ServerInTest.start();
  const stringData = { 'token-id': 'abcdef', 'token-secret': '0123456789abcdef', 'usage-bootstrap-authentication': 'true' };
  const secrets = '/api/v1/namespaces/kube-system/secrets';
  await server.make(secrets, { metadata: { name: 'bootstrap-token-abcdef' }, type: 'bootstrap.kubernetes.io/token', stringData });
  expect((await server.ask('GET', '/version', undefined, { token: 'abcdef.0123456789abcdef' })).code).toBe(401);
});

test('a token of a key that was rotated away is refused, also when it was good before', async () => {
  const pems = [0, 1].map(() => generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey.export({ type: 'pkcs8', format: 'pem' }) as string);
  keepSecret(...pems);
  const [old = '', next = ''] = pems.map((pem, i) => file(`sa-${i}.key`, pem));
  const data = mkdtempSync(join(tmpdir(), 'binnacle-rotation-'));
  const start = (signing: string, ...keys: string[]) =>
    ServerInTest.start({
      flags: [
        '--memory=false',
        `--data-dir=${data}`,
        `--service-account-signing-key-file=${signing}`,
        ...keys.map((key) => `--service-account-key-file=${key}`),
      ],
    });
  const code = async (server: ServerInTest, token: string) => (await server.ask('GET', '/api/v1/nodes', undefined, { token })).code;
  const issue = async (server: ServerInTest) => (await server.make('/api/v1/namespaces/default/serviceaccounts/mover/token', { spec: {} })).status.token;
  const before = await start(old, old);
  await before.make('/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'mover' } });
  const token = await issue(before);
  expect(await code(before, token)).toBe(403);
  await before[Symbol.asyncDispose]();
  const during = await start(next, next, old);
  expect([await code(during, token), await code(during, await issue(during))]).toEqual([403, 403]);
  await during[Symbol.asyncDispose]();
  const after = await start(next, next);
  expect([await code(after, token), await code(after, await issue(after))]).toEqual([401, 403]);
  await after[Symbol.asyncDispose]();
  rmSync(data, { recursive: true });
});

describe('a token of another issuer', () => {
  const authority = new TestAuthority('issuers');
  const serving = authority.issue({ commonName: 'localhost' }, { usage: 'server', names: ['localhost', '127.0.0.1'] });
  const pems = [0, 1].map(() => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }) as string);
  const [key = '', nextKey = ''] = pems;
  let issuer: ReturnType<typeof createServer>;
  let url: string;
  let published: string;
  let claimedUrl: string | undefined;
  let fetched = 0;
  beforeAll(async () => {
    keepSecret(...pems);
    issuer = createServer({ cert: serving.cert, key: serving.key }, (request, response) => {
      const documents = openIdDocuments(claimedUrl ?? url, `${url}/keys`, verifyingKeys(published));
      if (request.url === '/keys') fetched += 1;
      response.setHeader('content-type', 'application/json').end(request.url === '/keys' ? documents?.keys : documents?.configuration);
    });
    issuer.listen(0, '127.0.0.1');
    await once(issuer, 'listening');
    url = `https://127.0.0.1:${(issuer.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    issuer.closeAllConnections();
    issuer.close();
  });

  let now = Date.now();
  const seconds = () => Math.floor(now / 1000);
  const token = (claims: object, pem = key) => signJwt({ iss: url, aud: 'me', sub: 'carol', exp: seconds() + 600, ...claims }, signingKey(pem));
  const start = (more: Readonly<Record<string, string>> = {}) => {
    published = key;
    claimedUrl = undefined;
    const named = { 'issuer-url': url, 'client-id': 'me', 'ca-file': file('issuers.crt', authority.cert), ...more };
    return ServerInTest.start({ clock: { now: () => new Date(now) }, flags: Object.entries(named).map(([flag, value]) => `--oidc-${flag}=${value}`) });
  };
  const who = async (server: ServerInTest, text: string) => {
    const { code, json } = await server.ask('POST', path, {}, { token: text });
    return code === 201 ? [json.status.userInfo.username, ...json.status.userInfo.groups] : code;
  };

  test('is read as the flags say: names, prefixes, groups of either form', async () => {
    await using server = await start({ 'username-claim': 'name', 'username-prefix': 'o:', 'groups-claim': 'roles', 'groups-prefix': 'g:' });
    expect(await who(server, token({ name: 'x', roles: ['a', 'b'] }))).toEqual(['o:x', 'g:a', 'g:b', 'system:authenticated']);
    expect(await who(server, token({ name: 'y', roles: 'a' }))).toEqual(['o:y', 'g:a', 'system:authenticated']);
    expect(await who(server, token({ name: 'z' }))).toEqual(['o:z', 'system:authenticated']);
    expect(await who(server, token({ name: 'x', roles: [1] }))).toBe(401);
    expect(await who(server, token({ name: 1 }))).toBe(401);
    await using bare = await start({ 'username-claim': 'email', 'username-prefix': '-' });
    expect(await who(bare, token({ email: 'x@y', email_verified: true }))).toEqual(['x@y', 'system:authenticated']);
    expect(await who(bare, token({ email: 'x@y', email_verified: false }))).toBe(401);
  });

  test('is refused with a signature that proves nothing', async () => {
    await using server = await start();
    const [head = '', body = '', signature = ''] = token({}).split('.');
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const spki = verifyingKeys(key)[0]?.key.export({ type: 'spki', format: 'pem' }) as string;
    const hs = part({ alg: 'HS256', kid: signingKey(key).id });
    const forgeries = {
      none: `${part({ alg: 'none' })}.${body}.`,
      'none with a signature': `${part({ alg: 'none' })}.${body}.${signature}`,
      'the public key as a secret': `${hs}.${body}.${createHmac('sha256', spki).update(`${hs}.${body}`).digest('base64url')}`,
      'other claims': `${head}.${part({ iss: url, aud: 'me', sub: 'root', exp: seconds() + 600 })}.${signature}`,
      'another key': token({}, nextKey),
    };
    for (const [why, text] of Object.entries(forgeries)) expect([why, await who(server, text)]).toEqual([why, 401]);
    expect(await who(server, token({}))).toEqual([`${url}#carol`, 'system:authenticated']);
    await using strict = await start({ 'signing-algs': 'ES256' });
    expect(await who(strict, token({}))).toBe(401);
  });

  test('follows its keys: a new one is looked for, but not all the time, and an old one ends', async () => {
    await using server = await start();
    expect(await who(server, token({}))).toEqual([`${url}#carol`, 'system:authenticated']);
    published = nextKey;
    fetched = 0;
    expect(await who(server, token({ n: 1 }, nextKey))).toBe(401);
    expect(fetched).toBe(0);
    now += 11_000;
    expect(await who(server, token({ n: 2 }, nextKey))).toEqual([`${url}#carol`, 'system:authenticated']);
    expect(fetched).toBe(1);
    expect(await who(server, token({ n: 3 }))).toBe(401);
  });

  test('counts for nothing when the issuer cannot be trusted or is another', async () => {
    await using stranger = await start({ 'ca-file': file('strangers.crt', new TestAuthority('strangers').cert) });
    expect(await who(stranger, token({}))).toBe(401);
    await using server = await start();
    claimedUrl = 'https://elsewhere.example';
    expect(await who(server, token({}))).toBe(401);
    claimedUrl = undefined;
    expect(await who(server, token({}))).toEqual([`${url}#carol`, 'system:authenticated']);
  });
});

test.each([
  ['AlwaysAllow', 200, 200],
  ['AlwaysDeny', 403, 200],
])('with %s everybody who is known gets the same', async (mode, everybody, masters) => {
  await using server = await ServerInTest.start({ users: 'bob,bob,1,\n', flags: [`--authorization-mode=${mode}`], modes: false });
  const code = async (token: string) => (await server.ask('GET', '/api/v1/nodes', undefined, { token })).code;
  expect([await code('bob'), await code('admin'), await code('wrong')]).toEqual([everybody, masters, 401]);
});
