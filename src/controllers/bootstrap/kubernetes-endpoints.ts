// The Endpoints and the EndpointSlice of the service `kubernetes`: the addresses of all servers that live, kept as the endpoint reconcilers of kube-apiserver do.
// Addresses of several servers share one port: that of the server that made the endpoints.
import type { KubernetesObject } from '#api/object.ts';
import { parseIpSloppy } from '#base/ip-address.ts';
import type { ResourceAddress, RestClient } from '#client/rest-client.ts';
import { createUnlessThere } from '#controllers/bootstrap/ensure.ts';

/** Which addresses belong into the endpoints, by those that are there. */
export interface ServerAddresses {
  readonly own: string;
  /** True: no other server shares the endpoints, so that their port is ours. */
  readonly isAlone: boolean;
  while(present: readonly string[]): Promise<readonly string[]>;
  /** This server goes. */
  without(present: readonly string[]): Promise<readonly string[]>;
}

/** What servers that share a store tell each other: entries that go by themselves when they are not renewed. */
export interface ServerLeases {
  renew(address: string): Promise<void>;
  remove(address: string): Promise<void>;
  living(): Promise<readonly string[]>;
}

export function aloneAt(own: string): ServerAddresses {
  return { own, isAlone: true, while: async () => [own], without: async () => [own] };
}

/** `--endpoint-reconciler-type=lease`. */
export function byLeases(own: string, leases: ServerLeases): ServerAddresses {
  return {
    own,
    isAlone: false,
    async while() {
      await leases.renew(own);
      const living = await leases.living();
      // Ours was just renewed: a list without it is no list.
      if (living.length === 0) throw new Error('no API server IP addresses were listed in storage, refusing to erase all endpoints for the kubernetes Service');
      return living;
    },
    async without() {
      await leases.remove(own);
      return leases.living();
    },
  };
}

/** `--endpoint-reconciler-type=master-count`: our own address is always there, and pushes out those behind it where they are too many. */
export function byCount(own: string, count: number): ServerAddresses {
  return {
    own,
    isAlone: false,
    async while(present) {
      if (present.includes(own) && present.length <= count) return present;
      const all = [...new Set([...present, own])].toSorted();
      const at = all.indexOf(own);
      const fromOwn = [...all.slice(at), ...all.slice(0, at)];
      return [own, ...fromOwn.slice(1 + Math.max(0, all.length - count))].toSorted();
    },
    without: async (present) => present.filter((address) => address !== own),
  };
}

interface Endpoints extends KubernetesObject {
  readonly subsets?: readonly { readonly addresses?: readonly { readonly ip: string }[]; readonly ports?: readonly EndpointPort[] }[];
}

interface EndpointPort {
  readonly name?: string;
  readonly port: number;
  readonly protocol?: string;
}

const endpoints: ResourceAddress = { group: '', version: 'v1', resource: 'endpoints', namespaced: true };
const slices: ResourceAddress = { group: 'discovery.k8s.io', version: 'v1', resource: 'endpointslices', namespaced: true };
const name = 'kubernetes';
const namespace = 'default';

/** `leaving`: for the last time. */
export async function reconcileEndpoints(client: RestClient, addresses: ServerAddresses, port: number, leaving = false): Promise<void> {
  if (!isReachable(addresses.own)) return;
  const stored = await client.find<Endpoints>(endpoints, namespace, name);
  if (stored === undefined && leaving) return;
  const [subset, ...more] = stored?.subsets ?? [];
  const present = more.length === 0 ? (subset?.addresses ?? []).map(({ ip }) => ip) : [];
  const wanted = (leaving ? await addresses.without(present) : await addresses.while(present)).filter(isReachable);
  const kept = addresses.isAlone || more.length > 0 ? undefined : subset?.ports;
  const ports = kept ?? [{ name: 'https', port, protocol: 'TCP' }];
  // The order is no reason to write: servers would take turns.
  const ips = isSameSet(present, wanted) ? present : wanted.toSorted();
  const subsets = ips.length === 0 ? [] : [{ addresses: ips.map((ip) => ({ ip })), ports }];
  await ensure(client, endpoints, kubernetesEndpoints(subsets), stored, 'subsets');
  await ensureSlice(client, kubernetesSlice(ips, ips.length === 0 ? [] : ports));
}

/** Of one type of addresses, which never changes. */
async function ensureSlice(client: RestClient, wanted: KubernetesObject): Promise<void> {
  const stored = await client.find(slices, namespace, name);
  if (stored === undefined || stored['addressType'] === wanted['addressType']) return ensure(client, slices, wanted, stored, 'endpoints', 'ports');
  await client.delete(slices, namespace, name);
  await createUnlessThere(client, slices, wanted);
}

async function ensure(
  client: RestClient,
  resource: ResourceAddress,
  wanted: KubernetesObject,
  stored: KubernetesObject | undefined,
  ...fields: readonly string[]
): Promise<void> {
  if (stored === undefined) return createUnlessThere(client, resource, wanted);
  const labels = { ...stored.metadata.labels, ...wanted.metadata.labels };
  const isLabelled = Object.keys(labels).every((label) => labels[label] === stored.metadata.labels?.[label]);
  if (isLabelled && fields.every((field) => JSON.stringify(stored[field] ?? []) === JSON.stringify(wanted[field]))) return;
  const changed = Object.fromEntries(fields.map((field) => [field, wanted[field]]));
  await client.update(resource, { ...stored, metadata: { ...stored.metadata, labels }, ...changed });
}

/** Fields in the order in which the server answers them: comparing needs no more than that. */
function kubernetesEndpoints(subsets: readonly object[]): KubernetesObject {
  return { kind: 'Endpoints', metadata: { name, namespace, labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' } }, subsets };
}

function kubernetesSlice(addresses: readonly string[], ports: readonly EndpointPort[]): KubernetesObject {
  const families = addresses.map((address) => parseIpSloppy(address)?.family ?? 4);
  const family = addresses.length > 0 && families.every((one) => one === 6) ? 6 : 4;
  return {
    kind: 'EndpointSlice',
    metadata: { name, namespace, labels: { 'kubernetes.io/service-name': name } },
    addressType: `IPv${family}`,
    endpoints: addresses.filter((_, index) => families[index] === family).map((address) => ({ addresses: [address], conditions: { ready: true } })),
    ports: ports.map(({ name: portName, protocol, port }) => ({ name: portName, protocol, port })),
  };
}

function isSameSet(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((one) => right.includes(one));
}

/** Nobody else can reach a loopback address, so that endpoints with one are refused: another server may tell of itself by one. */
function isReachable(text: string): boolean {
  const address = parseIpSloppy(text);
  return address !== undefined && !(address.family === 4 ? address.value >> 24n === 127n : address.value === 1n);
}
