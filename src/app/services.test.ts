// Services of a running server: the addresses and ports they get, keep and give back.
import { describe, expect, test } from 'vitest';
import { ApiError } from '#api/api-error.ts';
import type { ResourceAddress } from '#client/rest-client.ts';
import type { ServiceAllocators } from '#kinds/core/v1/service/service-allocators.ts';
import { ServerInTest } from '../../test/support/server-in-test.ts';

const services: ResourceAddress = { group: '', version: 'v1', resource: 'services', namespaced: true };
const endpoints: ResourceAddress = { group: '', version: 'v1', resource: 'endpoints', namespaced: true };
const slices: ResourceAddress = { group: 'discovery.k8s.io', version: 'v1', resource: 'endpointslices', namespaced: true };
const addresses: ResourceAddress = { group: 'networking.k8s.io', version: 'v1', resource: 'ipaddresses', namespaced: false };
const networks: ResourceAddress = { group: 'networking.k8s.io', version: 'v1', resource: 'servicecidrs', namespaced: false };

interface Service {
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly spec: {
    readonly type?: string;
    readonly clusterIP?: string;
    readonly clusterIPs?: readonly string[];
    readonly ipFamilies?: readonly string[];
    readonly healthCheckNodePort?: number;
    readonly ports: readonly { readonly nodePort?: number }[];
  };
}

async function start(ranges = '10.96.0.0/24', ...flags: string[]) {
  const server = await ServerInTest.start({ flags: [`--service-cluster-ip-range=${ranges}`, ...flags] });
  const { client, world } = server.server.api;
  const create = (name: string, spec: object = {}, query = {}) =>
    client.create(services, 'default', { kind: 'Service', metadata: { name }, spec: { ports: [{ port: 80 }], ...spec } }, query) as never as Promise<Service>;
  const patch = (name: string, spec: object) => client.patch<Service>(services, { namespace: 'default', name }, 'application/merge-patch+json', { spec });
  const remove = (name: string) => client.delete(services, 'default', name);
  const inUse = async () => (await client.list(addresses)).items.map(({ metadata }) => metadata.name).toSorted();
  const repair = (now: Date) => (world.services as ServiceAllocators).repair(world, now);
  return { client, create, patch, remove, inUse, repair, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

async function refusal(work: Promise<unknown>): Promise<{ code: number; message: string }> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ApiError)) throw new Error('this was not refused');
  return { code: error.code, message: error.message };
}

const invalid = (name: string, rest: string) => ({ code: 422, message: `Service "${name}" is invalid: ${rest}` });

