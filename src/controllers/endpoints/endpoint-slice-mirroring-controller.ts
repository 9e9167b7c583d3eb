// Mirrors Endpoints that somebody made by hand, for a Service without a selector, into EndpointSlices: one slice for each subset and address family.
import { type SourceItem, sourceKey, splitKey } from '#api/source.ts';
import { exponentialBuckets, type MetricSet } from '#base/metric-set.ts';
import { formatIp, parseIpSloppy } from '#base/ip-address.ts';
import { CoreEventRecorder, regarding } from '#client/core-event-recorder.ts';
import { kinds } from '#client/kinds.ts';
import { type Controller, controller, keysOf } from '#controllers/controller.ts';
import { type EndpointsOptions, gatherMs, workers } from '#controllers/endpoints/endpoint-slice-controller.ts';
import {
  controllerReference,
  endpointKey,
  isSameEndpoint,
  managedByLabel,
  namePrefix,
  portsKey,
  reuseRemoved,
  serviceNameLabel,
  type SlicePlan,
  type StoredSlice,
  triggerTimeAnnotation,
} from '#controllers/endpoints/endpoint-slices.ts';
import { repackSubsets } from '#controllers/endpoints/endpoint-subsets.ts';
import { leaderAnnotation, type StoredEndpoints, without } from '#controllers/endpoints/endpoints-controller.ts';
import { type AddressType, addressTypeOf, type StoredService } from '#controllers/endpoints/pod-endpoint.ts';
import { type SliceFigures, SliceMetrics } from '#controllers/endpoints/slice-metrics.ts';
import { removeSlice, writeSlices } from '#controllers/endpoints/write-slices.ts';
import type { EndpointAddress } from '#kinds/core/v1/service/endpoints.ts';
import type { Endpoint, EndpointPort } from '#kinds/discovery/v1/endpoint-slice.ts';

export const mirrorName = 'endpointslicemirroring-controller.k8s.io';
const subsystem = 'endpoint_slice_mirroring_controller';
const skipMirrorLabel = 'endpointslice.kubernetes.io/skip-mirror';
const lastAppliedAnnotation = 'kubectl.kubernetes.io/last-applied-configuration';
/** More addresses of a subset are not mirrored, so that a subset fits into one slice. */
const maxPerSubset = 1_000;

export function endpointSliceMirroring(options: EndpointsOptions): Controller {
  const { client, sources } = options;
  const services = sources.of<StoredService>(kinds.services);
  const endpoints = sources.of<StoredEndpoints>(kinds.endpoints);
  const slices = sources.of<StoredSlice>(kinds.endpointSlices);
  const events = new CoreEventRecorder({ ...options, component: 'endpoint-slice-mirroring-controller' });
  const metrics = new SliceMetrics(options.metrics.ofLoops, subsystem, 'ALPHA', ['added', 'updated', 'removed']);
  const { skipped, durations } = syncMetrics(options.metrics.ofLoops);
  const reconcile = async (key: string) => {
    const { namespace, name } = splitKey(key);
    const mirrored = slices.list(namespace).flatMap(({ object }) => (isMirrorOf(object, name) ? [object] : []));
    const stored = endpoints.get(namespace, name)?.object;
    const service = services.get(namespace, name)?.object;
    if (stored === undefined || !isMirrored(stored) || service === undefined || service.spec?.selector !== undefined) {
      metrics.forget(key);
      for (const { metadata } of mirrored) await removeSlice(client, namespace, metadata.name ?? '');
      return;
    }
    skipped.at().observe(tellSkipped(events, stored));
    const { figures, ...plan } = planMirror(stored, mirrored);
    metrics.looked(key, [figures]);
    await writeSlices({ client, namespace, ownerIsGoing: stored.metadata.deletionTimestamp !== undefined, onWritten: metrics.onWritten }, plan);
  };
  const timed = async (key: string) => {
    const began = performance.now();
    await reconcile(key).finally(() => durations.at().observe((performance.now() - began) / 1_000));
  };
  const endpointsOfSlice = ({ namespace, object }: SourceItem<StoredSlice>) =>
    object.metadata.labels?.[managedByLabel] === mirrorName ? [sourceKey({ namespace, name: object.metadata.labels[serviceNameLabel] ?? '' })] : [];
  const all = [keysOf(endpoints), keysOf(services), keysOf(slices, endpointsOfSlice)];
  const retry = { firstMs: 1_000, maxMs: 100_000 };
  return controller({ ...options, name: 'endpointslice-mirroring-controller', sources: all, reconcile: timed, workers, gatherMs, retry });
}

