// Where services are, for webhooks and extension servers. The original dials the cluster IP and leaves the rest to kube-proxy, unless
// --enable-aggregator-routing is set. No kube-proxy need run beside this server, so ready endpoints are dialled where there are some;
// the cluster IP is what remains.
import { ApiError, notFound, unclassified } from '#api/api-error.ts';
import type { Lister } from '#api/lister.ts';
import type { KubernetesObject } from '#api/object.ts';
import type { ServiceResolver } from '#api/service-resolver.ts';
import { andThen } from '#base/and-then.ts';
import { goQuote } from '#base/go-text.ts';
import type { NetworkAddress } from '#base/outgoing/target.ts';
import type { Service } from '#kinds/core/v1/service/service.ts';
import type { EndpointSlice } from '#kinds/discovery/v1/endpoint-slice.ts';

type StoredService = Service & KubernetesObject;
type StoredSlice = EndpointSlice & KubernetesObject;

export interface ServiceResolverOptions {
  readonly lister: Lister;
  /** Of --enable-aggregator-routing: endpoints or nothing. */
  readonly endpointsOnly: boolean;
  /** From 0 up to 1. */
  readonly random: () => number;
  /** This server itself, known to its clients as kubernetes.default.svc. */
  readonly self?: () => NetworkAddress | undefined;
}

const services = { group: '', resource: 'services' };
const slices = { group: 'discovery.k8s.io', resource: 'endpointslices' };

export function serviceResolver({ lister, endpointsOnly, random, self }: ServiceResolverOptions): ServiceResolver {
  return (namespace, name, port) => {
    const own = namespace === 'default' && name === 'kubernetes' && port === 443 ? self?.() : undefined;
    if (own) return own;
    return andThen(lister.get<StoredService>(services, namespace, name), (service) => {
      // Found by a lister of the original: the group is not named, the resource in singular.
      if (service === undefined) throw new ApiError(404, 'NotFound', `service ${goQuote(name)} not found`, { details: notFound(services, name).details ?? {} });
      return andThen(lister.list<StoredSlice>(slices, namespace), (all) => {
        const ofService = all.filter(({ metadata }) => metadata.labels?.['kubernetes.io/service-name'] === name);
        return endpointsOnly ? endpointOf(service, ofService, port, random) : (tryEndpoint(service, ofService, port, random) ?? clusterAddress(service, port));
      });
    });
  };
}

function portOf({ metadata, spec }: StoredService, port: number): { readonly name: string } {
  const found = spec.ports?.find((each) => each.port === port);
  if (found === undefined) throw unavailable(`no service port ${port} found for service ${goQuote(metadata.name ?? '')}`);
  return { name: found.name ?? '' };
}

function endpointOf(service: StoredService, own: readonly StoredSlice[], port: number, random: () => number): NetworkAddress {
  if (!hasAddresses(service)) throw unclassified(`unsupported service type ${goQuote(service.spec.type ?? '')}`);
  portOf(service, port);
  const found = tryEndpoint(service, own, port, random);
  if (found === undefined) throw unavailable(`no endpoints available for service ${goQuote(service.metadata.name ?? '')}`);
  return found;
}

/** Slices of the service's first family before others; any ready endpoint of the first slice that has the port. */
function tryEndpoint(service: StoredService, own: readonly StoredSlice[], port: number, random: () => number): NetworkAddress | undefined {
  if (!hasAddresses(service)) return undefined;
  const { name } = portOf(service, port);
  const preferred = service.spec.ipFamilies?.[0];
  const inOrder = own
    .map((slice) => ({ slice, place: (slice.addressType === preferred ? 0 : 1) + random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ slice }) => slice);
  for (const { ports, endpoints } of inOrder) {
    const target = ports?.find((each) => (each.name ?? '') === name && each.port !== undefined)?.port;
    const ready = (endpoints ?? []).filter(({ conditions }) => conditions?.ready !== false);
    const host = ready[Math.floor(random() * ready.length)]?.addresses?.[0];
    if (target !== undefined && host !== undefined) return { host, port: target };
  }
  return undefined;
}

function clusterAddress(service: StoredService, port: number): NetworkAddress {
  const { type = 'ClusterIP', clusterIP = '', externalName = '' } = service.spec;
  if (type === 'ExternalName') return { host: externalName, port };
  if (!hasAddresses(service)) throw unclassified(`unsupported service type ${goQuote(type)}`);
  if (clusterIP === 'None') throw unclassified('cannot route to service with ClusterIP "None"');
  portOf(service, port);
  return { host: clusterIP, port };
}

function hasAddresses({ spec: { type = 'ClusterIP' } }: StoredService): boolean {
  return ['ClusterIP', 'NodePort', 'LoadBalancer'].includes(type);
}

function unavailable(message: string): ApiError {
  return new ApiError(503, 'ServiceUnavailable', message);
}
