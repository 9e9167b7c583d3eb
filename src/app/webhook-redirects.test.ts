// A webhook that answers with a redirect could send us, with our credentials, to wherever it likes. None is ever followed.
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ServerInTest } from '../../test/support/server-in-test.ts';
import { TestAuthority } from '../../test/support/test-pki.ts';

const authority = new TestAuthority('webhooks');
const serving = authority.issue({ commonName: 'localhost' }, { usage: 'server', names: ['localhost', '127.0.0.1'] });

/** The machine may be busy. */
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let dir: string;
let remote: Server;
let hits: string[];

/** Every path is moved to one that would say yes to everything. */
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'binnacle-redirect-'));
  hits = [];
  remote = createServer({ cert: serving.cert, key: serving.key }, (request, response) => {
    hits.push(request.url ?? '');
    request.resume();
    if (request.url !== '/elsewhere') return void response.writeHead(307, { location: '/elsewhere' }).end();
    const status = { allowed: true, authenticated: true, user: { username: 'stranger', groups: ['system:masters'] } };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ status }));
  });
  remote.listen(0, '127.0.0.1');
  await once(remote, 'listening');
});
afterEach(() => {
  remote.closeAllConnections();
  remote.close();
  rmSync(dir, { recursive: true, force: true });
});

function file(name: string, text: string): string {
  writeFileSync(join(dir, name), text);
  return join(dir, name);
}

function kubeconfig(path: string): string {
  const ca = Buffer.from(authority.cert).toString('base64');
  const { port } = remote.address() as AddressInfo;
  return file(
    `${path.slice(1)}.yaml`,
    `apiVersion: v1\nkind: Config\nclusters: [{name: c, cluster: {server: "https://127.0.0.1:${port}${path}", certificate-authority-data: ${ca}}}]\nusers: [{name: u, user: {token: t}}]\ncontexts: [{name: x, context: {cluster: c, user: u}}]\ncurrent-context: x\n`,
  );
}

async function untilHit(path: string): Promise<void> {
  while (!hits.includes(path)) await new Promise((resolve) => setTimeout(resolve, 10));
}

test('the token webhook', async () => {
  await using server = await ServerInTest.start({ flags: [`--authentication-token-webhook-config-file=${kubeconfig('/authn')}`] });
  expect((await server.ask('GET', '/api/v1/namespaces', undefined, { token: 'unknown' })).code).toBe(401);
  expect(new Set(hits)).toEqual(new Set(['/authn']));
});

test('the authorization webhook', async () => {
  const flags = ['--authorization-mode=Webhook', `--authorization-webhook-config-file=${kubeconfig('/authz')}`];
  await using server = await ServerInTest.start({ users: 'bob,bob,2,\n', flags, modes: false });
  expect((await server.ask('GET', '/api/v1/namespaces', undefined, { token: 'bob' })).code).toBe(403);
  expect(new Set(hits)).toEqual(new Set(['/authz']));
});

test('the audit webhook', async () => {
  const policy = file('policy.yaml', 'apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{level: Metadata}]\n');
  const flags = [`--audit-webhook-config-file=${kubeconfig('/audit')}`, `--audit-policy-file=${policy}`, '--audit-webhook-batch-max-wait=10ms'];
  await using server = await ServerInTest.start({ flags });
  await server.ask('GET', '/api/v1/namespaces');
  await untilHit('/audit');
  expect(new Set(hits)).toEqual(new Set(['/audit']));
});

test('the image policy webhook', async () => {
  const config = file(
    'admission.yaml',
    `apiVersion: apiserver.config.k8s.io/v1\nkind: AdmissionConfiguration\nplugins: [{name: ImagePolicyWebhook, configuration: {imagePolicy: {kubeConfigFile: ${kubeconfig('/images')}, defaultAllow: false}}}]\n`,
  );
  await using server = await ServerInTest.start({ flags: ['--enable-admission-plugins=ImagePolicyWebhook', `--admission-control-config-file=${config}`] });
  const pod = { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  expect((await server.ask('POST', '/api/v1/namespaces/default/pods', pod)).code).toBe(403);
  expect(new Set(hits)).toEqual(new Set(['/images']));
});