function syncMetrics(metrics: MetricSet) {
  return {
    skipped: metrics.histogram({
      name: `${subsystem}_addresses_skipped_per_sync`,
      help: 'Addresses that a look has left out: no addresses, or too many',
      buckets: exponentialBuckets(2, 2, 15),
    }),
    durations: metrics.histogram({
      name: `${subsystem}_endpoints_sync_duration`,
      help: 'How long a look took, in seconds',
      buckets: exponentialBuckets(0.001, 2, 15),
    }),
  };
}

function isMirrorOf({ metadata }: StoredSlice, name: string): boolean {
  return metadata.labels?.[managedByLabel] === mirrorName && metadata.labels[serviceNameLabel] === name;
}

function isMirrored({ metadata }: StoredEndpoints): boolean {
  return metadata.labels?.[skipMirrorLabel] !== 'true' && metadata.annotations?.[leaderAnnotation] === undefined;
}

/** Returns how many addresses are left out. */
function tellSkipped(events: CoreEventRecorder, endpoints: StoredEndpoints): number {
  let [invalid, surplus] = [0, 0];
  for (const { addresses = [], notReadyAddresses = [] } of repackSubsets(endpoints.subsets ?? [])) {
    const all = [...addresses, ...notReadyAddresses];
    const wrong = all.filter(({ ip }) => parseIpSloppy(ip ?? '') === undefined).length;
    invalid += wrong;
    surplus += Math.max(0, all.length - wrong - maxPerSubset);
  }
  const about = regarding(kinds.endpoints, endpoints);
  if (invalid > 0) events.event(about, 'Warning', 'InvalidIPAddress', `Skipped ${invalid} invalid IP addresses when mirroring to EndpointSlices`);
  if (surplus === 0) return invalid;
  const message = `A max of ${maxPerSubset} addresses can be mirrored to EndpointSlices per Endpoints subset. ${invalid + surplus} addresses were skipped`;
  events.event(about, 'Warning', 'TooManyAddressesToMirror', message);
  return invalid + surplus;
}

interface Group {
  readonly addressType: AddressType;
  readonly ports: EndpointPort[];
  readonly endpoints: Map<string, Endpoint>;
}

export function planMirror(endpoints: StoredEndpoints, existing: readonly StoredSlice[]): SlicePlan & { readonly figures: SliceFigures } {
  const plan: SlicePlan = { create: [], update: [], remove: [] };
  const figures = { endpoints: 0, slices: 0, desiredSlices: 0, added: 0, removed: 0, updated: 0 };
  const byGroup = new Map<string, StoredSlice[]>();
  for (const slice of existing) {
    const key = groupKey(slice.addressType as AddressType, slice.ports);
    byGroup.set(key, [...(byGroup.get(key) ?? []), slice]);
  }
  for (const [key, group] of groupsOf(endpoints)) {
    const [first, ...others] = byGroup.get(key) ?? [];
    byGroup.delete(key);
    plan.remove.push(...others);
    const changes = changesOf(first, group);
    for (const which of ['added', 'removed', 'updated'] as const) figures[which] += changes[which];
    figures.endpoints += group.endpoints.size;
    figures.desiredSlices += Math.ceil(group.endpoints.size / maxPerSubset);
    if (group.endpoints.size === 0) plan.remove.push(...(first ? [first] : []));
    else if (first === undefined) plan.create.push(sliceOf(endpoints, group, undefined));
    else if (changes.added + changes.removed + changes.updated > 0 || !hasMetadataOf(first, endpoints)) plan.update.push(sliceOf(endpoints, group, first));
  }
  for (const slices of byGroup.values()) plan.remove.push(...slices);
  figures.slices = existing.length + plan.create.length - plan.remove.length;
  reuseRemoved(plan);
  return { ...plan, figures };
}

