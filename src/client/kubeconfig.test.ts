import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ServerInTest } from '../../test/support/server-in-test.ts';
import { systemClock } from '#base/clock.ts';
import { configOf, inClusterConfig } from '#client/client-config.ts';
import { connect } from '#client/connect.ts';
import { execIdentity } from '#client/exec-credential.ts';
import { authorizationOf, tokenFileIdentity } from '#client/identity.ts';
import { mergeKubeconfigs, parseKubeconfig, readKubeconfig } from '#client/kubeconfig.ts';

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'kubeconfig-'));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const here = { env: {}, clock: systemClock };
const file = (name: string, text: string) => {
  writeFileSync(join(dir, name), text);
  return join(dir, name);
};

const simple = (user: string, cluster = '') => `
current-context: c
contexts: [{ name: c, context: { cluster: k, user: u, namespace: team } }]
clusters: [{ name: k, cluster: { server: 'https://host:1'${cluster} } }]
users: [{ name: u, user: { ${user} } }]
`;

const identityOf = (user: string) => configOf(parseKubeconfig(simple(user), dir), here).transport.identity?.current();

describe('kubeconfig files', () => {
  test('of several the first that names something wins, with all of it', () => {
    const first = parseKubeconfig(`{ current-context: '', users: [{ name: red, user: { token: one } }] }`, '/a');
    const second = parseKubeconfig(
      `{ current-context: x, users: [{ name: red, user: { token: two, as: other } }, { name: blue, user: {} }], contexts: [{ name: x, context: { cluster: c, user: red } }] }`,
      '/b',
    );
    const merged = mergeKubeconfigs([first, second]);
    expect(merged.currentContext).toBe('x');
    expect(merged.users.get('red')).toEqual({ token: 'one' });
    expect([...merged.users.keys()].toSorted()).toEqual(['blue', 'red']);
  });

  test('are those of $KUBECONFIG where they exist, else the one at home; a named one must exist', () => {
    const one = file('one', `current-context: one`);
    const env = { KUBECONFIG: [join(dir, 'absent'), one].join(':') };
    expect(readKubeconfig({ env, homeDir: dir }).currentContext).toBe('one');
    mkdirSync(join(dir, '.kube'));
    writeFileSync(join(dir, '.kube', 'config'), 'current-context: home');
    expect(readKubeconfig({ env: {}, homeDir: dir }).currentContext).toBe('home');
    expect(() => readKubeconfig({ file: join(dir, 'absent'), env: {}, homeDir: dir })).toThrow('ENOENT');
    expect(() => readKubeconfig({ file: file('broken', '{'), env: {}, homeDir: dir })).toThrow('is no kubeconfig');
  });

  test('name other files relative to themselves; what is inline wins', () => {
    const { clusters, users } = parseKubeconfig(
      simple(`client-certificate: certs/a.crt, tokenFile: /abs/token, exec: { apiVersion: v, command: ./plugin }`, `, certificate-authority: ca.crt`),
      '/etc/kube',
    );
    expect(clusters.get('k')?.['certificate-authority']).toBe('/etc/kube/ca.crt');
    expect(users.get('u')).toMatchObject({ 'client-certificate': '/etc/kube/certs/a.crt', tokenFile: '/abs/token', exec: { command: '/etc/kube/plugin' } });
    const ca = file('ca.crt', 'from the file');
    const inline = simple('', `, certificate-authority: ${ca}, certificate-authority-data: ${Buffer.from('inline').toString('base64')}`);
    expect(configOf(parseKubeconfig(inline, dir), here).transport.ca).toBe('inline');
  });

  test('say who asks', async () => {
    expect(await identityOf('token: t')).toEqual({ token: 't' });
    expect(authorizationOf((await identityOf('username: u, password: p')) ?? {})).toEqual({ authorization: 'Basic dTpw' });
    expect(await identityOf(`tokenFile: ${file('token', ' from-file\n')}, token: other`)).toEqual({ token: 'from-file' });
    expect(await identityOf(`tokenFile: ${join(dir, 'no-token')}, token: other`)).toEqual({ token: 'other' });
  });

  test('say as whom to ask, and where', () => {
    const config = configOf(parseKubeconfig(simple('as: jane, as-uid: "7", as-groups: [a, b], as-user-extra: { scope: [x] }'), dir), here);
    expect(config.impersonate).toEqual({ user: 'jane', uid: '7', groups: ['a', 'b'], extra: { scope: ['x'] } });
    expect(config.namespace).toBe('team');
  });

  test.each([
    ['no context', `{}`, 'no current context'],
    ['a context that is not there', `current-context: x`, 'no context "x"'],
    ['half a pair', simple('client-certificate-data: YQ=='), 'needs its key'],
    ['groups without a user', simple('as-groups: [a]'), 'need `as`'],
    ['a proxy', simple('', ', proxy-url: http://p'), 'proxy-url is not supported'],
    ['an auth provider', simple('auth-provider: { name: gcp }'), 'auth-provider "gcp" is not supported'],
    ['trust and distrust', simple('', ', insecure-skip-tls-verify: true, certificate-authority-data: YQ=='), 'two things at once'],
  ])('with %s are refused', (_, text, message) => {
    expect(() => configOf(parseKubeconfig(text, dir), here)).toThrow(message);
  });
});

