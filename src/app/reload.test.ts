// What a running server does when its files change: certificates, authorities, configuration of access.
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type ConnectionOptions } from 'node:tls';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Log } from '#base/log.ts';
import { ManualTimers } from '../../test/support/manual-timers.ts';
import { ServerInTest } from '../../test/support/server-in-test.ts';
import { TestAuthority, type TestPair } from '../../test/support/test-pki.ts';
import { http1Client, http2Client } from '../../test/support/wire-clients.ts';

/** The machine may be busy. */
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });
const soon = { timeout: 20_000 };

let dir: string;
let lines: string[];
const note = (...facts: unknown[]) => void lines.push(JSON.stringify(facts));
const log: Log = { debug: note, info: note, warn: note, error: note };

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'binnacle-reload-'));
  lines = [];
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** Whole or not at all, as administrators are told to do it. */
function file(name: string, text: string): string {
  writeFileSync(join(dir, `${name}.new`), text);
  renameSync(join(dir, `${name}.new`), join(dir, name));
  return join(dir, name);
}

function write(name: string, { cert, key }: TestPair): readonly [string, string] {
  return [file(`${name}.crt`, cert), file(`${name}.key`, key)];
}

const authority = new TestAuthority('serving');
const servingFor = (...names: string[]) => authority.issue({ commonName: names[0] ?? '' }, { usage: 'server', names });

/** The certificate that a new connection is shown; undefined when none comes about. */
async function shownBy(server: ServerInTest, options: ConnectionOptions = {}): Promise<X509Certificate | undefined> {
  const socket = connect({ host: '127.0.0.1', port: server.server.port, rejectUnauthorized: false, ...options });
  try {
    await once(socket, 'secureConnect');
    return socket.getPeerX509Certificate();
  } catch {
    return undefined;
  } finally {
    socket.destroy();
  }
}

const serialOf = ({ cert }: { cert: string }) => new X509Certificate(cert).serialNumber;

describe('the serving certificate', () => {
  test('is another one for new connections when the files change, and the same when they become unusable', async () => {
    const [first, second] = [servingFor('127.0.0.1'), servingFor('127.0.0.1')];
    const [cert, key] = write('serving', first);
    await using server = await ServerInTest.start({ log, flags: [`--tls-cert-file=${cert}`, `--tls-private-key-file=${key}`] });
    const shown = async () => (await shownBy(server))?.serialNumber;
    expect(await shown()).toBe(serialOf(first));
    await using open = http2Client(server.server.port, { ca: authority.cert });
    const ask = async () => (await open.ask({ path: '/livez', headers: { authorization: `Bearer ${server.tokenOf('admin')}` } })).code;
    expect(await ask()).toBe(200);
    write('serving', second);
    await expect.poll(shown, soon).toBe(serialOf(second));
    expect(await ask()).toBe(200);
    file('serving.key', first.key);
    await expect.poll(() => lines.join('\n'), soon).toContain('private key does not match public key');
    file('serving.crt', 'nonsense');
    await expect.poll(() => lines.filter((line) => line.includes('could not be reloaded')).length, soon).toBeGreaterThan(1);
    expect(await shown()).toBe(serialOf(second));
    const third = servingFor('127.0.0.1');
    write('serving', third);
    await expect.poll(shown, soon).toBe(serialOf(third));
  });

  test('follows the name that a client asks for, and changes with its files', async () => {
    const names = servingFor('a.example', '*.b.example');
    const given = servingFor('ignored');
    const own = servingFor('127.0.0.1');
    const [cert, key] = write('serving', own);
    const flags = [`--tls-cert-file=${cert}`, `--tls-private-key-file=${key}`];
    const sni = [`--tls-sni-cert-key=${write('names', names).join()}`, `--tls-sni-cert-key=${write('given', given).join()}:c.example,*.d.example`];
    await using server = await ServerInTest.start({ log, flags: [...flags, ...sni] });
    const shown = async (servername: string) => (await shownBy(server, { servername }))?.serialNumber;
    for (const name of ['a.example', 'A.Example', 'x.b.example']) expect([name, await shown(name)]).toEqual([name, serialOf(names)]);
    for (const name of ['c.example', 'y.d.example']) expect([name, await shown(name)]).toEqual([name, serialOf(given)]);
    for (const name of ['', 'b.example', 'x.y.b.example', 'other', 'ignored']) expect([name, await shown(name)]).toEqual([name, serialOf(own)]);
    const next = servingFor('a.example');
    write('names', next);
    await expect.poll(() => shown('a.example'), soon).toBe(serialOf(next));
    expect(await shown('x.b.example')).toBe(serialOf(own));
    expect(await shown('c.example')).toBe(serialOf(given));
  });

  test('is made for an elliptic curve of 256 bits, and used again by the next start', async () => {
    await using first = await ServerInTest.start({ flags: [`--cert-dir=${dir}`] });
    const shown = await shownBy(first);
    expect(shown?.publicKey.asymmetricKeyDetails).toMatchObject({ namedCurve: 'prime256v1' });
    await using second = await ServerInTest.start({ flags: [`--cert-dir=${dir}`] });
    expect((await shownBy(second))?.serialNumber).toBe(shown?.serialNumber);
  });

  test('is renewed before it ends while the server runs, with the certificate of the administrator', async () => {
    // Most of a year ago, so that the old and the new ones are both valid for clients with a clock of their own.
    const nearEnd = 336 * 24 * 3_600_000;
    let now = Date.now() - nearEnd;
    const timers = new ManualTimers();
    await using server = await ServerInTest.start({ log, timers, clock: { now: () => new Date(now) } });
    const shown = async () => (await shownBy(server))?.serialNumber;
    const first = await shown();
    const kubeconfig = () => readFileSync(server.server.kubeconfig ?? '', 'utf8');
    const old = kubeconfig();
    timers.advance(3_600_000);
    expect(kubeconfig()).toBe(old);
    now += nearEnd;
    timers.advance(3_600_000);
    await expect.poll(shown, soon).not.toBe(first);
    await expect.poll(kubeconfig, soon).not.toBe(old);
    const { users } = JSON.parse(kubeconfig()) as { users: { user: Record<string, string> }[] };
    const pem = (name: string) => Buffer.from(users[0]?.user[`client-${name}-data`] ?? '', 'base64').toString();
    expect(Date.parse(new X509Certificate(pem('certificate')).validTo)).toBeGreaterThan(now + 300 * 24 * 3_600_000);
    await using client = http1Client(server.server.port, { ca: server.server.certificates.servingCa ?? '', cert: pem('certificate'), key: pem('key') });
    expect((await client.ask({ path: '/api/v1/namespaces/default' })).code).toBe(200);
  });
});

