// Proxies to services and nodes, up to the point where the server would have to connect to them.
import { BlockList, isIP } from 'node:net';
import { ApiError, badRequest, notFound, notImplemented, unclassified } from '#api/api-error.ts';
import { goQuote } from '#base/go-text.ts';
import type { KubernetesObject } from '#api/object.ts';
import type { Endpoints } from '#kinds/core/v1/service/endpoints.ts';
import type { Node } from '#kinds/core/v1/node/node.ts';
import type { Service } from '#kinds/core/v1/service/service.ts';
import type { Call } from '#verbs/call.ts';
import type { SubresourceHandler } from '#verbs/subresource.ts';

const services = { group: '', resource: 'services' };
const endpoints = { group: '', resource: 'endpoints' };
const nodes = { group: '', resource: 'nodes' };

export const proxyToService: SubresourceHandler = async (call) => {
  const { name, port } = targetOf(call.name, 'service');
  const portName = /^\d+$/.test(port) ? await portNamed(call, name, Number(port)) : port;
  const found = await call.world.lister.get<Endpoints & KubernetesObject>(endpoints, call.namespace, name);
  // The original looks for endpoints and speaks of the service.
  if (found === undefined) throw notFound(services, name);
  if (!found.subsets?.length) throw unavailable(`no endpoints available for service ${goQuote(name)}`);
  const reached = found.subsets.some(({ addresses, ports }) => addresses?.length && ports?.some((each) => (each.name ?? '') === portName));
  if (!reached) throw unavailable(`no endpoints available for service ${goQuote(call.name)}`);
  throw notImplemented(`proxying to services is not supported by this server (service ${name})`);
};

async function portNamed(call: Call, name: string, number: number): Promise<string> {
  const service = await call.world.lister.get<Service & KubernetesObject>(services, call.namespace, name);
  if (service === undefined) throw notFound(services, name);
  const port = service.spec.ports?.find((each) => each.port === number);
  if (port === undefined) throw unavailable(`no service port ${number} found for service ${goQuote(name)}`);
  return port.name ?? '';
}

export const proxyToNode: SubresourceHandler = async (call) => {
  const { name } = targetOf(call.name, 'node');
  const node = await call.world.lister.get<Node & KubernetesObject>(nodes, '', name);
  if (node === undefined) throw notFound(nodes, name);
  refuseOwnNetwork(preferredAddress(node));
  throw notImplemented(`proxying to nodes is not supported by this server (node ${name})`);
};

/** Where a node is reached; refuses one that has no address. */
export function preferredAddress({ status: { addresses = [] } }: Node): string {
  const preferred = preferredTypes.flatMap((type) => addresses.filter((address) => address.type === type))[0];
  if (preferred === undefined)
    throw unclassified(`no preferred addresses found; known addresses: [${addresses.map(({ type, address }) => `{${type} ${address}}`).join(' ')}]`);
  return preferred.address;
}

/** The default of --kubelet-preferred-address-types. */
const preferredTypes = ['Hostname', 'InternalDNS', 'InternalIP', 'ExternalDNS', 'ExternalIP'];

/** A user who writes the status of pods and nodes must not reach this machine and its neighbours through the server. */
export function refuseOwnNetwork(address: string): void {
  const family = isIP(address);
  if (family !== 0 && ownNetworks().check(address, family === 6 ? 'ipv6' : 'ipv4')) throw badRequest('address not allowed');
}

/** Everything that is no global unicast address. */
function ownNetworks(): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of [
    ['0.0.0.0', 32],
    ['127.0.0.0', 8],
    ['169.254.0.0', 16],
    ['224.0.0.0', 4],
    ['255.255.255.255', 32],
  ] as const)
    list.addSubnet(network, prefix);
  for (const [network, prefix] of [
    ['::', 128],
    ['::1', 128],
    ['fe80::', 10],
    ['ff00::', 8],
  ] as const)
    list.addSubnet(network, prefix, 'ipv6');
  return list;
}

/** `name`, `name:port` or `scheme:name:port`. */
export function targetOf(id: string, what: string): { name: string; port: string } {
  const parts = id.split(':');
  const [scheme = '', name = '', port = ''] = parts.length === 3 ? parts : ['', ...parts];
  if (parts.length > 3 || name === '' || !['', 'http', 'https'].includes(scheme)) throw badRequest(`invalid ${what} request ${goQuote(id)}`);
  return { name, port };
}

function unavailable(message: string): ApiError {
  return new ApiError(503, 'ServiceUnavailable', message);
}
