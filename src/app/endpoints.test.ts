import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ServerInTest } from '../../test/support/server-in-test.ts';

let server: ServerInTest;
beforeAll(async () => {
  server = await ServerInTest.start({ flags: ['--controllers=endpoint,endpointslice,endpointslicemirroring'] });
  await server.make('/api/v1/nodes', { metadata: { name: 'n1', labels: { 'topology.kubernetes.io/zone': 'east' } } });
});
afterAll(() => server[Symbol.asyncDispose]());

const soon = { timeout: 20_000, interval: 30 };
const merge = { type: 'application/merge-patch+json' };
let namespace = 0;
let core = '';
let slices = '';
beforeEach(async () => {
  const name = `endpoints-${++namespace}`;
  await server.make('/api/v1/namespaces', { metadata: { name } });
  core = `/api/v1/namespaces/${name}`;
  slices = `/apis/discovery.k8s.io/v1/namespaces/${name}/endpointslices`;
});

interface Slice {
  readonly metadata: {
    readonly name: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly ownerReferences: readonly { readonly kind: string }[];
  };
  readonly addressType: string;
  readonly ports: readonly { readonly name?: string; readonly port: number }[] | null;
  readonly endpoints:
    | readonly {
        readonly addresses: readonly string[];
        readonly conditions: { readonly ready?: boolean; readonly serving?: boolean; readonly terminating?: boolean };
        readonly hostname?: string;
        readonly nodeName?: string;
        readonly zone?: string;
        readonly targetRef?: { readonly name: string };
        readonly hints?: unknown;
      }[]
    | null;
}

interface PodFacts {
  readonly ip: string;
  readonly ready?: boolean;
  readonly labels?: Readonly<Record<string, string>>;
  readonly spec?: object;
}

/** A pod on the node n1 that has an address and is ready. */
async function pod(name: string, { ip, ready = true, labels = { app: 'web' }, spec = {} }: PodFacts): Promise<void> {
  const containers = [{ name: 'c', image: 'i', ports: [{ name: 'http', containerPort: 8080 }] }];
  await server.make(`${core}/pods`, { metadata: { name, labels }, spec: { nodeName: 'n1', containers, ...spec } });
  const conditions = [{ type: 'Ready', status: ready ? 'True' : 'False', lastTransitionTime: '2026-01-01T00:00:00Z' }];
  await server.ask('PATCH', `${core}/pods/${name}/status`, { status: { phase: 'Running', podIP: ip, podIPs: [{ ip }], conditions } }, merge);
}

async function slicesOf(service: string): Promise<readonly Slice[]> {
  const { json } = await server.ask('GET', `${slices}?labelSelector=kubernetes.io/service-name=${service}`);
  return json.items as unknown as readonly Slice[];
}

async function addressesOf(service: string): Promise<readonly string[]> {
  return (await slicesOf(service)).flatMap(({ endpoints }) => (endpoints ?? []).flatMap(({ addresses }) => addresses)).toSorted();
}

async function endpointsOf(service: string): Promise<{ readonly subsets?: unknown; readonly metadata: Slice['metadata'] } | undefined> {
  const { code, json } = await server.ask('GET', `${core}/endpoints/${service}`);
  return code === 404 ? undefined : (json as unknown as { subsets?: unknown; metadata: Slice['metadata'] });
}

const web = { metadata: { name: 'web', labels: { team: 'a' } }, spec: { selector: { app: 'web' }, ports: [{ name: 'http', port: 80, targetPort: 'http' }] } };