test('a token file is read again after a while, at once after a refusal, and its last token survives a missing file', async () => {
  let now = 0;
  const token = file('rotating', 'one');
  const identity = tokenFileIdentity(token, { now: () => new Date(now) });
  const current = async () => (await identity.current()).token;
  expect(await current()).toBe('one');
  writeFileSync(token, 'two');
  expect(await current()).toBe('one');
  now += 60_000;
  expect(await current()).toBe('two');
  rmSync(token);
  now += 60_000;
  expect(await current()).toBe('two');
  writeFileSync(token, 'three');
  identity.refused?.();
  expect(await current()).toBe('three');
});

describe('an exec plugin', () => {
  const plugin = (body: string) => {
    const path = file(`plugin-${Math.random()}`, `#!/bin/sh\n${body}\n`);
    chmodSync(path, 0o755);
    return path;
  };
  const apiVersion = 'client.authentication.k8s.io/v1';
  const counting = (expires: string) =>
    plugin(
      `echo x >> "$COUNT"; n=$(wc -l < "$COUNT" | tr -d ' '); echo '{"apiVersion":"${apiVersion}","kind":"ExecCredential","status":{"token":"token-'$n'"${expires}}}'`,
    );
  const options = (command: string, name = 'count') => ({
    exec: { apiVersion, command, env: [{ name: 'COUNT', value: join(dir, name) }], provideClusterInfo: true },
    cluster: { server: 'https://host:1' },
    env: { PATH: process.env['PATH'] },
    clock: { now: () => new Date('2026-01-01T00:00:00Z') },
  });

  test('is asked once until its credentials expire or are refused', async () => {
    const identity = execIdentity(options(counting('')));
    const both = await Promise.all([identity.current(), identity.current()]);
    expect(both).toEqual([{ token: 'token-1' }, { token: 'token-1' }]);
    identity.refused?.();
    expect(await identity.current()).toEqual({ token: 'token-2' });
  });

  test('is asked again when they have expired', async () => {
    const identity = execIdentity(options(counting(',"expirationTimestamp":"2025-12-31T23:59:59Z"'), 'expiring'));
    await identity.current();
    expect(await identity.current()).not.toEqual({ token: 'token-1' });
  });

  test('learns of the cluster, and may answer with a certificate', async () => {
    const path = plugin(`echo "$KUBERNETES_EXEC_INFO" > ${join(dir, 'info')}
echo '{"apiVersion":"${apiVersion}","kind":"ExecCredential","status":{"clientCertificateData":"c","clientKeyData":"k"}}'`);
    expect(await execIdentity(options(path)).current()).toEqual({ cert: 'c', key: 'k' });
    const { readFileSync } = await import('node:fs');
    expect(JSON.parse(readFileSync(join(dir, 'info'), 'utf8'))).toEqual({
      kind: 'ExecCredential',
      apiVersion,
      spec: { interactive: false, cluster: { server: 'https://host:1' } },
    });
  });

  test.each([
    ['fails', 'echo nope >&2; exit 3', 'nope'],
    ['says nothing useful', 'echo {}', 'answered with'],
    ['gives nothing', `echo '{"apiVersion":"${apiVersion}","kind":"ExecCredential","status":{}}'`, 'no credentials'],
    ['gives half a pair', `echo '{"apiVersion":"${apiVersion}","kind":"ExecCredential","status":{"clientKeyData":"k","token":"t"}}'`, 'only one of'],
  ])('that %s is an error', async (_, body, message) => {
    await expect(execIdentity(options(plugin(body))).current()).rejects.toThrow(message);
  });

  test('that is not installed says how to', async () => {
    const { exec, ...rest } = options('/no/such/plugin');
    await expect(execIdentity({ ...rest, exec: { ...exec, installHint: 'install it' } }).current()).rejects.toThrow('install it');
    expect(() => execIdentity({ ...rest, exec: { ...exec, apiVersion: 'v0' } })).toThrow('v0 is not one of');
    expect(() => execIdentity({ ...rest, exec: { ...exec, interactiveMode: 'Always' } })).toThrow('terminal');
  });
});

