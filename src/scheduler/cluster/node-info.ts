// A node and what stands on it: pods that were bound or are about to be, and the sums over them that filters and scores ask for.
import type { KubernetesObject } from '#api/object.ts';
import type { Labels } from '#api/label-match.ts';
import type { HostPort } from '#scheduler/cluster/host-ports.ts';
import type { PodFacts } from '#scheduler/cluster/pod-facts.ts';
import { addResources, copyResources, noResources, type ResourceList, type Resources, resourcesOf } from '#scheduler/cluster/resources.ts';
import type { Node, Taint } from '#kinds/core/v1/node/node.ts';

export type StoredNode = Node & KubernetesObject;

/** An image that nodes have: how large it is, and which nodes have it. */
export interface ImageState {
  readonly size: number;
  readonly nodes: Set<string>;
}

const noLabels: Labels = {};

export class NodeInfo {
  readonly name: string;
  /** Undefined: pods name a node that is gone, or not here yet. */
  node: StoredNode | undefined;
  labels: Labels = noLabels;
  taints: readonly Taint[] = [];
  allocatable: Resources = noResources();
  /** By name and tag. */
  images: ReadonlyMap<string, ImageState> = new Map();
  readonly pods = new Map<string, PodFacts>();
  /** Those of `pods` that name neighbours, and those that must not have some. */
  readonly withAffinity = new Map<string, PodFacts>();
  readonly withRequiredAnti = new Map<string, PodFacts>();
  requested: Resources = noResources();
  /** As scores count it: containers that ask for nothing count too. */
  requestedForScores: Resources = noResources();
  /** A set, as NodeInfo.UsedPorts is upstream: where several pods have a port, it is free once one of them is gone. */
  readonly #ports = new Map<string, HostPort>();
  /** Another one with every change; no two states of nodes have the same. */
  generation: object = {};

  constructor(name: string) {
    this.name = name;
  }

  setNode(node: StoredNode | undefined): void {
    this.node = node;
    this.labels = node?.metadata.labels ?? noLabels;
    this.taints = node?.spec?.taints ?? [];
    this.allocatable = resourcesOf(node?.status?.allocatable as ResourceList | undefined);
    this.generation = {};
  }

  addPod(pod: PodFacts): void {
    this.pods.set(pod.uid, pod);
    if (pod.affinity.any) this.withAffinity.set(pod.uid, pod);
    if (pod.affinity.requiredAnti.length > 0) this.withRequiredAnti.set(pod.uid, pod);
    for (const port of pod.hostPorts) this.#ports.set(keyOf(port), port);
    this.#count(pod, 1);
  }

  removePod(uid: string): PodFacts | undefined {
    const pod = this.pods.get(uid);
    if (pod === undefined) return undefined;
    this.pods.delete(uid);
    this.withAffinity.delete(uid);
    this.withRequiredAnti.delete(uid);
    for (const port of pod.hostPorts) this.#ports.delete(keyOf(port));
    this.#count(pod, -1);
    return pod;
  }

  usedPorts(): Iterable<HostPort> {
    return this.#ports.values();
  }

  /** To try out what would be without some pods, or with others. */
  copy(): NodeInfo {
    const copy = new NodeInfo(this.name);
    copy.node = this.node;
    copy.labels = this.labels;
    copy.taints = this.taints;
    copy.allocatable = this.allocatable;
    copy.images = this.images;
    copy.requested = copyResources(this.requested);
    copy.requestedForScores = copyResources(this.requestedForScores);
    for (const [uid, pod] of this.pods) copy.pods.set(uid, pod);
    for (const [uid, pod] of this.withAffinity) copy.withAffinity.set(uid, pod);
    for (const [uid, pod] of this.withRequiredAnti) copy.withRequiredAnti.set(uid, pod);
    for (const [key, port] of this.#ports) copy.#ports.set(key, port);
    return copy;
  }

  #count(pod: PodFacts, sign: 1 | -1): void {
    addResources(this.requested, pod.counted, sign);
    this.requestedForScores.cpu += sign * pod.countedForScores.cpu;
    this.requestedForScores.memory += sign * pod.countedForScores.memory;
    this.generation = {};
  }
}

function keyOf({ ip, port }: HostPort): string {
  return `${ip} ${port}`;
}
