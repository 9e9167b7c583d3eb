// Which EndpointSlices a Service with a selector needs, and the fewest writes that bring them about: endpoints stay in the slice they are in,
// changed slices are filled up first, then one unchanged slice that has room for the rest, then new ones.
import {
  controllerReference,
  endpointKey,
  headlessLabel,
  isSameEndpoint,
  managedByLabel,
  namePrefix,
  byPorts,
  portsKey,
  reuseRemoved,
  serviceNameLabel,
  type SlicePlan,
  type StoredSlice,
} from '#controllers/endpoints/endpoint-slices.ts';
import {
  type AddressType,
  endpointOf,
  isInEndpoints,
  portsOf,
  type StoredNode,
  type StoredPod,
  type StoredService,
} from '#controllers/endpoints/pod-endpoint.ts';
import type { Hinting } from '#controllers/endpoints/slice-hints.ts';
import type { SliceFigures } from '#controllers/endpoints/slice-metrics.ts';
import type { Endpoint, EndpointPort } from '#kinds/discovery/v1/endpoint-slice.ts';

export const sliceControllerName = 'endpointslice-controller.k8s.io';

export interface ServiceState {
  readonly service: StoredService;
  /** Those that the selector selects. */
  readonly pods: readonly StoredPod[];
  /** Slices of the Service that are managed by the controller and are not being deleted. */
  readonly slices: readonly StoredSlice[];
  readonly nodeOf: (name: string) => StoredNode | undefined;
  readonly maxPerSlice: number;
  readonly hints: Hinting;
}

export interface ServicePlan extends SlicePlan {
  /** Pods left out because their node is not known: the Service is looked at again later. */
  readonly withoutNode: readonly string[];
  /** One for each address family. */
  readonly figures: readonly SliceFigures[];
}

/** Endpoints that belong into the same slices. */
interface Group {
  readonly ports: EndpointPort[];
  readonly endpoints: Map<string, Endpoint>;
}

export function planServiceSlices(state: ServiceState): ServicePlan {
  const types = addressTypesOfService(state.service);
  const withoutNode = new Set<string>();
  const figures: SliceFigures[] = [];
  const plan: SlicePlan = { create: [], update: [], remove: state.slices.filter(({ addressType }) => !types.includes(addressType as AddressType)) };
  for (const type of types) {
    const part = planAddressType(state, type, withoutNode);
    figures.push(part.figures);
    plan.create.push(...part.create);
    plan.update.push(...part.update);
    plan.remove.push(...part.remove);
  }
  return { ...plan, figures, withoutNode: [...withoutNode] };
}

export function isHeadless({ spec }: StoredService): boolean {
  return !spec?.clusterIP || spec.clusterIP === 'None';
}

/** A Service that was stored before IP families were known has the family of its address; a headless one may have both. */
function addressTypesOfService({ spec }: StoredService): readonly AddressType[] {
  const families = spec?.ipFamilies ?? [];
  if (families.length > 0) return (['IPv4', 'IPv6'] as const).filter((type) => families.includes(type));
  if (!spec?.clusterIP || spec.clusterIP === 'None') return ['IPv4', 'IPv6'];
  return [spec.clusterIP.includes(':') ? 'IPv6' : 'IPv4'];
}

