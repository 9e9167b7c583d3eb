// Keeps the Endpoints object of every Service with a selector: the older form of EndpointSlices, for clients that still read it.
import type { KubernetesObject } from '#api/object.ts';
import { type ChangeType, type Source, type SourceItem, sourceKey, splitKey } from '#api/source.ts';
import { messageOf } from '#base/message-of.ts';
import { CoreEventRecorder, regarding } from '#client/core-event-recorder.ts';
import { kinds } from '#client/kinds.ts';
import { type Controller, controller, keysOf, type KeySource, unlessGone } from '#controllers/controller.ts';
import { type EndpointsOptions, gatherMs, workers } from '#controllers/endpoints/endpoint-slice-controller.ts';
import { headlessLabel, triggerTimeAnnotation } from '#controllers/endpoints/endpoint-slices.ts';
import { repackSubsets, truncatedSubsets } from '#controllers/endpoints/endpoint-subsets.ts';
import { isHeadless } from '#controllers/endpoints/plan-service-slices.ts';
import { addressesOf, hasHostnameOf, isInEndpoints, isReady, portsOf, type StoredPod, type StoredService } from '#controllers/endpoints/pod-endpoint.ts';
import { hasManagedEndpoints, selects, servicesOfPods } from '#controllers/endpoints/services-of-pods.ts';
import { TriggerTimes } from '#controllers/endpoints/trigger-times.ts';
import { isNamespaceEnding } from '#controllers/namespace-ending.ts';
import type { EndpointAddress, Endpoints, EndpointSubset } from '#kinds/core/v1/service/endpoints.ts';

export type StoredEndpoints = Endpoints & KubernetesObject;

export const leaderAnnotation = 'control-plane.alpha.kubernetes.io/leader';
const managedBy = { 'endpoints.kubernetes.io/managed-by': 'endpoint-controller' };
const overCapacity = 'endpoints.kubernetes.io/over-capacity';

export function endpointsController(options: EndpointsOptions): Controller {
  const { client, sources } = options;
  const pods = sources.of<StoredPod>(kinds.pods);
  const services = sources.of<StoredService>(kinds.services);
  const endpoints = sources.of<StoredEndpoints>(kinds.endpoints);
  const times = new TriggerTimes();
  const events = new CoreEventRecorder({ ...options, component: 'endpoint-controller' });
  const reconcile = async (key: string) => {
    const { namespace, name } = splitKey(key);
    const service = services.get(namespace, name)?.object;
    const stored = endpoints.get(namespace, name)?.object;
    if (service === undefined) {
      times.forget(key);
      if (stored && stored.metadata.annotations?.[leaderAnnotation] === undefined) await unlessGone(client.delete(kinds.endpoints, namespace, name));
      return;
    }
    if (!hasManagedEndpoints(service)) return;
    const selected = pods.list(namespace).flatMap(({ object }) => (selects(service, object) ? [object] : []));
    const next = nextEndpoints(service, selected, stored, times.next(service, selected));
    if (next === undefined) return;
    try {
      await (stored ? client.update(kinds.endpoints, next) : client.create(kinds.endpoints, namespace, next));
    } catch (error) {
      if (!stored && isNamespaceEnding(error)) return;
      const [reason, verb, of] = stored ? ['FailedToUpdateEndpoint', 'update', ''] : ['FailedToCreateEndpoint', 'create', 'for service '];
      events.event(regarding(kinds.endpoints, next), 'Warning', reason, `Failed to ${verb} endpoint ${of}${namespace}/${name}: ${messageOf(error)}`);
      throw error;
    }
  };
  const all = [keysOf(services), servicesOfPods(pods, services), leftoversAndDeletions(endpoints)];
  return controller({ ...options, name: 'endpoints-controller', sources: all, reconcile, workers, gatherMs, retry: { firstMs: 5, maxMs: 1_000_000 } });
}

/**
 * Endpoints that lost their Service while no controller ran are found at the start, those of leader election never had one. Later only their
 * deletion is of interest: somebody may make Endpoints before the Service that they are for.
 */
function leftoversAndDeletions(endpoints: Source<StoredEndpoints>): KeySource {
  return async (enqueue, signal) => {
    let isStart = true;
    const begin = (all: readonly SourceItem<StoredEndpoints>[]) => {
      const leftovers = isStart ? all.filter(({ object }) => object.metadata.annotations?.[leaderAnnotation] === undefined) : [];
      isStart = false;
      for (const item of leftovers) enqueue(sourceKey(item));
    };
    const change = (type: ChangeType, item: SourceItem<StoredEndpoints>) => {
      if (type === 'DELETED') enqueue(sourceKey(item));
    };
    await endpoints.follow({ begin, change }, signal);
  };
}

