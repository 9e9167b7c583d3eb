// Nodes for tests: objects that look ready. Nothing runs there.
import type { ResourceAddress, RestClient } from '#client/rest-client.ts';

const nodes: ResourceAddress = { group: '', version: 'v1', resource: 'nodes', namespaced: false };

export async function createNodes(client: RestClient, wanted: number | readonly string[], now: Date): Promise<void> {
  const names = typeof wanted === 'number' ? Array.from({ length: wanted }, (_, i) => `node-${i}`) : wanted;
  await Promise.all(names.map((name) => createNode(client, name, now)));
}

async function createNode(client: RestClient, name: string, now: Date): Promise<void> {
  const created = await client.create(nodes, '', nodeObject(name, now));
  // TaintNodesByCondition taints every node that is created; where the plugin is off there is nothing to take away.
  await client.update(nodes, { ...created, spec: {} });
}

function nodeObject(name: string, now: Date) {
  const time = now.toISOString().replace(/\.\d+Z$/, 'Z');
  const size = { cpu: '8', memory: '16Gi', pods: '110', 'ephemeral-storage': '100Gi' };
  const condition = { type: 'Ready', status: 'True', reason: 'TestNode', lastHeartbeatTime: time, lastTransitionTime: time };
  return {
    kind: 'Node',
    metadata: { name, labels: { 'kubernetes.io/hostname': name, 'kubernetes.io/os': 'linux', 'kubernetes.io/arch': 'amd64' } },
    spec: {},
    status: { capacity: size, allocatable: size, conditions: [condition], addresses: [{ type: 'Hostname', address: name }] },
  };
}
