// Which pods belong together when a pod does not say how it wants to be spread: those of its Services and of the workload that made it.
import { type LabelSelector, labelSelectorFrom, labelSelectorOf, type LabelSelectorObject, noLabel } from '#api/label-selector.ts';
import type { LabelRequirement, Labels } from '#api/label-match.ts';
import type { KubernetesObject } from '#api/object.ts';
import { mirror, type Source, type Sources } from '#api/source.ts';
import { pathOf } from '#base/json-scan.ts';
import { kinds } from '#client/kinds.ts';
import type { ResourceAddress } from '#client/rest-client.ts';
import type { PodFacts } from '#scheduler/cluster/pod-facts.ts';
import type { Service } from '#kinds/core/v1/service/service.ts';

type StoredService = Service & KubernetesObject;

const replicationControllers: ResourceAddress = { group: '', version: 'v1', resource: 'replicationcontrollers', namespaced: true };
const selectorPath = pathOf('spec.selector');
/** Selectors of workloads that never change, by uid. */
const mostKept = 1_000;
const none: Labels = {};

export class WorkloadSelectors {
  readonly #services = new Map<string, Map<string, Labels>>();
  readonly #kept = new Map<string, LabelSelector>();
  readonly #sources: Readonly<Record<string, Source>>;
  readonly #ofServices: Source<StoredService>;

  constructor(sources: Sources) {
    this.#ofServices = sources.of<StoredService>(kinds.services);
    this.#sources = {
      'apps/v1/ReplicaSet': sources.of(kinds.replicaSets),
      'apps/v1/StatefulSet': sources.of(kinds.statefulSets),
      'v1/ReplicationController': sources.of(replicationControllers),
    };
  }

  async follow(signal: AbortSignal): Promise<void> {
    const services = mirror<StoredService>({
      put: ({ metadata: { namespace = '', name = '' }, spec }) => this.#put(namespace, name, spec?.selector),
      drop: (namespace, name) => this.#put(namespace, name, undefined),
    });
    const ignore = { begin: () => {}, change: () => {} };
    await Promise.all([this.#ofServices.follow(services, signal), ...Object.values(this.#sources).map((source) => source.follow(ignore, signal))]);
  }

  /** Without requirements where nothing claims the pod. */
  of(pod: PodFacts): LabelSelector {
    const fromServices = this.#servicesOf(pod);
    const owner = pod.pod.metadata.ownerReferences?.find(({ controller }) => controller === true);
    const source = owner && this.#sources[`${owner.apiVersion}/${owner.kind}`];
    if (owner === undefined || source === undefined) return equalTo(fromServices);
    if (owner.kind === 'ReplicationController') {
      return equalTo({ ...fromServices, ...(source.get(pod.namespace, owner.name)?.valueAt(selectorPath) as Labels | undefined) });
    }
    const ofOwner = this.#kept.get(owner.uid) ?? this.#read(source, pod.namespace, owner.name, owner.uid);
    // The same one for all pods of the owner: its text is made once.
    if (fromServices === none && ofOwner !== noLabel) return ofOwner;
    return labelSelectorOf([...equal(fromServices), ...ofOwner.requirements]);
  }

  #put(namespace: string, name: string, selector: Labels | undefined): void {
    const ofNamespace = this.#services.get(namespace) ?? new Map<string, Labels>();
    this.#services.set(namespace, ofNamespace);
    if (selector === undefined) ofNamespace.delete(name);
    else ofNamespace.set(name, selector);
    if (ofNamespace.size === 0) this.#services.delete(namespace);
  }

  #servicesOf({ namespace, labels }: PodFacts): Labels {
    const services = this.#services.get(namespace);
    if (services === undefined) return none;
    const all: Record<string, string> = {};
    for (const selector of services.values()) {
      if (Object.entries(selector).every(([key, value]) => labels[key] === value)) Object.assign(all, selector);
    }
    return all;
  }

  #read(source: Source, namespace: string, name: string, uid: string): LabelSelector {
    const item = source.get(namespace, name);
    if (item === undefined) return labelSelectorOf([]);
    const selector = labelSelectorFrom(item.valueAt(selectorPath) as LabelSelectorObject | undefined);
    if (selector !== noLabel) this.#kept.set(uid, selector);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > mostKept && oldest !== undefined) this.#kept.delete(oldest);
    return selector;
  }
}

function equalTo(labels: Labels): LabelSelector {
  return labelSelectorOf(equal(labels));
}

function equal(labels: Labels): LabelRequirement[] {
  return Object.entries(labels).map(([key, value]) => ({ key, operator: '=', values: [value] }));
}
