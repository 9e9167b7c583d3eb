// Cluster addresses in use. Each is an IPAddress object named by the address, so the store itself makes sure that nobody gets one twice.
import { ApiError } from '#api/api-error.ts';
import { formatCidr, formatIp, type IpAddress, type IpNetwork, parseCidrSloppy, parseIpSloppy } from '#base/ip-address.ts';
import type { KubernetesObject } from '#api/object.ts';
import type { Service } from '#kinds/core/v1/service/service.ts';
import { isExternalName, isHeadless } from '#kinds/core/v1/service/service-kinds.ts';
import type { IPAddress } from '#kinds/networking/v1/ip-address.ts';
import type { ServiceCIDR } from '#kinds/networking/v1/service-cidr.ts';
import type { AddressAnswer, AddressPool, AddressRequest, PoolAccess } from '#resource/service-pool.ts';

const ipAddresses = { group: 'networking.k8s.io', resource: 'ipaddresses' };
const serviceCidrs = { group: 'networking.k8s.io', resource: 'servicecidrs' };
const managedBy = 'ipallocator.k8s.io';
const managedByLabel = 'ipaddress.kubernetes.io/managed-by';
/** After so many taken addresses in a row it is cheaper to look which are free. */
const guesses = 16;
/** An address may be ahead of its service by this much. */
const graceMs = 60_000;
const defaultRangeName = 'kubernetes';

export class ClusterIpPool implements AddressPool {
  readonly #configured: readonly IpNetwork[];
  readonly #random: () => number;

  constructor(ranges: readonly string[], random: () => number) {
    this.#configured = ranges.flatMap((range) => parseCidrSloppy(range) ?? []);
    this.#random = random;
  }

  get families(): readonly string[] {
    return this.#configured.map(({ base }) => `IPv${base.family}`);
  }

