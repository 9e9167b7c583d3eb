// Makes a ServiceCIDR usable, and lets it go only when no address of a Service would be left without a network.
import type { KubernetesObject } from '#api/object.ts';
import { type Source, type SourceItem, sourceKey, type Sources, splitKey } from '#api/source.ts';
import { wholeSeconds } from '#api/whole-seconds.ts';
import type { Clock } from '#base/clock.ts';
import { type IpNetwork, parseCidrSloppy, parseIpSloppy } from '#base/ip-address.ts';
import { patchTypes, type ResourceAddress, type RestClient } from '#client/rest-client.ts';
import { type Controller, controller, keysOf, type LoopParts, unlessGone } from '#controllers/controller.ts';
import type { IPAddress } from '#kinds/networking/v1/ip-address.ts';
import type { ServiceCIDR } from '#kinds/networking/v1/service-cidr.ts';

export interface ServiceCidrOptions extends LoopParts {
  readonly client: RestClient;
  readonly sources: Sources;
  readonly clock: Clock;
}

type StoredCidr = ServiceCIDR & KubernetesObject;
type StoredAddress = IPAddress & KubernetesObject;

const serviceCidrs: ResourceAddress = { group: 'networking.k8s.io', version: 'v1', resource: 'servicecidrs', namespaced: false };
const ipAddresses: ResourceAddress = { group: 'networking.k8s.io', version: 'v1', resource: 'ipaddresses', namespaced: false };
const name = 'service-cidr-controller';
const finalizer = 'networking.k8s.io/service-cidr-finalizer';
const managedBy = { label: 'ipaddress.kubernetes.io/managed-by', allocator: 'ipallocator.k8s.io' };
/** For as long allocators may not have heard of the deletion, and give an address out of it. */
const deletionGraceMs = 10_000;

const ready = { type: 'Ready', status: 'True', reason: '', message: 'Kubernetes Service CIDR is ready' };
const kept = {
  type: 'Ready',
  status: 'False',
  reason: 'Terminating',
  message: 'There are still IPAddresses referencing the ServiceCIDR, please remove them or create a new ServiceCIDR',
};

export function serviceCidrController(options: ServiceCidrOptions): Controller {
  const cidrs = options.sources.of<StoredCidr>(serviceCidrs);
  const addresses = options.sources.of<StoredAddress>(ipAddresses);
  const reconcile = async (key: string) => {
    const cidr = cidrs.get('', splitKey(key).name)?.object;
    if (cidr === undefined) return;
    if (cidr.metadata.deletionTimestamp === undefined) {
      if (!cidr.metadata.finalizers?.includes(finalizer)) await patchFinalizers(options.client, cidr, 'finalizers');
      return say(options, cidr, ready);
    }
    if (!mayGo(cidr, cidrs, addresses)) return say(options, cidr, kept);
    const leftMs = Date.parse(cidr.metadata.deletionTimestamp) + deletionGraceMs - options.clock.now().getTime();
    if (leftMs > 0) return { againMs: leftMs };
    if (cidr.metadata.finalizers?.includes(finalizer)) await patchFinalizers(options.client, cidr, '$deleteFromPrimitiveList/finalizers');
  };
  // Another network that comes or goes decides too whether one may go.
  const overlapping = (item: SourceItem<StoredCidr>) => [sourceKey(item), ...going(cidrs)];
  const ofAddresses = keysOf(addresses, ({ object }) => (isAllocated(object) ? going(cidrs) : []));
  return controller({ ...options, name, sources: [keysOf(cidrs, overlapping), ofAddresses], reconcile, workers: 5, retry: { firstMs: 5, maxMs: 1_000_000 } });
}

function going(cidrs: Source<StoredCidr>): readonly string[] {
  return cidrs.list().flatMap((item) => (item.object.metadata.deletionTimestamp === undefined ? [] : [sourceKey(item)]));
}

function isAllocated({ metadata }: StoredAddress): boolean {
  return metadata.labels?.[managedBy.label] === managedBy.allocator;
}

/** Every address in it lies in another network too. */
function mayGo(cidr: StoredCidr, cidrs: Source<StoredCidr>, addresses: Source<StoredAddress>): boolean {
  const own = networksOf(cidr);
  const others = cidrs.list().flatMap(({ object }) => (object.metadata.name === cidr.metadata.name ? [] : networksOf(object)));
  if (own.every((network) => others.some((other) => isWithin(network, other)))) return true;
  return !addresses.list().some(({ object }) => {
    const address = isAllocated(object) ? parseIpSloppy(object.metadata.name ?? '') : undefined;
    return address !== undefined && own.some((network) => contains(network, address)) && !others.some((network) => contains(network, address));
  });
}

function networksOf({ spec }: StoredCidr): readonly IpNetwork[] {
  return (spec?.cidrs ?? []).flatMap((cidr) => parseCidrSloppy(cidr) ?? []);
}

function contains({ base, prefix }: IpNetwork, { family, value }: { readonly family: 4 | 6; readonly value: bigint }): boolean {
  const shift = BigInt((family === 4 ? 32 : 128) - prefix);
  return base.family === family && base.value >> shift === value >> shift;
}

function isWithin(inner: IpNetwork, outer: IpNetwork): boolean {
  return outer.prefix <= inner.prefix && contains(outer, inner.base);
}

async function patchFinalizers(client: RestClient, { metadata }: StoredCidr, field: string): Promise<void> {
  await unlessGone(client.patch(serviceCidrs, { namespace: '', name: metadata.name ?? '' }, patchTypes.strategic, { metadata: { [field]: [finalizer] } }));
}

/** Applied, so that the condition is the controller's own beside those of others. */
async function say({ client, clock }: ServiceCidrOptions, cidr: StoredCidr, condition: typeof ready): Promise<void> {
  const before = cidr.status?.conditions?.find(({ type }) => type === condition.type);
  if (before?.status === condition.status && (before.reason ?? '') === condition.reason && before.message === condition.message) return;
  const conditions = [{ ...condition, lastTransitionTime: wholeSeconds(clock.now()) }];
  const object = { apiVersion: 'networking.k8s.io/v1', kind: 'ServiceCIDR', metadata: { name: cidr.metadata.name }, status: { conditions } };
  await unlessGone(client.apply(serviceCidrs, object, { fieldManager: name, force: true, subresource: 'status' }));
}