function groupKey(addressType: AddressType, ports: readonly EndpointPort[] | undefined): string {
  return `${addressType}-${portsKey(ports)}`;
}

function groupsOf({ subsets = [] }: StoredEndpoints): Map<string, Group> {
  const groups = new Map<string, Group>();
  for (const { addresses = [], notReadyAddresses = [], ports: declared = [] } of repackSubsets(subsets)) {
    const ports = declared.map(
      ({ name, port, protocol, appProtocol }) => ({ name: name ?? '', port, protocol, ...(appProtocol && { appProtocol }) }) as EndpointPort,
    );
    const all = [...addresses.map((address) => ({ address, ready: true })), ...notReadyAddresses.map((address) => ({ address, ready: false }))];
    for (const { address, ready } of all.slice(0, maxPerSubset)) {
      const parsed = parseIpSloppy(address.ip ?? '');
      if (parsed === undefined) continue;
      const addressType = addressTypeOf(parsed);
      const key = groupKey(addressType, ports);
      const group = groups.get(key) ?? { addressType, ports, endpoints: new Map<string, Endpoint>() };
      groups.set(key, group);
      const endpoint = endpointFrom(address, formatIp(parsed), ready);
      group.endpoints.set(endpointKey(endpoint), endpoint);
    }
  }
  return groups;
}

function endpointFrom({ hostname, nodeName, targetRef }: EndpointAddress, ip: string, ready: boolean): Endpoint {
  return {
    addresses: [ip],
    conditions: { ready },
    ...(hostname && { hostname }),
    ...(targetRef && { targetRef }),
    ...(nodeName !== undefined && { nodeName }),
  } as Endpoint;
}

function metadataOf({ metadata }: StoredEndpoints): { labels: Record<string, string>; annotations: Record<string, string> } {
  const own = { [serviceNameLabel]: metadata.name ?? '', [managedByLabel]: mirrorName };
  return { labels: { ...metadata.labels, ...own }, annotations: without(without(metadata.annotations, triggerTimeAnnotation), lastAppliedAnnotation) };
}

function sliceOf(endpoints: StoredEndpoints, { addressType, ports, endpoints: wanted }: Group, stored: StoredSlice | undefined): StoredSlice {
  const { namespace, name = '' } = endpoints.metadata;
  const ownerReferences = [controllerReference('Endpoints', endpoints.metadata)];
  const identity = stored ? { name: stored.metadata.name, resourceVersion: stored.metadata.resourceVersion } : { generateName: namePrefix(name) };
  const metadata = { ...identity, namespace, ...metadataOf(endpoints), ownerReferences };
  return { kind: 'EndpointSlice', metadata, addressType, ports, endpoints: [...wanted.values()] } as unknown as StoredSlice;
}

function changesOf(slice: StoredSlice | undefined, { endpoints: wanted }: Group): Pick<SliceFigures, 'added' | 'removed' | 'updated'> {
  const known = slice?.endpoints ?? [];
  const found = known.map((endpoint) => [endpoint, wanted.get(endpointKey(endpoint))] as const);
  const kept = found.filter(([, now]) => now !== undefined);
  const updated = kept.filter(([endpoint, now]) => now !== undefined && !isSameEndpoint(now, endpoint)).length;
  return { added: wanted.size - kept.length, removed: known.length - kept.length, updated };
}

function hasMetadataOf(slice: StoredSlice, endpoints: StoredEndpoints): boolean {
  const sorted = (record: Readonly<Record<string, string>> = {}) => JSON.stringify(Object.entries(record).sort());
  const { labels, annotations } = metadataOf(endpoints);
  return (
    sorted(slice.metadata.labels) === sorted(labels) &&
    sorted(slice.metadata.annotations) === sorted(annotations) &&
    slice.metadata.ownerReferences?.every(({ kind, uid }) => kind !== 'Endpoints' || uid === endpoints.metadata.uid) !== false
  );
}
