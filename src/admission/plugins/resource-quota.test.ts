// What needs a quota to be used at all, and what a dry run leaves alone; the rest of ResourceQuota is in app/resource-quota.test.ts.
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { ServerInTest } from '../../../test/support/server-in-test.ts';

let server: ServerInTest;
let serial = 0;
const file = join(tmpdir(), `binnacle-limited-resources-${process.pid}.yaml`);
const rules = [
  { resource: 'pods', matchContains: ['requests.cpu'] },
  { resource: 'pods', matchScopes: [{ scopeName: 'PriorityClass', operator: 'In', values: ['precious'] }] },
  { resource: 'podtemplates', matchContains: ['count/'] },
];

beforeAll(async () => {
  const configuration = { kind: 'ResourceQuotaConfiguration', apiVersion: 'apiserver.config.k8s.io/v1', limitedResources: rules };
  const header = { kind: 'AdmissionConfiguration', apiVersion: 'apiserver.config.k8s.io/v1' };
  writeFileSync(file, JSON.stringify({ ...header, plugins: [{ name: 'ResourceQuota', configuration }] }));
  const flags = [`--admission-control-config-file=${file}`, '--disable-admission-plugins=ServiceAccount', '--controllers=resourcequota-controller'];
  server = await ServerInTest.start({ flags });
  await server.make('/apis/scheduling.k8s.io/v1/priorityclasses', { metadata: { name: 'precious' }, value: 1000 });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  rmSync(file);
});

async function namespaceWith(...specs: readonly object[]): Promise<string> {
  const name = `limited-${serial++}`;
  await server.make('/api/v1/namespaces', { metadata: { name } });
  for (const [index, spec] of specs.entries()) {
    await server.make(`/api/v1/namespaces/${name}/resourcequotas`, { metadata: { name: `q${index}` }, spec });
    await vi.waitFor(async () => expect(await used(name, `q${index}`)).toBeDefined(), { timeout: 10_000 });
  }
  return name;
}

async function used(namespace: string, quota: string): Promise<object | undefined> {
  const { json } = await server.ask('GET', `/api/v1/namespaces/${namespace}/resourcequotas/${quota}`);
  return (json.status as { used?: object } | undefined)?.used;
}

async function createPod(namespace: string, spec: object = {}, query = '') {
  const body = { metadata: { name: `p${serial++}` }, spec: { containers: [{ name: 'c', image: 'i', resources: { requests: { cpu: '1' } } }], ...spec } };
  return server.ask('POST', `/api/v1/namespaces/${namespace}/pods${query}`, body);
}

test('what is limited by default cannot be used where no quota covers it', async () => {
  const { code, json } = await createPod(await namespaceWith());
  expect(code).toBe(403);
  expect(json.message).toMatch(/^pods "p\d+" is forbidden: insufficient quota to consume: requests.cpu$/);
  const made = await server.ask('POST', `/api/v1/namespaces/${await namespaceWith()}/podtemplates`, {
    metadata: { name: 'e' },
    template: { spec: { containers: [{ name: 'c', image: 'i' }] } },
  });
  expect(made.json.message).toBe('podtemplates "e" is forbidden: insufficient quota to consume: count/podtemplates');
});

test('a quota for something else does not cover it', async () => {
  const { json } = await createPod(await namespaceWith({ hard: { pods: '5' } }));
  expect(json.message).toContain('insufficient quota to consume: requests.cpu');
});

test('a quota that limits it makes it usable', async () => {
  const namespace = await namespaceWith({ hard: { 'requests.cpu': '5' } });
  expect((await createPod(namespace)).code).toBe(201);
  expect(await used(namespace, 'q0')).toEqual({ 'requests.cpu': '1' });
});

test('what is not limited needs no quota', async () => {
  const { code } = await server.ask('POST', `/api/v1/namespaces/${await namespaceWith()}/secrets`, { metadata: { name: 's' } });
  expect(code).toBe(201);
});

test('a scope that is limited needs a quota of that scope', async () => {
  const cpu = { hard: { 'requests.cpu': '5' } };
  const precious = { hard: { pods: '1' }, scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In', values: ['precious'] }] } };
  const refused = await createPod(await namespaceWith(cpu), { priorityClassName: 'precious' });
  expect(refused.json.message).toBe('insufficient quota to match these scopes: [{PriorityClass In [precious]}]');
  const namespace = await namespaceWith(cpu, precious);
  expect((await createPod(namespace, { priorityClassName: 'precious' })).code).toBe(201);
  expect((await createPod(namespace)).code).toBe(201);
  expect((await createPod(namespace, { priorityClassName: 'precious' })).json.message).toContain(
    'exceeded quota: q1, requested: pods=1, used: pods=1, limited: pods=1',
  );
});

test('a dry run is refused like the real thing, and takes nothing', async () => {
  const namespace = await namespaceWith({ hard: { 'requests.cpu': '1' } });
  expect((await createPod(namespace, {}, '?dryRun=All')).code).toBe(201);
  expect(await used(namespace, 'q0')).toEqual({ 'requests.cpu': '0' });
  expect((await createPod(namespace)).code).toBe(201);
  const again = await createPod(namespace, {}, '?dryRun=All');
  expect(again.json.message).toContain('exceeded quota: q0, requested: requests.cpu=1, used: requests.cpu=1, limited: requests.cpu=1');
});
