// Keeps the EndpointSlices of every Service with a selector in step with the pods that it selects.
import { type SourceItem, type Sources, splitKey } from '#api/source.ts';
import type { Clock } from '#base/clock.ts';
import { messageOf } from '#base/message-of.ts';
import { CoreEventRecorder, regarding } from '#client/core-event-recorder.ts';
import { kinds } from '#client/kinds.ts';
import type { RestClient } from '#client/rest-client.ts';
import { type Controller, controller, keysOf, type LoopParts } from '#controllers/controller.ts';
import { managedByLabel, serviceNameLabel, type SlicePlan, type StoredSlice, triggerTimeAnnotation } from '#controllers/endpoints/endpoint-slices.ts';
import { planServiceSlices, sliceControllerName } from '#controllers/endpoints/plan-service-slices.ts';
import type { StoredNode, StoredPod, StoredService } from '#controllers/endpoints/pod-endpoint.ts';
import { hasManagedEndpoints, selects, servicesOfPods } from '#controllers/endpoints/services-of-pods.ts';
import { TriggerTimes } from '#controllers/endpoints/trigger-times.ts';
import { writeSlices } from '#controllers/endpoints/write-slices.ts';

export interface EndpointsOptions extends LoopParts {
  readonly client: RestClient;
  readonly sources: Sources;
  readonly clock: Clock;
}

const maxPerSlice = 100;
/** Pods of a rollout change together: their Service is looked at once. */
export const gatherMs = 20;
export const workers = 5;
export const retry = { firstMs: 1_000, maxMs: 1_000_000 };

export function endpointSliceController(options: EndpointsOptions): Controller {
  const { client, sources } = options;
  const pods = sources.of<StoredPod>(kinds.pods);
  const services = sources.of<StoredService>(kinds.services);
  const slices = sources.of<StoredSlice>(kinds.endpointSlices);
  const nodes = sources.of<StoredNode>(kinds.nodes);
  const times = new TriggerTimes();
  const events = new CoreEventRecorder({ ...options, component: 'endpoint-slice-controller' });
  const reconcile = async (key: string) => {
    const { namespace, name } = splitKey(key);
    const service = services.get(namespace, name)?.object;
    if (service === undefined) return times.forget(key);
    if (!hasManagedEndpoints(service)) return;
    const selected = pods.list(namespace).flatMap(({ object }) => (selects(service, object) ? [object] : []));
    const own = slices.list(namespace).flatMap(({ object }) => (isOwn(object, name) && object.metadata.deletionTimestamp === undefined ? [object] : []));
    const { withoutNode, ...plan } = planServiceSlices({ service, pods: selected, slices: own, nodeOf: (node) => nodes.get('', node)?.object, maxPerSlice });
    try {
      await writeSlices(client, namespace, withTrigger(plan, times.next(service, selected)), service.metadata.deletionTimestamp !== undefined);
      if (withoutNode.length > 0) throw new Error(`the nodes of these pods are not known: ${withoutNode.join(', ')}`);
    } catch (error) {
      const message = `Error updating Endpoint Slices for Service ${namespace}/${name}: ${messageOf(error)}`;
      events.event(regarding(kinds.services, service), 'Warning', 'FailedToUpdateEndpointSlices', message);
      throw error;
    }
  };
  const serviceOfSlice = ({ namespace, object }: SourceItem<StoredSlice>) =>
    object.metadata.labels?.[managedByLabel] === sliceControllerName ? [`${namespace}/${object.metadata.labels[serviceNameLabel] ?? ''}`] : [];
  const all = [keysOf(services), servicesOfPods(pods, services), keysOf(slices, serviceOfSlice), knownOnly(nodes)];
  return controller({ ...options, name: 'endpointslice-controller', sources: all, reconcile, workers, gatherMs, retry });
}

function isOwn({ metadata }: StoredSlice, service: string): boolean {
  return metadata.labels?.[serviceNameLabel] === service && metadata.labels[managedByLabel] === sliceControllerName;
}

/** Nodes are read, and followed only so that they are known before the first Service is looked at. */
function knownOnly(nodes: Parameters<typeof keysOf<StoredNode>>[0]) {
  return keysOf(nodes, () => []);
}

function withTrigger({ create, update, remove }: SlicePlan, time: string | undefined): SlicePlan {
  const stamp = (slice: StoredSlice): StoredSlice => {
    const { [triggerTimeAnnotation]: _, ...others } = slice.metadata.annotations ?? {};
    return { ...slice, metadata: { ...slice.metadata, annotations: time ? { ...others, [triggerTimeAnnotation]: time } : others } };
  };
  return { create: create.map(stamp), update: update.map(stamp), remove };
}
