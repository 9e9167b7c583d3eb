import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startTestServer } from '#testing/start-test-server.ts';
import type { TestServer } from '#testing/testing.d.ts';
import { sampleDefinition } from '../../test/support/sample-definition.ts';

const own = { apiVersion: 'rules.example/v1', kind: 'Thing' };
const gadgets = {
  ...sampleDefinition,
  metadata: { name: 'gadgets.rules.example' },
  spec: { ...sampleDefinition.spec, names: { plural: 'gadgets', kind: 'Gadget' } },
};
const map = (name: string, more: object = {}) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default', ...more } });
const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'web' } };

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ crds: sampleDefinition });
});
afterEach(() => server.reset());
afterAll(() => server.close());

test('what came since the start is gone: in namespaces, held by finalizers, of custom kinds and their definitions', async () => {
  const { client } = server;
  await client.create(namespace);
  await client.create({ ...map('held', { finalizers: ['example.com/never'] }) });
  await client.create({ ...own, metadata: { name: 'mine', namespace: 'web' } });
  await client.create(gadgets);
  await expect
    .poll(() =>
      client.create({ ...own, kind: 'Gadget', metadata: { name: 'g', namespace: 'web' } }).then(
        () => true,
        () => false,
      ),
    )
    .toBe(true);
  await client.delete(namespace);
  await client.delete(map('held'));
  await server.reset();
  expect((await client.list(namespace)).items.map(({ metadata }) => metadata.name)).not.toContain('web');
  expect((await client.list(map('held'))).items.filter(({ metadata }) => metadata.namespace === 'default')).toEqual([]);
  expect((await client.list(own)).items).toEqual([]);
  await expect(client.list({ ...own, kind: 'Gadget' })).rejects.toThrow('no matches for kind');
  // Nothing is left that would be in the way of the next test.
  await client.create(namespace);
  await client.create(gadgets);
});

test('what was changed or deleted since the start is as it was, with its uid', async () => {
  const { client } = server;
  const definition = { ...sampleDefinition, metadata: { name: 'things.rules.example' } };
  const before = await client.get(definition, '', 'things.rules.example');
  const system = await client.get(namespace, '', 'kube-system');
  await client.apply({ ...namespace, metadata: { name: 'kube-system', labels: { changed: 'yes' } } }, { fieldManager: 'test' });
  await client.delete(definition);
  await server.reset();
  expect((await client.get(definition, '', 'things.rules.example')).metadata.uid).toBe(before.metadata.uid);
  expect((await client.get(namespace, '', 'kube-system')).metadata.labels).toEqual(system.metadata.labels);
  await client.create({ ...own, metadata: { name: 'again', namespace: 'default' } });
});

test('a kind whose definition was deleted is served again, however far its deletion had come', async () => {
  const { client } = server;
  const definition = { ...sampleDefinition, metadata: { name: 'things.rules.example' } };
  for (let round = 0; round < 40; round++) {
    const object = { ...own, metadata: { name: `of-${round}`, namespace: 'default' } };
    if (round % 2 === 0) await client.create(object);
    await client.delete(definition);
    for (let turn = 0; turn < round % 8; turn++) await new Promise(setImmediate);
    await server.reset();
    for (let look = 0; look < 3; look++) {
      expect((await client.list(own)).items).toEqual([]);
      await new Promise(setImmediate);
    }
  }
}, 60_000);

test('watches go on and see the deletions', async () => {
  const stop = new AbortController();
  await server.client.create(map('watched'));
  const watch = server.client.watch(map(''), 'default', {}, stop.signal);
  expect((await watch.next()).value).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'watched' } } });
  await server.reset();
  expect((await watch.next()).value).toMatchObject({ type: 'DELETED', object: { metadata: { name: 'watched' } } });
  stop.abort();
});

test('addresses and node ports of services are free again', async () => {
  const service = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 's', namespace: 'default' },
    spec: { type: 'NodePort', clusterIP: '10.0.0.77', ports: [{ port: 80, nodePort: 30_077 }] },
  };
  for (let round = 0; round < 2; round++) {
    await server.client.create(service);
    await server.reset();
  }
  expect((await server.client.list(service, 'default')).items).toHaveLength(1);
});