describe('cluster addresses', () => {
  test('and node ports of services made at the same time are all different', async () => {
    await using server = await start('10.96.0.0/24', '--service-node-port-range=30000-30127');
    const made = await Promise.all(Array.from({ length: 64 }, (_, n) => server.create(`s${n}`, { type: 'NodePort' })));
    expect(new Set(made.map(({ spec }) => spec.clusterIP)).size).toBe(64);
    expect(new Set(made.map(({ spec }) => spec.ports[0]?.nodePort)).size).toBe(64);
    expect(await server.inUse()).toEqual(['10.96.0.1', ...made.map(({ spec }) => spec.clusterIP ?? '')].toSorted());
  });

  test('come from the lower band only when the upper one is used up', async () => {
    await using server = await start('10.96.0.0/27');
    const made = await Promise.all(Array.from({ length: 14 }, (_, n) => server.create(`s${n}`)));
    const last = made.map(({ spec }) => Number(spec.clusterIP?.split('.')[3]));
    expect(Math.min(...last)).toBe(17);
    expect(Number((await server.create('one-more')).spec.clusterIP?.split('.')[3])).toBeLessThan(17);
  });

  test('run out with a clear error, and are there again after a deletion', async () => {
    await using server = await start('10.96.0.0/29');
    for (const name of ['a', 'b', 'c', 'd', 'e']) await server.create(name);
    const message = 'Internal error occurred: failed to allocate a serviceIP for Service "f": range is full';
    expect(await refusal(server.create('f'))).toEqual({ code: 500, message });
    await server.remove('c');
    expect((await server.create('f')).spec.clusterIP).toMatch(/^10\.96\.0\.[2-6]$/);
  });

  test('that are asked for are given once', async () => {
    await using server = await start();
    await server.create('a', { clusterIP: '10.96.0.9' });
    const refused = (ip: string, why: string) => invalid('b', `spec.clusterIPs: Invalid value: ["${ip}"]: failed to allocate IP ${ip}: ${why}`);
    expect(await refusal(server.create('b', { clusterIP: '10.96.0.9' }))).toEqual(refused('10.96.0.9', 'provided IP is already allocated'));
    const outside = 'the provided network does not match the current range';
    expect(await refusal(server.create('b', { clusterIP: '10.97.0.1' }))).toEqual(refused('10.97.0.1', outside));
    expect(await refusal(server.create('b', { clusterIP: '10.96.0.255' }))).toEqual(refused('10.96.0.255', outside));
    await server.remove('a');
    expect((await server.create('b', { clusterIP: '10.96.0.9' })).spec.clusterIPs).toEqual(['10.96.0.9']);
  });

  test('are given back when the service is refused after all', async () => {
    await using server = await start();
    await refusal(server.create('a', { clusterIP: '10.96.0.9', sessionAffinity: 'Never' }));
    await server.create('taken');
    await refusal(server.create('taken', { clusterIP: '10.96.0.10' }));
    expect(await server.inUse()).not.toContain('10.96.0.9');
    expect(await server.inUse()).not.toContain('10.96.0.10');
  });

  test('are objects that name their service', async () => {
    await using server = await start();
    await server.create('a', { clusterIP: '10.96.0.9' });
    expect(await server.client.get(addresses, '', '10.96.0.9')).toMatchObject({
      metadata: { labels: { 'ipaddress.kubernetes.io/ip-family': 'IPv4', 'ipaddress.kubernetes.io/managed-by': 'ipallocator.k8s.io' } },
      spec: { parentRef: { resource: 'services', namespace: 'default', name: 'a' } },
    });
  });

  test('of a rehearsal are not real', async () => {
    await using server = await start();
    const { spec } = await server.create(
      'a',
      {
        type: 'NodePort',
        ports: [
          { name: 'x', port: 1 },
          { name: 'y', port: 2 },
        ],
      },
      { dryRun: 'All' },
    );
    expect([spec.clusterIP, ...spec.ports.map(({ nodePort }) => nodePort)]).toEqual(['10.96.0.0', 32769, 32770]);
    expect(await server.inUse()).toEqual(['10.96.0.1']);
  });

  test('come from further networks, too', async () => {
    await using server = await start('10.96.0.0/30');
    await server.create('a');
    await refusal(server.create('b'));
    await server.client.create(networks, '', { kind: 'ServiceCIDR', metadata: { name: 'more' }, spec: { cidrs: ['10.97.0.0/28'] } });
    await expect
      .poll(() =>
        server.create('b').then(
          ({ spec }) => spec.clusterIP,
          () => '',
        ),
      )
      .toMatch(/^10\.97\.0\./);
  });

  test('stay with a service that does not mention them, and leave with its type', async () => {
    await using server = await start();
    const { spec } = await server.create('a');
    expect((await server.patch('a', { clusterIP: null, clusterIPs: null, type: 'NodePort' })).spec.clusterIP).toBe(spec.clusterIP);
    expect((await server.patch('a', { type: 'ExternalName', externalName: 'a.b' })).spec).not.toHaveProperty('clusterIP');
    expect(await server.inUse()).toEqual(['10.96.0.1']);
    expect((await server.patch('a', { type: 'ClusterIP' })).spec.clusterIPs).toHaveLength(1);
  });
});

