// Keeps the EndpointSlices of every Service with a selector in step with the pods that it selects.
import { type Source, type SourceItem, sourceKey, type Sources, splitKey } from '#api/source.ts';
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
import { type Hinting, hintTraffic, knownDistribution } from '#controllers/endpoints/slice-hints.ts';
import { type ServiceFacts, ServiceSliceMetrics } from '#controllers/endpoints/slice-metrics.ts';
import { type HintEvent, TopologyHints, wantsTopologyHints } from '#controllers/endpoints/topology-hints.ts';
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
  return new ServiceSlices(options).controller;
}

class ServiceSlices {
  readonly controller: Controller;
  readonly #client: RestClient;
  readonly #pods: Source<StoredPod>;
  readonly #services: Source<StoredService>;
  readonly #slices: Source<StoredSlice>;
  readonly #nodes: Source<StoredNode>;
  readonly #times = new TriggerTimes();
  readonly #topology = new TopologyHints();
  readonly #events: CoreEventRecorder;
  readonly #metrics: ServiceSliceMetrics;

  constructor(options: EndpointsOptions) {
    const { client, sources, metrics } = options;
    this.#client = client;
    this.#pods = sources.of<StoredPod>(kinds.pods);
    this.#services = sources.of<StoredService>(kinds.services);
    this.#slices = sources.of<StoredSlice>(kinds.endpointSlices);
    this.#nodes = sources.of<StoredNode>(kinds.nodes);
    this.#events = new CoreEventRecorder({ ...options, component: 'endpoint-slice-controller' });
    this.#metrics = new ServiceSliceMetrics(metrics.ofLoops);
    const all = [keysOf(this.#services), servicesOfPods(this.#pods, this.#services), keysOf(this.#slices, serviceOfSlice), this.#topology.follow(this.#nodes)];
    const reconcile = (key: string) => this.#look(key);
    this.controller = controller({ ...options, name: 'endpointslice-controller', sources: all, reconcile, workers, gatherMs, retry });
  }

  async #look(key: string): Promise<void> {
    const { namespace, name } = splitKey(key);
    const service = this.#services.get(namespace, name)?.object;
    if (service === undefined) return this.#forget(key);
    if (!hasManagedEndpoints(service)) return;
    try {
      await this.#keep(key, service);
      this.#metrics.ended('success');
    } catch (error) {
      this.#metrics.ended('error');
      const message = `Error updating Endpoint Slices for Service ${namespace}/${name}: ${messageOf(error)}`;
      this.#events.event(regarding(kinds.services, service), 'Warning', 'FailedToUpdateEndpointSlices', message);
      throw error;
    }
  }

  async #keep(key: string, service: StoredService): Promise<void> {
    const { namespace = '', name = '', deletionTimestamp } = service.metadata;
    const pods = this.#pods.list(namespace).flatMap(({ object }) => (selects(service, object) ? [object] : []));
    const slices = this.#slices
      .list(namespace)
      .flatMap(({ object }) => (isOwn(object, name) && object.metadata.deletionTimestamp === undefined ? [object] : []));
    const told: HintEvent[] = [];
    const hints = hintingOf(service, this.#topology, (event) => told.push(event));
    const nodeOf = (node: string) => this.#nodes.get('', node)?.object;
    const { withoutNode, figures, ...plan } = planServiceSlices({ service, pods, slices, nodeOf, maxPerSlice, hints });
    const facts = factsOf(service);
    this.#metrics.looked(key, figures, facts);
    const { onWritten } = this.#metrics.slices;
    const writing = { client: this.#client, namespace, ownerIsGoing: deletionTimestamp !== undefined, onWritten };
    try {
      await writeSlices(writing, withTrigger(plan, this.#times.next(service, pods)));
      this.#metrics.written(facts, plan.create.length + plan.update.length + plan.remove.length);
    } finally {
      for (const { type, reason, message } of told) this.#events.event(regarding(kinds.services, service), type, reason, message);
    }
    if (withoutNode.length > 0) throw new Error(`the nodes of these pods are not known: ${withoutNode.join(', ')}`);
  }

  #forget(key: string): void {
    this.#topology.forgetService(key);
    this.#metrics.forget(key);
    this.#times.forget(key);
  }
}

function serviceOfSlice({ namespace, object }: SourceItem<StoredSlice>): readonly string[] {
  const { labels } = object.metadata;
  return labels?.[managedByLabel] === sliceControllerName ? [sourceKey({ namespace, name: labels[serviceNameLabel] ?? '' })] : [];
}

function factsOf(service: StoredService): ServiceFacts {
  if (wantsTopologyHints(service)) return { topology: 'Auto', trafficDistribution: '' };
  return { topology: 'Disabled', trafficDistribution: knownDistribution(service) ?? '' };
}

function isOwn({ metadata }: StoredSlice, service: string): boolean {
  return metadata.labels?.[serviceNameLabel] === service && metadata.labels[managedByLabel] === sliceControllerName;
}

/** The annotation of the topology mode wins over `trafficDistribution`. */
function hintingOf(service: StoredService, topology: TopologyHints, tell: (event: HintEvent) => void): Hinting {
  return (addressType, slices) => {
    if (wantsTopologyHints(service)) return topology.hint(service, addressType, slices, tell);
    topology.forget(service, addressType, tell);
    return hintTraffic(service, slices);
  };
}

function withTrigger({ create, update, remove }: SlicePlan, time: string | undefined): SlicePlan {
  const stamp = (slice: StoredSlice): StoredSlice => {
    const { [triggerTimeAnnotation]: _, ...others } = slice.metadata.annotations ?? {};
    return { ...slice, metadata: { ...slice.metadata, annotations: time ? { ...others, [triggerTimeAnnotation]: time } : others } };
  };
  return { create: create.map(stamp), update: update.map(stamp), remove };
}
