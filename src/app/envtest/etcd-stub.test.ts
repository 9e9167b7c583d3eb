import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { clientUrls } from '#app/envtest/etcd-main.ts';
import { findEtcd, portOfStub, startEtcdStub } from '#app/envtest/etcd-stub.ts';

test('the stub answers /health as etcd does, refuses what only an etcd can do, and is known as the stub', async () => {
  const stub = await startEtcdStub('http://127.0.0.1:0');
  const url = `http://127.0.0.1:${portOfStub(stub)}`;
  expect(await (await fetch(`${url}/health`)).json()).toEqual({ health: 'true', reason: '' });
  expect((await fetch(`${url}/v3/kv/range`, { method: 'POST' })).status).toBe(501);
  expect(await findEtcd([url])).toBe('stub');
  stub.closeAllConnections();
  stub.close();
});

test('what answers without being the stub is taken for an etcd; the two cannot be mixed', async () => {
  const etcd = createServer((_, response) => response.end('{"health":"true"}')).listen(0, '127.0.0.1');
  await once(etcd, 'listening');
  const stub = await startEtcdStub('http://127.0.0.1:0');
  const [url, other] = [`http://127.0.0.1:${(etcd.address() as AddressInfo).port}`, `http://127.0.0.1:${portOfStub(stub)}`];
  expect(await findEtcd([url])).toBe('etcd');
  expect(await findEtcd(['https://127.0.0.1:1'])).toBe('etcd');
  expect(await findEtcd(['http://127.0.0.1:1', url])).toBe('etcd');
  await expect(findEtcd([url, other])).rejects.toThrow(`${other} is the stub of dist/envtest, ${url} is not`);
  for (const server of [etcd, stub]) server.close().closeAllConnections();
});

test('an etcd on its way up is waited for, one that never comes is told', async () => {
  const free = await startEtcdStub('http://127.0.0.1:0');
  const url = `http://127.0.0.1:${portOfStub(free)}`;
  free.close();
  let waits = 0;
  await expect(findEtcd([url], () => Promise.resolve(void waits++))).rejects.toThrow(`nothing answers at ${url}`);
  expect(waits).toBeGreaterThan(10);
  const late = async () => void (await startEtcdStub(url)).unref();
  expect(await findEtcd([url], late)).toBe('stub');
});

test.each([
  [[], ['http://localhost:2379']],
  [
    ['--listen-client-urls=http://a:1,http://b:2', '--data-dir=/x'],
    ['http://a:1', 'http://b:2'],
  ],
  [['--data-dir', '/x', '--listen-client-urls', 'http://a:1'], ['http://a:1']],
])('etcd %j listens at %j', (argv, urls) => {
  expect(clientUrls(argv)).toEqual(urls);
});