describe('services of two families', () => {
  test('get the second address when they begin to want it, and give it back', async () => {
    await using server = await start('10.96.0.0/24,fd00::/112');
    await server.create('a');
    const both = (await server.patch('a', { ipFamilyPolicy: 'PreferDualStack' })).spec;
    expect(both).toMatchObject({ ipFamilies: ['IPv4', 'IPv6'], clusterIPs: [expect.stringMatching(/^10\.96/), expect.stringMatching(/^fd00::/)] });
    const one = (await server.patch('a', { ipFamilyPolicy: 'SingleStack' })).spec;
    expect(one).toMatchObject({ ipFamilies: ['IPv4'], clusterIPs: [both.clusterIPs?.[0]] });
    expect(await server.inUse()).toEqual(['10.96.0.1', both.clusterIPs?.[0]].toSorted());
  });

  test('are refused by a cluster of one, unless they only prefer it', async () => {
    await using server = await start();
    const why = 'spec.ipFamilyPolicy: Invalid value: "RequireDualStack": this cluster is not configured for dual-stack services';
    expect(await refusal(server.create('a', { ipFamilyPolicy: 'RequireDualStack' }))).toEqual(invalid('a', why));
    expect((await server.create('a', { ipFamilyPolicy: 'PreferDualStack' })).spec.ipFamilies).toEqual(['IPv4']);
  });

  test('without address and selector are of both in any cluster', async () => {
    await using server = await start();
    expect((await server.create('a', { clusterIP: 'None' })).spec).toMatchObject({
      clusterIPs: ['None'],
      ipFamilies: ['IPv4', 'IPv6'],
      ipFamilyPolicy: 'RequireDualStack',
    });
    expect((await server.create('b', { clusterIP: 'None', selector: { a: 'b' } })).spec).toMatchObject({ ipFamilies: ['IPv4'] });
  });
});

describe('node ports', () => {
  test('are refused outside of the range and when they are taken', async () => {
    await using server = await start('10.96.0.0/24', '--service-node-port-range=30000-30010');
    const withPort = (name: string, nodePort: number) => server.create(name, { type: 'NodePort', ports: [{ port: 80, nodePort }] });
    const refused = (port: number, why: string) => invalid('b', `spec.ports[0].nodePort: Invalid value: ${port}: ${why}`);
    await withPort('a', 30_005);
    expect(await refusal(withPort('b', 30_005))).toEqual(refused(30_005, 'provided port is already allocated'));
    const range = 'provided port is not in the valid range. The range of valid ports is 30000-30010';
    expect(await refusal(withPort('b', 80))).toEqual(refused(80, range));
    await server.remove('a');
    expect((await withPort('b', 30_005)).spec.ports[0]?.nodePort).toBe(30_005);
  });

  test('run out with a clear error, which leaves nothing behind', async () => {
    await using server = await start('10.96.0.0/24', '--service-node-port-range=30000-30001');
    const ports = [1, 2, 3].map((port) => ({ name: `p${port}`, port }));
    const refused = await refusal(server.create('a', { type: 'NodePort', ports }));
    expect(refused).toEqual({ code: 500, message: 'Internal error occurred: failed to allocate a nodePort: range is full' });
    expect((await server.create('a', { type: 'NodePort', ports: ports.slice(1) })).spec.ports).toHaveLength(2);
  });

  test('are shared by protocols of a port, and stay with its name', async () => {
    await using server = await start();
    const [tcp, udp] = (
      await server.create('a', {
        type: 'NodePort',
        ports: [
          { name: 't', port: 53 },
          { name: 'u', port: 53, protocol: 'UDP' },
        ],
      })
    ).spec.ports;
    expect(tcp?.nodePort).toBe(udp?.nodePort);
    const after = await server.patch('a', { ports: [{ name: 't', port: 54 }] });
    expect(after.spec.ports[0]?.nodePort).toBe(tcp?.nodePort);
  });

  test('of health checks come and go with local traffic', async () => {
    await using server = await start('10.96.0.0/24', '--service-node-port-range=30000-30001');
    const { spec } = await server.create('a', { type: 'LoadBalancer', externalTrafficPolicy: 'Local' });
    expect(new Set([spec.healthCheckNodePort, spec.ports[0]?.nodePort])).toEqual(new Set([30_000, 30_001]));
    expect((await server.patch('a', { externalTrafficPolicy: 'Cluster' })).spec).not.toHaveProperty('healthCheckNodePort');
    expect((await server.create('b', { type: 'NodePort' })).spec.ports[0]?.nodePort).toBe(spec.healthCheckNodePort);
  });
});

