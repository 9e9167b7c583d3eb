import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { startTestServer } from '#testing/start-test-server.ts';

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