test('a Service has the endpoints of the pods that it selects, in slices and in the older form', async () => {
  await pod('p1', { ip: '10.1.0.1' });
  await pod('p2', { ip: '10.1.0.2', ready: false });
  await pod('other', { ip: '10.1.0.3', labels: { app: 'db' } });
  await server.make(`${core}/services`, web);
  await expect.poll(() => addressesOf('web'), soon).toEqual(['10.1.0.1', '10.1.0.2']);
  const [slice, ...more] = await slicesOf('web');
  expect(more).toEqual([]);
  expect(slice?.metadata.labels).toEqual({
    team: 'a',
    'kubernetes.io/service-name': 'web',
    'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io',
  });
  expect(slice?.metadata.name).toMatch(/^web-/);
  expect(slice?.metadata.ownerReferences.map(({ kind }) => kind)).toEqual(['Service']);
  expect(slice?.metadata.annotations?.['endpoints.kubernetes.io/last-change-trigger-time']).toBeDefined();
  expect(slice?.ports).toEqual([{ name: 'http', port: 8080, protocol: 'TCP' }]);
  const ready = slice?.endpoints?.find(({ addresses }) => addresses[0] === '10.1.0.1');
  expect(ready).toMatchObject({
    conditions: { ready: true, serving: true, terminating: false },
    nodeName: 'n1',
    zone: 'east',
    targetRef: { kind: 'Pod', name: 'p1' },
  });
  expect(slice?.endpoints?.find(({ addresses }) => addresses[0] === '10.1.0.2')?.conditions).toEqual({ ready: false, serving: false, terminating: false });
  await expect
    .poll(() => endpointsOf('web'), soon)
    .toMatchObject({
      metadata: { labels: { team: 'a', 'endpoints.kubernetes.io/managed-by': 'endpoint-controller' } },
      subsets: [
        {
          addresses: [{ ip: '10.1.0.1', nodeName: 'n1', targetRef: { kind: 'Pod', name: 'p1' } }],
          notReadyAddresses: [{ ip: '10.1.0.2' }],
          ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
        },
      ],
    });
});

test('pods that come, change their labels and go are followed, and the slice stays the same object', async () => {
  await server.make(`${core}/services`, web);
  await expect.poll(async () => (await slicesOf('web')).length, soon).toBe(1);
  const [placeholder] = await slicesOf('web');
  expect(placeholder?.endpoints).toBeNull();
  await pod('p1', { ip: '10.1.0.1' });
  await pod('p2', { ip: '10.1.0.2' });
  await expect.poll(() => addressesOf('web'), soon).toEqual(['10.1.0.1', '10.1.0.2']);
  expect((await slicesOf('web')).map(({ metadata }) => metadata.name)).toEqual([placeholder?.metadata.name]);
  await server.ask('PATCH', `${core}/pods/p2`, { metadata: { labels: { app: 'db' } } }, merge);
  await expect.poll(() => addressesOf('web'), soon).toEqual(['10.1.0.1']);
  await server.ask('DELETE', `${core}/pods/p1?gracePeriodSeconds=0`);
  await expect.poll(() => addressesOf('web'), soon).toEqual([]);
  await expect.poll(async () => (await endpointsOf('web'))?.subsets, soon).toBeUndefined();
  expect((await slicesOf('web')).length).toBe(1);
});

test('a slice holds a hundred endpoints', async () => {
  await Promise.all(Array.from({ length: 104 }, (_, index) => pod(`p${index}`, { ip: `10.2.0.${index}` })));
  // They are all there before the Service: endpoints that come one after the other may leave room in a slice, as in the original.
  await server.make(`${core}/services`, web);
  await expect.poll(async () => (await addressesOf('web')).length, soon).toBe(104);
  expect((await slicesOf('web')).map(({ endpoints }) => endpoints?.length).toSorted()).toEqual([100, 4]);
});

test('a headless Service is told as such, and a pod of its subdomain has its name', async () => {
  await pod('p1', { ip: '10.1.0.1', spec: { hostname: 'db-0', subdomain: 'db' }, labels: { app: 'db' } });
  await server.make(`${core}/services`, { metadata: { name: 'db' }, spec: { clusterIP: 'None', selector: { app: 'db' } } });
  await expect.poll(() => addressesOf('db'), soon).toEqual(['10.1.0.1']);
  const [slice] = await slicesOf('db');
  expect(slice?.metadata.labels['service.kubernetes.io/headless']).toBe('');
  expect(slice?.endpoints?.[0]?.hostname).toBe('db-0');
  expect(slice?.ports).toBeNull();
  await expect.poll(async () => (await endpointsOf('db'))?.subsets, soon).toMatchObject([{ addresses: [{ ip: '10.1.0.1', hostname: 'db-0' }] }]);
});

test('trafficDistribution puts hints on ready endpoints, and takes them away again', async () => {
  await pod('p1', { ip: '10.1.0.1' });
  await server.make(`${core}/services`, { ...web, spec: { ...web.spec, trafficDistribution: 'PreferSameNode' } });
  const hints = async () => (await slicesOf('web'))[0]?.endpoints?.[0]?.hints;
  await expect.poll(hints, soon).toEqual({ forZones: [{ name: 'east' }], forNodes: [{ name: 'n1' }] });
  await server.ask('PATCH', `${core}/services/web`, { spec: { trafficDistribution: null } }, merge);
  await expect.poll(hints, soon).toBeUndefined();
});

