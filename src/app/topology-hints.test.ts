// `service.kubernetes.io/topology-mode: Auto`: hints follow the CPUs of the zones, and the nodes when they change.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ServerInTest } from '../../test/support/server-in-test.ts';

const core = '/api/v1/namespaces/default';
const soon = { timeout: 20_000, interval: 30 };
const merge = { type: 'application/merge-patch+json' };

let server: ServerInTest;
beforeAll(async () => {
  server = await ServerInTest.start({ flags: ['--controllers=endpointslice'] });
  await node('east-1', 'east', '1');
  await node('west-1', 'west', '3');
  for (let i = 0; i < 8; i++) await pod(`p${i}`, i < 5 ? 'east-1' : 'west-1', `10.1.0.${i}`);
  await server.make(`${core}/services`, {
    metadata: { name: 'auto', annotations: { 'service.kubernetes.io/topology-mode': 'Auto' } },
    spec: { selector: { app: 'web' }, ports: [{ port: 80 }] },
  });
});
afterAll(() => server[Symbol.asyncDispose]());

async function node(name: string, zone: string, cpu: string): Promise<void> {
  await server.make('/api/v1/nodes', { metadata: { name, labels: { 'topology.kubernetes.io/zone': zone } } });
  const status = { allocatable: { cpu }, capacity: { cpu }, conditions: [{ type: 'Ready', status: 'True' }] };
  await server.ask('PATCH', `/api/v1/nodes/${name}/status`, { status }, merge);
}

async function pod(name: string, nodeName: string, ip: string): Promise<void> {
  await server.make(`${core}/pods`, { metadata: { name, labels: { app: 'web' } }, spec: { nodeName, containers: [{ name: 'c', image: 'i' }] } });
  await server.ask(
    'PATCH',
    `${core}/pods/${name}/status`,
    { status: { phase: 'Running', podIP: ip, podIPs: [{ ip }], conditions: [{ type: 'Ready', status: 'True' }] } },
    merge,
  );
}

interface Hinted {
  readonly zone: string;
  readonly hints?: { readonly forZones: readonly { readonly name: string }[] };
}

/** How many endpoints are for each zone. */
async function hintedZones(): Promise<Record<string, number>> {
  const { json } = await server.ask('GET', `/apis/discovery.k8s.io/v1/namespaces/default/endpointslices?labelSelector=kubernetes.io/service-name=auto`);
  const endpoints = (json.items as unknown as readonly { endpoints: Hinted[] | null }[]).flatMap(({ endpoints: some }) => some ?? []);
  const counts: Record<string, number> = {};
  for (const { hints } of endpoints) {
    const zone = hints?.forZones[0]?.name ?? 'none';
    counts[zone] = (counts[zone] ?? 0) + 1;
  }
  return counts;
}

async function told(): Promise<readonly string[]> {
  const { json } = await server.ask('GET', `${core}/events`);
  return (json.items as unknown as readonly { reason: string; message: string }[]).map(({ reason, message }) => `${reason}: ${message}`);
}

test('endpoints are shared out as the CPUs of the zones are, and the Service tells it', async () => {
  await expect.poll(hintedZones, soon).toEqual({ east: 2, west: 6 });
  await expect.poll(told, soon).toContain('TopologyAwareHintsEnabled: Topology Aware Hints has been enabled, addressType: IPv4');
});

test('nodes that change the shares bring other hints', async () => {
  await node('east-2', 'east', '2');
  await expect.poll(hintedZones, soon).toEqual({ east: 4, west: 4 });
});

test('a node without a zone takes all hints away, and the Service tells why', async () => {
  await server.ask('PATCH', '/api/v1/nodes/east-2', { metadata: { labels: { 'topology.kubernetes.io/zone': null } } }, merge);
  await expect.poll(hintedZones, soon).toEqual({ none: 8 });
  await expect
    .poll(told, soon)
    .toContain('TopologyAwareHintsDisabled: Insufficient Node information: allocatable CPU or zone not specified on one or more nodes, addressType: IPv4');
});
