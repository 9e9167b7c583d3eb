import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { startTestServer } from '#testing/start-test-server.ts';
import type { TestServer } from '#testing/testing.d.ts';
import { sampleDefinition } from '../../test/support/sample-definition.ts';

const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'default' }, data: { k: 'v' } };

test('a test server serves objects of every kind to its client, and is gone afterwards', async () => {
  const server = await startTestServer();
  await server.client.create(map);
  await server.client.apply({ ...map, data: { l: 'w' } }, { fieldManager: 'test' });
  expect((await server.client.get(map, 'default', 'a'))['data']).toEqual({ k: 'v', l: 'w' });
  await expect(server.client.create(map)).rejects.toMatchObject({ code: 409, reason: 'AlreadyExists' });
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', namespace: 'default' }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  expect((await server.client.create<{ status: { phase: string } }>(pod)).status.phase).toBe('Pending');
  const folder = dirname(server.kubeconfig);
  expect(existsSync(folder)).toBe(true);
  await server.close();
  await server.close();
  expect(existsSync(folder)).toBe(false);
  await expect(server.client.list(map)).rejects.toThrow();
});

test("two servers know nothing of each other; flags, controllers and the log are the caller's", async () => {
  const lines: string[] = [];
  await using one = await startTestServer({
    flags: ['--authorization-mode=AlwaysAllow'],
    controllers: ['serviceaccount-controller'],
    log: (line) => lines.push(line),
  });
  await using other = await startTestServer();
  await one.client.create(map);
  expect((await other.client.list(map, 'default')).items).toEqual([]);
  const stop = new AbortController();
  const accounts = one.client.watch({ apiVersion: 'v1', kind: 'ServiceAccount' }, 'default', {}, stop.signal);
  expect((await accounts.next()).value).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'default' } } });
  stop.abort();
});

test('flags that nobody knows are refused, and nothing is left behind', async () => {
  await expect(startTestServer({ flags: ['--no-such-flag'] })).rejects.toThrow('unknown flag');
});

test('definitions come as objects, texts, files and directories, and are served at once', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'binnacle-crds-'));
  const text = (plural: string, kind: string) =>
    stringify({ ...sampleDefinition, metadata: { name: `${plural}.rules.example` }, spec: { ...sampleDefinition.spec, names: { plural, kind } } });
  writeFileSync(join(dir, 'a.yaml'), `${text('apples', 'Apple')}---\n${text('pears', 'Pear')}`);
  writeFileSync(join(dir, 'readme.md'), 'not a manifest');
  await using server = await startTestServer({ crds: [sampleDefinition, text('plums', 'Plum'), dir] });
  rmSync(dir, { recursive: true });
  for (const kind of ['Thing', 'Plum', 'Apple', 'Pear']) {
    await server.client.create({ apiVersion: 'rules.example/v1', kind, metadata: { name: 'x', namespace: 'default' } });
  }
  await expect(startTestServer({ crds: '/no/such/file.yaml' })).rejects.toThrow('ENOENT');
  await expect(startTestServer({ crds: map })).rejects.toThrow('there is no CustomResourceDefinition in it');
});

test('users are who they are: what roles allow them, and nothing else', async () => {
  await using server = await startTestServer({ users: [{ name: 'alice', groups: ['developers'] }, { name: 'bob' }] });
  const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['create', 'get'] }];
  const rbac = 'rbac.authorization.k8s.io';
  await server.client.create({ apiVersion: `${rbac}/v1`, kind: 'ClusterRole', metadata: { name: 'maps' }, rules });
  await server.client.create({
    apiVersion: `${rbac}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: { name: 'maps' },
    roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: 'maps' },
    subjects: [{ apiGroup: rbac, kind: 'Group', name: 'developers' }],
  });
  const asAlice = server.user('alice').client;
  await expect
    .poll(() =>
      asAlice.create(map).then(
        () => 'created',
        (problem) => problem.reason,
      ),
    )
    .toBe('created');
  await expect(server.user('bob').client.get(map, 'default', 'a')).rejects.toMatchObject({
    code: 403,
    message: expect.stringContaining('User "bob" cannot get'),
  });
  expect(readFileSync(server.user('bob').kubeconfig, 'utf8')).toContain('"name": "bob"');
  expect(() => server.user('eve')).toThrow('there is no user "eve"');
});

test('webhooks are functions of the test: they change, refuse, warn and fail', async () => {
  const rules = [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }];
  const asked: string[] = [];
  await using server = await startTestServer({
    webhooks: [
      { type: 'mutating', rules, handler: () => ({ allowed: true, patch: [{ op: 'add', path: '/metadata/labels', value: { seen: 'yes' } }] }) },
      {
        type: 'validating',
        name: 'names.example.com',
        rules,
        handler: async ({ name = '', operation }) => {
          asked.push(`${operation} ${name}`);
          if (name === 'broken') throw new Error('the handler is broken');
          return name === 'bad' ? { allowed: false, message: 'no bad names', code: 422 } : { allowed: true };
        },
      },
    ],
  });
  expect((await server.client.create(map)).metadata.labels).toEqual({ seen: 'yes' });
  const named = (name: string) => ({ ...map, metadata: { ...map.metadata, name } });
  await expect(server.client.create(named('bad'))).rejects.toMatchObject({
    code: 422,
    message: 'admission webhook "names.example.com" denied the request: no bad names',
  });
  await expect(server.client.create(named('broken'))).rejects.toMatchObject({
    code: 500,
    message: expect.stringContaining('failed calling webhook "names.example.com"'),
  });
  expect(asked).toEqual(['CREATE a', 'CREATE bad', 'CREATE broken']);
  await expect(startTestServer({ webhooks: [{ type: 'validating', rules }] })).rejects.toThrow('needs a handler or a url');
});

test('nodes are ready and without taints', async () => {
  await using server = await startTestServer({ nodes: 2 });
  const { items } = await server.client.list<{ metadata: { name: string }; spec: object; status: { conditions: object[] } }>({
    apiVersion: 'v1',
    kind: 'Node',
  });
  expect(items.map(({ metadata }) => metadata.name)).toEqual(['node-0', 'node-1']);
  expect(items[0]?.spec).toEqual({});
  expect(items[0]?.status.conditions).toMatchObject([{ type: 'Ready', status: 'True' }]);
});

test('a second server of the same flags begins with the objects of the first, at its own address', async () => {
  // No server publishes endpoints of the loopback interface.
  const flags = ['--advertise-address=192.0.2.1'];
  await using one = await startTestServer({ flags });
  await one.client.create(map);
  await using other = await startTestServer({ flags });
  const roles = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole' };
  const namesOf = async (server: TestServer) => (await server.client.list(roles)).items.map(({ metadata }) => metadata.name);
  expect(await namesOf(other)).toEqual(await namesOf(one));
  expect((await other.client.list(map, 'default')).items).toEqual([]);
  const endpoints = await other.client.get({ apiVersion: 'v1', kind: 'Endpoints' }, 'default', 'kubernetes');
  expect(endpoints['subsets']).toMatchObject([{ ports: [{ port: other.port }] }]);
});