function planAddressType(state: ServiceState, addressType: AddressType, withoutNode: Set<string>): SlicePlan & { readonly figures: SliceFigures } {
  const { service } = state;
  const existing = state.slices.filter((slice) => slice.addressType === addressType);
  const owned = byPorts(existing.filter((slice) => isOwnedBy(slice, service)));
  const groups = groupsOf(state, addressType, withoutNode);
  const plan: SlicePlan = { create: [], update: [], remove: existing.filter((slice) => !isOwnedBy(slice, service)) };
  const figures = { endpoints: 0, slices: 0, desiredSlices: 0, added: 0, removed: 0, updated: 0 };
  for (const [key, group] of groups) {
    const { added, removed } = planGroup(state, plan, owned.get(key) ?? [], group, addressType);
    figures.added += added;
    figures.removed += removed;
    figures.endpoints += group.endpoints.size;
    figures.desiredSlices += Math.ceil(group.endpoints.size / state.maxPerSlice);
  }
  for (const [key, slices] of owned) if (!groups.has(key)) plan.remove.push(...slices);
  keepPlaceholder(service, plan, existing.length, addressType);
  figures.slices = existing.length + plan.create.length - plan.remove.length;
  planHints(state, plan, existing, addressType);
  reuseRemoved(plan, (slice) => isOwnedBy(slice, service));
  return { ...plan, figures };
}

function isOwnedBy({ metadata }: StoredSlice, service: StoredService): boolean {
  return metadata.ownerReferences?.some(({ apiVersion, kind, uid }) => uid === service.metadata.uid && kind === 'Service' && apiVersion === 'v1') === true;
}

function groupsOf({ service, pods, nodeOf }: ServiceState, addressType: AddressType, withoutNode: Set<string>): Map<string, Group> {
  const groups = new Map<string, Group>();
  for (const pod of pods) {
    if (!isInEndpoints(pod, true)) continue;
    const ports = portsOf(service, pod);
    const key = portsKey(ports);
    const group = groups.get(key) ?? { ports, endpoints: new Map<string, Endpoint>() };
    groups.set(key, group);
    const node = nodeOf(pod.spec?.nodeName ?? '');
    if (node === undefined && !service.spec?.publishNotReadyAddresses) {
      withoutNode.add(pod.metadata.name ?? '');
      continue;
    }
    const endpoint = endpointOf(service, pod, node, addressType);
    if (endpoint) group.endpoints.set(endpointKey(endpoint), endpoint);
  }
  return groups;
}

/** How many endpoints come into slices, and how many of those that are in them go. */
type Exchanged = Pick<SliceFigures, 'added' | 'removed'>;

function planGroup(state: ServiceState, plan: SlicePlan, existing: readonly StoredSlice[], { ports, endpoints }: Group, addressType: AddressType): Exchanged {
  const { service, maxPerSlice } = state;
  const left = new Map(endpoints);
  const changed: StoredSlice[] = [];
  const unchanged: StoredSlice[] = [];
  for (const slice of existing) {
    const judged = judgeSlice(slice, left, service);
    if (judged === 'remove') plan.remove.push(slice);
    else if (judged === undefined) unchanged.push(slice);
    else changed.push(judged);
  }
  const added = left.size;
  const removed = existing.reduce((sum, slice) => sum + countOf(slice), 0) - (endpoints.size - added);
  for (const slice of changed.toSorted((a, b) => countOf(b) - countOf(a))) fill(slice, left, maxPerSlice);
  while (left.size > 0) {
    const room = left.size < maxPerSlice ? closestFit(unchanged, left.size, maxPerSlice) : undefined;
    const target = room ? { ...room, endpoints: [...(room.endpoints ?? [])] } : newSlice(service, ports, addressType);
    fill(target, left, maxPerSlice);
    if (room) unchanged.splice(unchanged.indexOf(room), 1);
    (room ? changed : plan.create).push(target);
  }
  plan.update.push(...changed);
  return { added, removed };
}

/** Takes what stays in this slice out of `left`. Undefined: the slice is right as it is. */
function judgeSlice(slice: StoredSlice, left: Map<string, Endpoint>, service: StoredService): StoredSlice | 'remove' | undefined {
  let changes = false;
  const kept: Endpoint[] = [];
  for (const endpoint of slice.endpoints ?? []) {
    const key = endpointKey(endpoint);
    const wanted = left.get(key);
    changes ||= wanted === undefined || !isSameEndpoint(wanted, endpoint);
    if (wanted === undefined) continue;
    kept.push(wanted);
    left.delete(key);
  }
  if (changes && kept.length === 0) return 'remove';
  if (!changes && hasLabelsOf(slice, service)) return undefined;
  return { ...slice, endpoints: kept, metadata: { ...slice.metadata, labels: labelsFor(service) } };
}

