// A backend of our own answers; what it hears and what becomes of its answers.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ServerInTest } from '../../../test/support/server-in-test.ts';

interface Review {
  readonly kind: string;
  readonly apiVersion: string;
  readonly spec: { readonly containers: object[]; readonly annotations: object; readonly namespace: string };
}

const dir = mkdtempSync(join(tmpdir(), 'image-policy-'));
let backend: Server;
let heard: Review[] = [];
let status: object | undefined;
let servers: { closed: ServerInTest; open: ServerInTest };

beforeAll(async () => {
  const words = ['req', '-x509', '-new', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-subj', '/CN=localhost'];
  const files = ['-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', join(dir, 'key'), '-out', join(dir, 'crt')];
  execFileSync('openssl', [...words, ...files], { stdio: 'ignore' });
  backend = createServer({ key: readFileSync(join(dir, 'key')), cert: readFileSync(join(dir, 'crt')) }, async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    heard.push(JSON.parse(Buffer.concat(chunks).toString()) as Review);
    response.writeHead(status ? 200 : 403, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ kind: 'ImageReview', apiVersion: 'imagepolicy.k8s.io/v1alpha1', status }));
  });
  await new Promise<void>((resolve) => backend.listen(0, '127.0.0.1', resolve));
  servers = { closed: await start(false), open: await start(true) };
});

beforeEach(() => {
  heard = [];
});

afterAll(async () => {
  await Promise.all([servers.closed[Symbol.asyncDispose](), servers.open[Symbol.asyncDispose]()]);
  backend.closeAllConnections();
  backend.close();
  rmSync(dir, { recursive: true });
});

function start(defaultAllow: boolean): Promise<ServerInTest> {
  const [kubeconfig, config] = [join(dir, `kubeconfig-${defaultAllow}`), join(dir, `config-${defaultAllow}`)];
  const cluster = { server: `https://127.0.0.1:${(backend.address() as AddressInfo).port}/review`, 'certificate-authority': join(dir, 'crt') };
  writeFileSync(kubeconfig, JSON.stringify({ clusters: [{ name: 'a', cluster }], users: [], contexts: [] }));
  const configuration = { imagePolicy: { kubeConfigFile: kubeconfig, allowTTL: 50, denyTTL: 50, retryBackoff: 1, defaultAllow } };
  const plugins = [{ name: 'ImagePolicyWebhook', configuration }];
  writeFileSync(config, JSON.stringify({ apiVersion: 'apiserver.config.k8s.io/v1', kind: 'AdmissionConfiguration', plugins }));
  return ServerInTest.start({ flags: ['--enable-admission-plugins=ImagePolicyWebhook', `--admission-control-config-file=${config}`] });
}

let serial = 0;
async function createPod(image: string, { server = servers.closed, annotations = {}, spec = {} } = {}) {
  const name = `p${serial++}`;
  const body = { metadata: { name, annotations }, spec: { containers: [{ name: 'c', image }], ...spec } };
  const { code, json } = await server.ask('POST', '/api/v1/namespaces/default/pods', body);
  return { code, name, message: json.message, annotations: (json.metadata as unknown as { annotations?: object }).annotations };
}

test('the backend hears of images, of annotations that are meant for it, and of the namespace', async () => {
  status = { allowed: true };
  const annotations = { 'a.image-policy.k8s.io/ticket': '1', other: '2' };
  expect((await createPod('seen', { annotations, spec: { initContainers: [{ name: 'i', image: 'first' }] } })).code).toBe(201);
  const containers = [{ image: 'seen' }, { image: 'first' }];
  const spec = { containers, annotations: { 'a.image-policy.k8s.io/ticket': '1' }, namespace: 'default' };
  expect(heard).toMatchObject([{ kind: 'ImageReview', apiVersion: 'imagepolicy.k8s.io/v1alpha1', spec }]);
});

test.each([
  [{ allowed: false, reason: 'old' }, 'image policy webhook backend denied one or more images: old'],
  [{ allowed: false }, 'one or more images rejected by webhook backend'],
])('%j refuses the pod', async (answer, why) => {
  status = answer;
  const { code, name, message } = await createPod(`bad-${JSON.stringify(answer).length}`);
  expect([code, message]).toEqual([403, `pods "${name}" is forbidden: ${why}`]);
});

test('the same images are not asked about again for a while', async () => {
  status = { allowed: true };
  await createPod('same');
  await createPod('same');
  expect(heard.length).toBe(1);
});

test('ephemeral containers are asked about, other parts of a pod are not', async () => {
  status = { allowed: true };
  const { name } = await createPod('base');
  heard = [];
  const path = `/api/v1/namespaces/default/pods/${name}`;
  const patch = { spec: { ephemeralContainers: [{ name: 'd', image: 'debug' }] } };
  expect((await servers.closed.ask('PATCH', `${path}/ephemeralcontainers`, patch, { type: 'application/strategic-merge-patch+json' })).code).toBe(200);
  await servers.closed.ask('PATCH', `${path}/status`, { status: { phase: 'Running' } }, { type: 'application/merge-patch+json' });
  expect(heard.map(({ spec }) => spec.containers)).toEqual([[{ image: 'debug' }]]);
});

describe('when the backend does not answer as it should', () => {
  beforeEach(() => {
    status = undefined;
  });

  test('pods are refused', async () => {
    expect((await createPod('unknown')).code).toBe(403);
  });

  test('or let in as they are, when that is the default: the note is for the audit log', async () => {
    const { code, annotations } = await createPod('unknown', { server: servers.open });
    expect([code, annotations]).toEqual([201, undefined]);
  });
});