describe('against a server', () => {
  let server: ServerInTest;
  beforeAll(async () => {
    server = await ServerInTest.start();
  });
  afterAll(() => server[Symbol.asyncDispose]());
  const namespaces = { group: '', version: 'v1', resource: 'namespaces', namespaced: false };

  test('the kubeconfig that the server writes works', async () => {
    const config = configOf(readKubeconfig({ file: server.server.kubeconfig ?? '', env: {}, homeDir: dir }), here);
    await using connected = connect(config, { userAgent: 'test' });
    expect((await connected.client.list(namespaces)).items.length).toBeGreaterThan(3);
    expect(connected.namespace).toBe('default');
  });

  test('impersonation reaches the server, groups and all', async () => {
    const config = configOf(readKubeconfig({ file: server.server.kubeconfig ?? '', env: {}, homeDir: dir }), here);
    const impersonate = { user: 'jane', groups: ['one', 'two'], extra: { 'example.com/scope': ['x', 'y'] } };
    await using connected = connect({ ...config, impersonate }, { userAgent: 'test' });
    const reviews = { group: 'authentication.k8s.io', version: 'v1', resource: 'selfsubjectreviews', namespaced: false };
    const { status } = await connected.client.create<{ status?: { userInfo: object } }>(reviews, '', {});
    expect(status?.userInfo).toMatchObject({ username: 'jane', groups: ['one', 'two', 'system:authenticated'], extra: { 'example.com/scope': ['x', 'y'] } });
  });

  test('a pod finds the server by its environment and its files', async () => {
    const folder = mkdtempSync(join(dir, 'pod-'));
    writeFileSync(join(folder, 'ca.crt'), server.server.certificates.servingCa ?? '');
    writeFileSync(join(folder, 'token'), `${server.tokenOf('admin')}\n`);
    writeFileSync(join(folder, 'namespace'), 'mine');
    const env = { KUBERNETES_SERVICE_HOST: '127.0.0.1', KUBERNETES_SERVICE_PORT: String(server.server.port) };
    const config = inClusterConfig({ env, clock: systemClock }, folder);
    if (config === undefined) throw new Error('not in a cluster');
    await using connected = connect(config, { userAgent: 'test' });
    expect((await connected.client.get(namespaces, '', 'default')).metadata.name).toBe('default');
    expect(connected.namespace).toBe('mine');
    expect(inClusterConfig(here, folder)).toBeUndefined();
  });
});