describe('versions and ciphers of TLS', () => {
  test('below 1.2 are never spoken, and from 1.3 on when the flag says so', async () => {
    await using usual = await ServerInTest.start();
    await using strict = await ServerInTest.start({ flags: ['--tls-min-version=VersionTLS13'] });
    const speaks = async (server: ServerInTest, version: 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3') =>
      (await shownBy(server, { minVersion: version, maxVersion: version, ...(version === 'TLSv1.1' && { ciphers: 'DEFAULT@SECLEVEL=0' }) })) !== undefined;
    expect([await speaks(usual, 'TLSv1.1'), await speaks(usual, 'TLSv1.2'), await speaks(usual, 'TLSv1.3')]).toEqual([false, true, true]);
    expect([await speaks(strict, 'TLSv1.2'), await speaks(strict, 'TLSv1.3')]).toEqual([false, true]);
  });

  test('are those of the flag', async () => {
    await using server = await ServerInTest.start({ flags: ['--tls-cipher-suites=TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384'] });
    const speaks = async (ciphers: string) => (await shownBy(server, { maxVersion: 'TLSv1.2', ciphers })) !== undefined;
    expect(await speaks('ECDHE-ECDSA-AES256-GCM-SHA384')).toBe(true);
    expect(await speaks('ECDHE-ECDSA-AES128-GCM-SHA256')).toBe(false);
  });
});

describe('authorities', () => {
  const body = '{}';
  const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
  const headers = { 'content-type': 'application/json' };

  test('of clients count from the moment the file has them, also on connections that are open', async () => {
    const [old, next] = [new TestAuthority('old'), new TestAuthority('next')];
    await using server = await ServerInTest.start({ log, flags: [`--client-ca-file=${file('ca.crt', old.cert)}`] });
    const ca = server.server.certificates.servingCa ?? '';
    await using before = http1Client(server.server.port, { ca, ...old.issue({ commonName: 'anna' }, { usage: 'client' }) });
    const newcomer = next.issue({ commonName: 'bert' }, { usage: 'client' });
    const who = async (client: Pick<typeof before, 'ask'>) => {
      const answer = await client.ask({ method: 'POST', path, headers, body });
      return answer.code === 201 ? JSON.parse(answer.body.toString()).status.userInfo.username : answer.code;
    };
    const fresh = async () => {
      await using client = http1Client(server.server.port, { ca, ...newcomer });
      return await who(client);
    };
    expect([await who(before), await fresh()]).toEqual(['anna', 401]);
    file('ca.crt', next.cert);
    await expect.poll(fresh, soon).toBe('bert');
    expect(await who(before)).toBe(401);
    file('ca.crt', '');
    await expect.poll(() => lines.join('\n'), soon).toContain('does not contain any valid');
    expect(await fresh()).toBe('bert');
    const published = async () => (await server.ask('GET', '/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication')).text;
    await expect.poll(published, soon).toContain(JSON.stringify(next.cert).slice(1, -1));
  });

  test('of front proxies count from the moment the file has them', async () => {
    const [old, next] = [new TestAuthority('old'), new TestAuthority('next')];
    const flags = [`--requestheader-client-ca-file=${file('proxy.crt', old.cert)}`, '--requestheader-username-headers=X-Remote-User'];
    await using server = await ServerInTest.start({ log, flags });
    const who = async (by: TestAuthority) => {
      await using client = http1Client(server.server.port, {
        ca: server.server.certificates.servingCa ?? '',
        ...by.issue({ commonName: 'p' }, { usage: 'client' }),
      });
      const answer = await client.ask({ method: 'POST', path, headers: { ...headers, 'x-remote-user': 'carl' }, body });
      return answer.code === 201 ? JSON.parse(answer.body.toString()).status.userInfo.username : answer.code;
    };
    expect([await who(old), await who(next)]).toEqual(['carl', 401]);
    file('proxy.crt', next.cert);
    await expect.poll(() => who(next), soon).toBe('carl');
    expect(await who(old)).toBe(401);
  });
});

describe('configuration files', () => {
  const reloads = async (server: ServerInTest, what: string, status: string) => {
    const { text } = await server.ask('GET', '/metrics');
    const found = new RegExp(`^apiserver_${what}_config_controller_automatic_reloads_total\\{.*status="${status}".*\\} (\\d+)$`, 'm').exec(text);
    return Number(found?.[1] ?? 0);
  };
  const authorization = (...types: string[]) =>
    `apiVersion: apiserver.config.k8s.io/v1\nkind: AuthorizationConfiguration\nauthorizers:\n${types.map((type) => `- {type: ${type}, name: ${type.toLowerCase()}}\n`).join('')}`;

  test('of authorization count from the moment they can be understood', async () => {
    const users = 'bob,bob,1,\n';
    const flags = [`--authorization-config=${file('authz.yaml', authorization('RBAC'))}`];
    await using server = await ServerInTest.start({ log, users, flags, modes: false });
    const code = async () => (await server.ask('GET', '/api/v1/nodes', undefined, { token: 'bob' })).code;
    expect(await code()).toBe(403);
    file('authz.yaml', authorization('RBAC', 'AlwaysAllow'));
    await expect.poll(code, soon).toBe(200);
    await expect.poll(() => reloads(server, 'authorization', 'success'), soon).toBe(1);
    for (const bad of ['{', authorization('Nonsense'), authorization('AlwaysAllow'), authorization('RBAC', 'ABAC')]) {
      const failed = await reloads(server, 'authorization', 'failure');
      file('authz.yaml', bad);
      await expect.poll(() => reloads(server, 'authorization', 'failure'), soon).toBe(failed + 1);
      expect([bad, await code()]).toEqual([bad, 200]);
    }
    expect(lines.join('\n')).toContain('failed to load authorization config');
    file('authz.yaml', authorization('RBAC'));
    await expect.poll(code, soon).toBe(403);
    const { text } = await server.ask('GET', '/metrics');
    expect(text).toMatch(
      /^apiserver_authorization_config_controller_last_config_info\{apiserver_id_hash="sha256:[0-9a-f]{64}",hash="sha256:[0-9a-f]{64}"\} 1$/m,
    );
  });

  test('of authentication may name other issuers, but not change who may stay anonymous', async () => {
    const config = (audience: string, anonymous = '') =>
      `apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfiguration\njwt:\n- issuer: {url: "https://127.0.0.1:1", audiences: [${audience}]}\n  claimMappings: {username: {claim: sub, prefix: ""}}\n${anonymous}`;
    await using server = await ServerInTest.start({ log, flags: [`--authentication-config=${file('authn.yaml', config('a'))}`] });
    file('authn.yaml', config('b'));
    await expect.poll(() => reloads(server, 'authentication', 'success'), soon).toBe(1);
    file('authn.yaml', config('b', 'anonymous: {enabled: false}\n'));
    await expect.poll(() => reloads(server, 'authentication', 'failure'), soon).toBe(1);
    expect(lines.join('\n')).toContain('anonymous: Forbidden: changed from initial configuration file');
    expect((await server.ask('GET', '/livez', undefined, { token: '' })).code).toBe(200);
    rmSync(join(dir, 'authn.yaml'));
    await expect.poll(() => reloads(server, 'authentication', 'failure'), soon).toBeGreaterThan(1);
    file('authn.yaml', config('c'));
    await expect.poll(() => reloads(server, 'authentication', 'success'), soon).toBe(2);
  });

  test('with tokens are read once', async () => {
    await using server = await ServerInTest.start({ log, users: 'bob,bob,1,\n' });
    const tokens = join(server.dir, 'tokens.csv');
    expect(existsSync(tokens)).toBe(true);
    writeFileSync(tokens, 'eve,eve,1,system:masters\n');
    expect((await server.ask('GET', '/version', undefined, { token: 'eve' })).code).toBe(401);
    expect((await server.ask('GET', '/version', undefined, { token: 'bob' })).code).toBe(200);
  });
});