test('Endpoints made by hand are mirrored for a Service without a selector, each family in its slice', async () => {
  await server.make(`${core}/services`, { metadata: { name: 'hand' }, spec: { ports: [{ name: 'http', port: 80 }] } });
  const subsets = [{ addresses: [{ ip: '10.3.0.1' }, { ip: '2001:db8::1' }], notReadyAddresses: [{ ip: '10.3.0.2' }], ports: [{ name: 'http', port: 8080 }] }];
  await server.make(`${core}/endpoints`, { metadata: { name: 'hand', labels: { by: 'hand' } }, subsets });
  await expect.poll(() => addressesOf('hand'), soon).toEqual(['10.3.0.1', '10.3.0.2', '2001:db8::1']);
  const mirrored = await slicesOf('hand');
  expect(mirrored.map(({ addressType }) => addressType).toSorted()).toEqual(['IPv4', 'IPv6']);
  expect(mirrored[0]?.metadata.labels).toEqual({
    by: 'hand',
    'kubernetes.io/service-name': 'hand',
    'endpointslice.kubernetes.io/managed-by': 'endpointslicemirroring-controller.k8s.io',
  });
  expect(mirrored[0]?.metadata.ownerReferences.map(({ kind }) => kind)).toEqual(['Endpoints']);
  await server.ask('PATCH', `${core}/endpoints/hand`, { metadata: { labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' } } }, merge);
  await expect.poll(async () => (await slicesOf('hand')).length, soon).toBe(0);
});

test('Endpoints that are made before their Service stay', async () => {
  await server.make(`${core}/endpoints`, { metadata: { name: 'early' }, subsets: [{ addresses: [{ ip: '10.3.0.9' }], ports: [{ port: 80 }] }] });
  // What the controllers were told before this Service they have looked at when it has its Endpoints.
  await server.make(`${core}/services`, web);
  await expect.poll(() => endpointsOf('web'), soon).toBeDefined();
  expect(await endpointsOf('early')).toBeDefined();
});

test('the Endpoints of a Service that is gone go too', async () => {
  await server.make(`${core}/services`, web);
  await expect.poll(() => endpointsOf('web'), soon).toBeDefined();
  await server.ask('DELETE', `${core}/services/web`);
  await expect.poll(() => endpointsOf('web'), soon).toBeUndefined();
});

test('a pod on a node that nobody knows is left out, and the Service says why', async () => {
  await server.make(`${core}/pods`, {
    metadata: { name: 'lost', labels: { app: 'web' } },
    spec: { nodeName: 'nowhere', containers: [{ name: 'c', image: 'i' }] },
  });
  await server.ask('PATCH', `${core}/pods/lost/status`, { status: { phase: 'Running', podIP: '10.9.0.1', podIPs: [{ ip: '10.9.0.1' }] } }, merge);
  await server.make(`${core}/services`, web);
  const events = async () => (await server.ask('GET', `${core}/events`)).json.items as unknown as readonly object[];
  const told = { reason: 'FailedToUpdateEndpointSlices', type: 'Warning', involvedObject: { kind: 'Service', name: 'web' } };
  await expect.poll(events, soon).toMatchObject([told]);
  expect(await addressesOf('web')).toEqual([]);
});

test('addresses of a subset beyond a thousand are not mirrored, and an Event says so', async () => {
  await server.make(`${core}/services`, { metadata: { name: 'many' }, spec: { ports: [{ port: 80 }] } });
  const addresses = Array.from({ length: 1_003 }, (_, index) => ({ ip: `10.7.${Math.floor(index / 250)}.${(index % 250) + 1}` }));
  await server.make(`${core}/endpoints`, { metadata: { name: 'many' }, subsets: [{ addresses, ports: [{ port: 80 }] }] });
  await expect.poll(async () => (await addressesOf('many')).length, soon).toBe(1_000);
  const events = async () => (await server.ask('GET', `${core}/events`)).json.items as unknown as readonly object[];
  const message = 'A max of 1000 addresses can be mirrored to EndpointSlices per Endpoints subset. 3 addresses were skipped';
  await expect.poll(events, soon).toMatchObject([{ reason: 'TooManyAddressesToMirror', message }]);
});