function fill(slice: StoredSlice, left: Map<string, Endpoint>, maxPerSlice: number): void {
  for (const [key, endpoint] of left) {
    if (countOf(slice) >= maxPerSlice) return;
    slice.endpoints?.push(endpoint);
    left.delete(key);
  }
}

/** The slice that `count` more endpoints fill best without overflowing it. */
function closestFit(slices: readonly StoredSlice[], count: number, maxPerSlice: number): StoredSlice | undefined {
  const fitting = slices.filter((slice) => countOf(slice) > 0 && countOf(slice) + count <= maxPerSlice);
  return fitting.toSorted((a, b) => countOf(b) - countOf(a))[0];
}

function countOf({ endpoints }: StoredSlice): number {
  return endpoints?.length ?? 0;
}

const reserved: readonly string[] = [serviceNameLabel, managedByLabel, headlessLabel];

function ownLabels(labels: Readonly<Record<string, string>> = {}): [string, string][] {
  return Object.entries(labels).filter(([key]) => !reserved.includes(key));
}

function labelsFor(service: StoredService): Record<string, string> {
  const headless = isHeadless(service) ? { [headlessLabel]: '' } : {};
  const own = { [serviceNameLabel]: service.metadata.name ?? '', [managedByLabel]: sliceControllerName };
  return { ...Object.fromEntries(ownLabels(service.metadata.labels)), ...headless, ...own };
}

function hasLabelsOf({ metadata }: StoredSlice, service: StoredService): boolean {
  const sorted = (labels: [string, string][]) => JSON.stringify(labels.sort());
  return sorted(ownLabels(metadata.labels)) === sorted(ownLabels(service.metadata.labels));
}

function newSlice(service: StoredService, ports: EndpointPort[], addressType: AddressType): StoredSlice {
  const { namespace, name = '' } = service.metadata;
  const ownerReferences = [controllerReference('Service', service.metadata)];
  const metadata = { generateName: namePrefix(name), namespace, labels: labelsFor(service), ownerReferences };
  return { kind: 'EndpointSlice', metadata, addressType, ports, endpoints: [] } as unknown as StoredSlice;
}

/** A Service always has a slice, if only an empty one, so that clients can tell «no endpoints» from «not looked at yet». */
function keepPlaceholder(service: StoredService, plan: SlicePlan, existing: number, addressType: AddressType): void {
  if (existing > plan.remove.length || plan.create.length > 0) return;
  const placeholder = newSlice(service, [], addressType);
  const [only] = plan.remove;
  if (plan.remove.length === 1 && only && isPlaceholder(only, placeholder, service)) plan.remove.length = 0;
  else plan.create.push(placeholder);
}

function isPlaceholder(slice: StoredSlice, placeholder: StoredSlice, service: StoredService): boolean {
  if (countOf(slice) > 0 || (slice.ports ?? []).length > 0 || !isOwnedBy(slice, service)) return false;
  const labels = ({ metadata }: StoredSlice) => JSON.stringify(Object.entries(metadata.labels ?? {}).sort());
  return labels(slice) === labels(placeholder);
}

/** Slices whose hints are wrong are written too. */
function planHints({ hints }: ServiceState, plan: SlicePlan, existing: readonly StoredSlice[], addressType: AddressType): void {
  const touched = new Set([...plan.update, ...plan.remove].map(({ metadata }) => metadata.name));
  const hinted = hints(addressType, { ...plan, unchanged: existing.filter(({ metadata }) => !touched.has(metadata.name)) });
  plan.create.splice(0, plan.create.length, ...hinted.create);
  plan.update.splice(0, plan.update.length, ...hinted.update);
}