describe('upkeep', () => {
  const later = () => new Date(Date.now() + 3_600_000);

  test('gives services back their lost addresses, and takes those of nobody', async () => {
    await using server = await start();
    await server.create('a', { clusterIP: '10.96.0.9' });
    await server.client.delete(addresses, '', '10.96.0.9');
    const labels = { 'ipaddress.kubernetes.io/managed-by': 'ipallocator.k8s.io' };
    const parentRef = { resource: 'services', namespace: 'default', name: 'gone' };
    await server.client.create(addresses, '', { kind: 'IPAddress', metadata: { name: '10.96.0.20', labels }, spec: { parentRef } });
    await server.client.create(addresses, '', { kind: 'IPAddress', metadata: { name: '10.96.0.21' }, spec: { parentRef } });
    await expect.poll(async () => (await server.repair(later()), server.inUse())).toEqual(['10.96.0.1', '10.96.0.21', '10.96.0.9']);
  });

  test('leaves young addresses alone: their service may be on its way', async () => {
    await using server = await start();
    const labels = { 'ipaddress.kubernetes.io/managed-by': 'ipallocator.k8s.io' };
    const parentRef = { resource: 'services', namespace: 'default', name: 'soon' };
    await server.client.create(addresses, '', { kind: 'IPAddress', metadata: { name: '10.96.0.20', labels }, spec: { parentRef } });
    await server.repair(new Date());
    expect(await server.inUse()).toContain('10.96.0.20');
  });
});

describe('the service kubernetes', () => {
  test('has the first address of the network, which is an object', async () => {
    await using server = await start();
    expect(await server.client.get(services, 'default', 'kubernetes')).toMatchObject({
      spec: { clusterIP: '10.96.0.1', ports: [{ name: 'https', port: 443 }] },
    });
    expect(await server.client.get(networks, '', 'kubernetes')).toMatchObject({
      spec: { cidrs: ['10.96.0.0/24'] },
      status: { conditions: [{ type: 'Ready', status: 'True' }] },
    });
  });

  test('leads to this server when others can reach it', async () => {
    await using server = await start('10.96.0.0/24', '--advertise-address=192.0.2.7');
    const { spec } = await server.client.get<{ spec: { ports: { targetPort: number }[] } }>(services, 'default', 'kubernetes');
    const port = spec.ports[0]?.targetPort;
    expect(await server.client.get(endpoints, 'default', 'kubernetes')).toMatchObject({
      subsets: [{ addresses: [{ ip: '192.0.2.7' }], ports: [{ name: 'https', port }] }],
    });
    expect(await server.client.get(slices, 'default', 'kubernetes')).toMatchObject({
      endpoints: [{ addresses: ['192.0.2.7'] }],
      ports: [{ name: 'https', port }],
    });
  });
});

test('endpoints of the same name go with a service', async () => {
  await using server = await start();
  await server.create('a');
  await server.client.create(endpoints, 'default', { kind: 'Endpoints', metadata: { name: 'a' }, subsets: [{ addresses: [{ ip: '10.1.0.1' }] }] });
  await server.remove('a');
  expect((await refusal(server.client.get(endpoints, 'default', 'a'))).code).toBe(404);
});
