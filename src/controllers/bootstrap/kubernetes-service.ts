// The service `kubernetes`, by which pods reach this server, and the network it and all other services get their addresses from.
import { ApiError } from '#api/api-error.ts';
import { formatIp, type IpAddress, parseCidrSloppy, parseIpSloppy } from '#base/ip-address.ts';
import type { KubernetesObject } from '#api/object.ts';
import type { ResourceAddress, RestClient } from '#client/rest-client.ts';
import { createUnlessThere } from '#controllers/bootstrap/ensure.ts';

export interface ServerFacts {
  /** CIDRs of cluster addresses. */
  readonly ranges: readonly string[];
  /** What other machines call this server. */
  readonly address: string;
  readonly port: number;
}

const serviceCidrs: ResourceAddress = { group: 'networking.k8s.io', version: 'v1', resource: 'servicecidrs', namespaced: false };
const services: ResourceAddress = { group: '', version: 'v1', resource: 'services', namespaced: true };
const endpoints: ResourceAddress = { group: '', version: 'v1', resource: 'endpoints', namespaced: true };
const slices: ResourceAddress = { group: 'discovery.k8s.io', version: 'v1', resource: 'endpointslices', namespaced: true };
const name = 'kubernetes';
const namespace = 'default';

/** The network as an object; a range that was added to the flags is added to it. */
export async function ensureServiceCidr(client: RestClient, { ranges }: ServerFacts, now: Date): Promise<void> {
  await createUnlessThere(client, serviceCidrs, { kind: 'ServiceCIDR', metadata: { name }, spec: { cidrs: ranges } });
  const stored = await client.get(serviceCidrs, '', name);
  const { conditions = [] } = (stored['status'] ?? {}) as { conditions?: readonly { type: string; status: string }[] };
  if (conditions.some(({ type }) => type === 'Ready')) return;
  const lastTransitionTime = `${now.toISOString().slice(0, 19)}Z`;
  const ready = { type: 'Ready', status: 'True', lastTransitionTime, message: 'Kubernetes default Service CIDR is ready' };
  const wanted = { kind: 'ServiceCIDR', apiVersion: 'networking.k8s.io/v1', metadata: { name }, status: { conditions: [ready] } };
  await client.apply(serviceCidrs, wanted, { fieldManager: 'kubernetes-service-cidr-controller', force: true, subresource: 'status' });
}

export async function ensureKubernetesService(client: RestClient, facts: ServerFacts): Promise<void> {
  if (!(await exists(client, services))) await createUnlessThere(client, services, kubernetesService(facts));
  const address = parseIpSloppy(facts.address);
  // Nobody else can reach a loopback address, so endpoints may not have one.
  if (address === undefined || isLoopback(address)) return;
  await ensureEndpoints(client, endpoints, kubernetesEndpoints(facts), 'subsets');
  await ensureEndpoints(client, slices, kubernetesSlice(facts, address), 'endpoints', 'ports');
}

async function exists(client: RestClient, resource: ResourceAddress): Promise<boolean> {
  return (await find(client, resource)) !== undefined;
}

async function find(client: RestClient, resource: ResourceAddress): Promise<KubernetesObject | undefined> {
  try {
    return await client.get(resource, namespace, name);
  } catch (error) {
    if (error instanceof ApiError && error.reason === 'NotFound') return undefined;
    throw error;
  }
}

async function ensureEndpoints(client: RestClient, resource: ResourceAddress, wanted: KubernetesObject, ...fields: readonly string[]): Promise<void> {
  const stored = await find(client, resource);
  if (stored === undefined) return createUnlessThere(client, resource, wanted);
  if (fields.every((field) => JSON.stringify(stored[field]) === JSON.stringify(wanted[field]))) return;
  await client.update(resource, { ...stored, ...Object.fromEntries(fields.map((field) => [field, wanted[field]])) });
}

function kubernetesService({ ranges, port }: ServerFacts): KubernetesObject {
  return {
    kind: 'Service',
    metadata: { name, namespace, labels: { component: 'apiserver', provider: 'kubernetes' } },
    spec: {
      type: 'ClusterIP',
      clusterIP: firstAddress(ranges[0] ?? ''),
      ipFamilyPolicy: 'SingleStack',
      sessionAffinity: 'None',
      ports: [{ name: 'https', protocol: 'TCP', port: 443, targetPort: port }],
    },
  };
}

/** Fields in the order in which the server answers them: comparing needs no more than that. */
function kubernetesEndpoints({ address, port }: ServerFacts): KubernetesObject {
  return {
    kind: 'Endpoints',
    metadata: { name, namespace, labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' } },
    subsets: [{ addresses: [{ ip: address }], ports: [{ name: 'https', port, protocol: 'TCP' }] }],
  };
}

function kubernetesSlice({ address, port }: ServerFacts, { family }: IpAddress): KubernetesObject {
  return {
    kind: 'EndpointSlice',
    metadata: { name, namespace, labels: { 'kubernetes.io/service-name': name } },
    addressType: `IPv${family}`,
    endpoints: [{ addresses: [address], conditions: { ready: true } }],
    ports: [{ name: 'https', protocol: 'TCP', port }],
  };
}

/** The first one that a host may have. */
function firstAddress(range: string): string {
  const network = parseCidrSloppy(range);
  return network === undefined ? '' : formatIp({ family: network.base.family, value: network.base.value + 1n });
}

function isLoopback({ family, value }: IpAddress): boolean {
  return family === 4 ? value >> 24n === 127n : value === 1n;
}