  async take(request: AddressRequest, access: PoolAccess): Promise<AddressAnswer> {
    const ranges = (await this.#ranges(access)).filter(({ base }) => `IPv${base.family}` === request.family);
    if (request.dryRun) return rehearse(request.wanted, ranges[0]);
    return request.wanted === '' ? this.#takeAny(request, ranges, access) : takeGiven(request, ranges, access);
  }

  async free(address: string, { writer }: PoolAccess): Promise<void> {
    const parsed = parseIpSloppy(address);
    if (parsed === undefined) return;
    await writer.delete(ipAddresses, '', formatIp(parsed)).catch(ignoreReason('NotFound'));
  }

  /** Every address of a service has its object, and every object its service. */
  async repair(access: PoolAccess, now: Date): Promise<void> {
    const services = await access.lister.list<Service & KubernetesObject>({ group: '', resource: 'services' });
    const owners = new Map(services.flatMap((service) => addressesOf(service).map((address) => [address, service] as const)));
    const objects = await access.lister.list<IPAddress & KubernetesObject>(ipAddresses);
    const known = new Set(objects.map(({ metadata }) => metadata.name ?? ''));
    for (const [address, { metadata }] of owners) {
      if (!known.has(address)) await create(address, { namespace: metadata.namespace ?? '', name: metadata.name ?? '' }, access);
    }
    for (const object of objects) if (isOrphan(object, owners, now)) await this.free(object.metadata.name ?? '', access);
  }

  /** Those that ServiceCIDR objects offer, the default one first; what the flags say until that one is there. */
  async #ranges({ lister }: PoolAccess): Promise<readonly IpNetwork[]> {
    const objects = await lister.list<ServiceCIDR & KubernetesObject>(serviceCidrs);
    const networks = objects.filter(isReady).flatMap(({ metadata, spec }) =>
      (spec.cidrs ?? []).flatMap((cidr) => {
        const network = parseCidrSloppy(cidr);
        return network === undefined ? [] : [{ network, isDefault: metadata.name === defaultRangeName }];
      }),
    );
    const of = (wanted: boolean) => networks.filter(({ isDefault }) => isDefault === wanted).map(({ network }) => network);
    const hasDefault = objects.some(({ metadata }) => metadata.name === defaultRangeName);
    return [...(hasDefault ? of(true) : this.#configured), ...of(false)];
  }

  async #takeAny(request: AddressRequest, ranges: readonly IpNetwork[], access: PoolAccess): Promise<AddressAnswer> {
    for (const range of ranges) {
      const { first, last } = hostsOf(range);
      const upper = first + staticBand(last - first + 1n);
      // The lower band is for addresses that people choose; it comes last.
      for (const [from, to] of [
        [upper, last],
        [first, upper - 1n],
      ] as const) {
        const address = await this.#takeBetween(range.base.family, from, to, request, access);
        if (address !== undefined) return { is: 'taken', address };
      }
    }
    return { is: 'refused', why: 'range is full', full: true };
  }

  async #takeBetween(family: 4 | 6, from: bigint, to: bigint, request: AddressRequest, access: PoolAccess): Promise<string | undefined> {
    const size = to - from + 1n;
    if (size <= 0n) return undefined;
    const start = randomBelow(size, this.#random);
    let used: Set<string> | undefined;
    for (let step = 0n; step < size; step++) {
      const address = formatIp({ family, value: from + ((start + step) % size) });
      if (step === BigInt(guesses)) used = new Set((await access.lister.list(ipAddresses)).map(({ metadata }) => metadata.name ?? ''));
      const taken = used?.has(address) ?? (await access.lister.get(ipAddresses, '', address)) !== undefined;
      if (!taken && (await create(address, request, access))) return address;
    }
    return undefined;
  }
}

function rehearse(wanted: string, range: IpNetwork | undefined): AddressAnswer {
  if (range === undefined) return { is: 'refused', why: 'allocator not ready', full: false };
  if (wanted === '') return { is: 'taken', address: formatIp(range.base) };
  const address = parseIpSloppy(wanted);
  if (address !== undefined && contains(range, address)) return { is: 'taken', address: wanted };
  const shown = address === undefined ? wanted : formatIp(address);
  const why = `the provided IP (${shown}) is not in the valid range. The range of valid IPs is ${formatCidr(range)}`;
  return { is: 'refused', why, full: false };
}

async function takeGiven(request: AddressRequest, ranges: readonly IpNetwork[], access: PoolAccess): Promise<AddressAnswer> {
  const address = parseIpSloppy(request.wanted);
  if (address === undefined || !ranges.some((range) => contains(range, address))) {
    return { is: 'refused', why: 'the provided network does not match the current range', full: false };
  }
  const name = formatIp(address);
  if (await create(name, request, access)) return { is: 'taken', address: name };
  return { is: 'refused', why: 'provided IP is already allocated', full: false };
}

interface Parent {
  readonly namespace: string;
  readonly name: string;
}

/** False when somebody has it. */
async function create(address: string, { namespace, name }: Parent, { writer }: PoolAccess): Promise<boolean> {
  const labels = { 'ipaddress.kubernetes.io/ip-family': address.includes(':') ? 'IPv6' : 'IPv4', [managedByLabel]: managedBy };
  const object = {
    kind: 'IPAddress',
    metadata: { name: address, labels },
    spec: { parentRef: { group: '', resource: 'services', namespace, name } },
  };
  try {
    await writer.create(ipAddresses, '', object);
    return true;
  } catch (error) {
    ignoreReason('AlreadyExists')(error);
    return false;
  }
}

function ignoreReason(reason: 'AlreadyExists' | 'NotFound'): (error: unknown) => void {
  return (error) => {
    if (!(error instanceof ApiError && error.reason === reason)) throw error;
  };
}

/** Without the address of the network itself and, in IPv4, the last one. */
function hostsOf({ base, prefix }: IpNetwork): { readonly first: bigint; readonly last: bigint } {
  const bits = BigInt((base.family === 4 ? 32 : 128) - prefix);
  const end = base.value + (1n << bits) - 1n;
  return { first: base.value + 1n, last: base.family === 4 ? end - 1n : end };
}

function contains(range: IpNetwork, { family, value }: IpAddress): boolean {
  const { first, last } = hostsOf(range);
  return family === range.base.family && value >= first && value <= last;
}

function staticBand(size: bigint): bigint {
  if (size <= 16n) return 0n;
  const sixteenth = size / 16n;
  return sixteenth < 16n ? 16n : sixteenth > 256n ? 256n : sixteenth;
}

/** Of very large ranges only the first 2^48 addresses are drawn from. */
function randomBelow(size: bigint, random: () => number): bigint {
  const limit = size > 2n ** 48n ? 2n ** 48n : size;
  return BigInt(Math.floor(random() * Number(limit)));
}

function isReady({ metadata, status }: ServiceCIDR & KubernetesObject): boolean {
  const ready = status.conditions?.find(({ type }) => type === 'Ready');
  return metadata.deletionTimestamp === undefined && (ready === undefined || ready.status === 'True');
}

function addressesOf(service: Service): readonly string[] {
  if (isExternalName(service) || isHeadless(service)) return [];
  return (service.spec.clusterIPs ?? []).flatMap((text) => {
    const address = parseIpSloppy(text);
    return address === undefined ? [] : [formatIp(address)];
  });
}

function isOrphan({ metadata }: KubernetesObject, owners: ReadonlyMap<string, unknown>, now: Date): boolean {
  if (metadata.labels?.[managedByLabel] !== managedBy || owners.has(metadata.name ?? '')) return false;
  return now.getTime() - Date.parse(metadata.creationTimestamp ?? '') > graceMs;
}
