// Built-in controllers and nodes: a deleted namespace goes, with what is in it.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestServer } from 'binnacle/testing';

let server;
beforeAll(async () => {
  server = await startTestServer({ nodes: 3, controllers: ['namespace-controller', 'garbage-collector-controller', 'serviceaccount-controller'] });
}, 30_000);
afterAll(() => server.close());

test('there are three nodes', async () => {
  const { items } = await server.client.list({ apiVersion: 'v1', kind: 'Node' });
  expect(items.map(({ metadata }) => metadata.name)).toEqual(['node-0', 'node-1', 'node-2']);
});

test('a namespace that is deleted goes', async () => {
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'web' } };
  const { metadata } = await server.client.create(namespace);
  await server.client.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'web' } });
  const stop = new AbortController();
  const watch = server.client.watch(namespace, '', { fieldSelector: 'metadata.name=web', resourceVersion: metadata.resourceVersion }, stop.signal);
  await server.client.delete(namespace);
  for await (const { type } of watch) if (type === 'DELETED') break;
  stop.abort();
  await expect(server.client.get(namespace, '', 'web')).rejects.toMatchObject({ code: 404 });
}, 30_000);