/** Undefined: what is stored says that already. */
export function nextEndpoints(
  service: StoredService,
  pods: readonly StoredPod[],
  stored: StoredEndpoints | undefined,
  triggered: string | undefined,
): StoredEndpoints | undefined {
  const subsets = repackSubsets(pods.flatMap((pod) => subsetsOf(service, pod)));
  const truncated = truncatedSubsets(subsets);
  const labels = { ...without(service.metadata.labels, headlessLabel), ...(isHeadless(service) && { [headlessLabel]: '' }), ...managedBy };
  if (stored && isSame(stored, truncated ?? subsets, labels, truncated !== undefined)) return undefined;
  const annotations = {
    ...without(without(stored?.metadata.annotations, triggerTimeAnnotation), overCapacity),
    ...(triggered && { [triggerTimeAnnotation]: triggered }),
    ...(truncated && { [overCapacity]: 'truncated' }),
  };
  const { namespace, name } = service.metadata;
  const metadata = { ...(stored?.metadata ?? { namespace, name }), labels, annotations };
  return { ...stored, kind: 'Endpoints', metadata, subsets: truncated ?? subsets } as unknown as StoredEndpoints;
}

function subsetsOf(service: StoredService, pod: StoredPod): EndpointSubset[] {
  const { publishNotReadyAddresses = false, ports: servicePorts = [] } = service.spec ?? {};
  const address = isInEndpoints(pod, publishNotReadyAddresses) ? addressOf(service, pod) : undefined;
  if (address === undefined) return [];
  const of = publishNotReadyAddresses || isReady(pod) ? 'addresses' : 'notReadyAddresses';
  // A headless Service may have no ports at all.
  if (servicePorts.length === 0) return isHeadless(service) ? [{ [of]: [address] } as unknown as EndpointSubset] : [];
  return portsOf(service, pod).map((port) => ({ [of]: [address], ports: [port] }) as unknown as EndpointSubset);
}

function addressOf(service: StoredService, pod: StoredPod): EndpointAddress | undefined {
  const [family] = service.spec?.ipFamilies ?? [];
  const judged = isHeadless(service) ? pod.status?.podIP : service.spec?.clusterIP;
  const [ip] = addressesOf(pod, family === 'IPv6' || (family === undefined && judged?.includes(':')) ? 'IPv6' : 'IPv4');
  if (ip === undefined) return undefined;
  const { namespace, name, uid } = pod.metadata;
  const hostname = hasHostnameOf(service, pod) ? { hostname: pod.spec?.hostname } : {};
  return { ip, ...hostname, nodeName: pod.spec?.nodeName ?? '', targetRef: { kind: 'Pod', namespace, name, uid } } as EndpointAddress;
}

function isSame(stored: StoredEndpoints, subsets: readonly EndpointSubset[], labels: Readonly<Record<string, string>>, isTruncated: boolean): boolean {
  const sorted = (record: Readonly<Record<string, string>> = {}) => JSON.stringify(Object.entries(record).sort());
  return (
    JSON.stringify(comparable(repackSubsets(stored.subsets ?? []))) === JSON.stringify(comparable(subsets)) &&
    sorted(stored.metadata.labels) === sorted(labels) &&
    (stored.metadata.annotations?.[overCapacity] !== undefined) === isTruncated
  );
}

/** In one order of keys, whichever way the objects were made. */
function comparable(subsets: readonly EndpointSubset[]): unknown {
  const addresses = (list: readonly EndpointAddress[] = []) =>
    list.map(({ ip, hostname, nodeName, targetRef }) => [
      ip,
      hostname ?? '',
      nodeName ?? '',
      targetRef?.kind,
      targetRef?.namespace,
      targetRef?.name,
      targetRef?.uid,
    ]);
  return subsets.map(({ addresses: ready, notReadyAddresses, ports = [] }) => [
    addresses(ready),
    addresses(notReadyAddresses),
    ports.map(({ name, port, protocol, appProtocol }) => [name ?? '', port, protocol, appProtocol]),
  ]);
}

export function without(record: Readonly<Record<string, string>> | undefined, key: string): Record<string, string> {
  const { [key]: _, ...others } = record ?? {};
  return others;
}
