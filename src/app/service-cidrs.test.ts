import { afterAll, beforeAll, expect, test } from 'vitest';
import { ServerInTest } from '../../test/support/server-in-test.ts';

let server: ServerInTest;
let now = Date.parse('2026-06-01T00:00:00Z');
beforeAll(async () => {
  server = await ServerInTest.start({ flags: ['--controllers=service-cidr-controller'], clock: { now: () => new Date(now) } });
});
afterAll(() => server[Symbol.asyncDispose]());

const soon = { timeout: 20_000, interval: 30 };
const cidrs = '/apis/networking.k8s.io/v1/servicecidrs';
const services = '/api/v1/namespaces/default/services';
const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases';

interface Cidr {
  readonly metadata: { readonly finalizers?: readonly string[] };
  readonly status: { readonly conditions?: readonly { readonly status: string; readonly reason: string }[] };
}

async function read(name: string): Promise<Cidr | undefined> {
  const { code, json } = await server.ask('GET', `${cidrs}/${name}`);
  return code === 404 ? undefined : (json as unknown as Cidr);
}

const saying = (status: string, reason: string) => ({ status: { conditions: [{ status, reason }] } });

test('a network becomes ready, gives addresses, and goes only when none of them is left', async () => {
  await server.make(cidrs, { metadata: { name: 'more' }, spec: { cidrs: ['10.200.0.0/24'] } });
  await expect.poll(() => read('more'), soon).toMatchObject({ metadata: { finalizers: ['networking.k8s.io/service-cidr-finalizer'] }, ...saying('True', '') });
  await server.make(services, { metadata: { name: 's' }, spec: { clusterIP: '10.200.0.7', ports: [{ port: 80 }] } });
  await server.ask('DELETE', `${cidrs}/more`);
  await expect.poll(() => read('more'), soon).toMatchObject(saying('False', 'Terminating'));
  now += 60_000;
  await server.ask('DELETE', `${services}/s`);
  await expect.poll(() => read('more'), soon).toBeUndefined();
});

test('a network within another one goes with its addresses in use', async () => {
  await server.make(cidrs, { metadata: { name: 'outer' }, spec: { cidrs: ['10.201.0.0/16'] } });
  await server.make(cidrs, { metadata: { name: 'inner' }, spec: { cidrs: ['10.201.3.0/24'] } });
  await expect.poll(() => read('inner'), soon).toMatchObject(saying('True', ''));
  await server.make(services, { metadata: { name: 'in-both' }, spec: { clusterIP: '10.201.3.9', ports: [{ port: 80 }] } });
  now -= 60_000;
  await server.ask('DELETE', `${cidrs}/inner`);
  now += 120_000;
  await server.make(cidrs, { metadata: { name: 'another' }, spec: { cidrs: ['10.202.0.0/24'] } });
  await expect.poll(() => read('inner'), soon).toBeUndefined();
});

test('the identity lease of an API server that is gone is deleted, that of a living one and others are not', async () => {
  const labels = { 'apiserver.kubernetes.io/identity': 'kube-apiserver' };
  const lease = (name: string, renewTime: string, more: object = { labels }) =>
    server.make(leases, { metadata: { name, ...more }, spec: { holderIdentity: name, leaseDurationSeconds: 3600, renewTime } });
  await lease('living', '2099-01-01T00:00:00.000000Z');
  await lease('other', '2020-01-01T00:00:00.000000Z', {});
  await lease('gone', '2020-01-01T00:00:00.000000Z');
  const isThere = async (name: string) => (await server.ask('GET', `${leases}/${name}`)).code === 200;
  await expect.poll(() => isThere('gone'), soon).toBe(false);
  expect([await isThere('living'), await isThere('other')]).toEqual([true, true]);
});
