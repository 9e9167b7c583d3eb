// The cluster as the scheduler sees it: every node with the pods on it, kept in step change by change. A pod counts on its node from the
// moment it is assumed there, before the server has heard of it, so that the next pod sees what is left.
import type { Labels } from '#api/label-match.ts';
import type { LabelSelector } from '#api/label-selector.ts';
import { type ImageState, NodeInfo, type StoredNode } from '#scheduler/cluster/node-info.ts';
import { NodeOrder } from '#scheduler/cluster/node-order.ts';
import type { PodFacts } from '#scheduler/cluster/pod-facts.ts';
import { type CountByNode, SelectedCounts } from '#scheduler/cluster/selected-counts.ts';

export class ClusterState {
  readonly #infos = new Map<string, NodeInfo>();
  readonly #order = new NodeOrder();
  readonly #nodeOfPod = new Map<string, string>();
  readonly #assumed = new Set<string>();
  readonly #images = new Map<string, { size: number; readonly nodes: Set<string> }>();
  readonly #withAffinity = new Set<NodeInfo>();
  readonly #withRequiredAnti = new Set<NodeInfo>();
  readonly #claimUses = new Map<string, number>();
  readonly #counts = new SelectedCounts();
  readonly #namespaces = new Map<string, Labels>();
  #nodes: readonly NodeInfo[] | undefined;
  /** Another one whenever a node came, went or changed itself; pods on it do not count. */
  nodesVersion = 0;

  /** All nodes that are there, in the order in which pods are offered to them. */
  get nodes(): readonly NodeInfo[] {
    this.#nodes ??= this.#order.names.flatMap((name) => this.#infos.get(name) ?? []);
    return this.#nodes;
  }

  get nodesWithAffinity(): Iterable<NodeInfo> {
    return this.#withAffinity;
  }

  get nodesWithRequiredAnti(): Iterable<NodeInfo> {
    return this.#withRequiredAnti;
  }

  get namespaces(): ReadonlyMap<string, Labels> {
    return this.#namespaces;
  }

  /** Undefined: it is not there. */
  node(name: string): NodeInfo | undefined {
    const info = this.#infos.get(name);
    return info?.node === undefined ? undefined : info;
  }

  putNode(node: StoredNode): void {
    const { name = '' } = node.metadata;
    const info = this.#info(name);
    this.#forgetImages(info);
    info.setNode(node);
    this.#learnImages(info, node);
    this.#order.add(node);
    this.#nodesChanged();
  }

  /** Pods may still name it. */
  dropNode(name: string): void {
    const info = this.#infos.get(name);
    if (info === undefined) return;
    this.#forgetImages(info);
    info.setNode(undefined);
    this.#order.remove(name);
    if (info.pods.size === 0) this.#infos.delete(name);
    this.#nodesChanged();
  }

  putNamespace(name: string, labels: Labels): void {
    this.#namespaces.set(name, labels);
  }

  dropNamespace(name: string): void {
    this.#namespaces.delete(name);
  }

  isAssumed(uid: string): boolean {
    return this.#assumed.has(uid);
  }

  pod(uid: string): PodFacts | undefined {
    return this.#infos.get(this.#nodeOfPod.get(uid) ?? '')?.pods.get(uid);
  }

  /** The server has not heard of it yet. */
  assume(pod: PodFacts): void {
    this.#put(pod);
    this.#assumed.add(pod.uid);
  }

  /** What the server says of a pod that has a node, also of one that was assumed there. */
  putPod(pod: PodFacts): void {
    this.#assumed.delete(pod.uid);
    this.#put(pod);
  }

  dropPod(uid: string): PodFacts | undefined {
    const info = this.#infos.get(this.#nodeOfPod.get(uid) ?? '');
    this.#assumed.delete(uid);
    this.#nodeOfPod.delete(uid);
    const pod = info?.removePod(uid);
    if (info === undefined || pod === undefined) return undefined;
    this.#counted(info, pod, -1);
    if (info.node === undefined && info.pods.size === 0) this.#infos.delete(info.name);
    return pod;
  }

  selectedPods(namespace: string, selector: LabelSelector): CountByNode {
    return this.#counts.of(namespace, selector, this.#infos.values());
  }

  /** Does a pod with a node use the claim (`namespace/name`)? */
  isClaimUsed(claim: string): boolean {
    return this.#claimUses.has(claim);
  }

  #info(name: string): NodeInfo {
    const info = this.#infos.get(name) ?? new NodeInfo(name);
    this.#infos.set(name, info);
    return info;
  }

  #put(pod: PodFacts): void {
    this.dropPod(pod.uid);
    const info = this.#info(pod.nodeName);
    info.addPod(pod);
    this.#nodeOfPod.set(pod.uid, pod.nodeName);
    this.#counted(info, pod, 1);
  }

  #counted(info: NodeInfo, pod: PodFacts, by: 1 | -1): void {
    this.#counts.changed(info.name, pod, by);
    keepMember(this.#withAffinity, info, info.withAffinity.size > 0);
    keepMember(this.#withRequiredAnti, info, info.withRequiredAnti.size > 0);
    for (const claim of pod.claims) this.#countClaim(`${pod.namespace}/${claim}`, by);
  }

  #countClaim(claim: string, by: 1 | -1): void {
    const uses = (this.#claimUses.get(claim) ?? 0) + by;
    if (uses > 0) this.#claimUses.set(claim, uses);
    else this.#claimUses.delete(claim);
  }

  #learnImages(info: NodeInfo, node: StoredNode): void {
    const images = new Map<string, ImageState>();
    for (const { names = [], sizeBytes = 0 } of node.status?.images ?? []) {
      for (const name of names) {
        const state = this.#images.get(name) ?? { size: Number(sizeBytes), nodes: new Set<string>() };
        this.#images.set(name, state);
        state.nodes.add(info.name);
        if (!images.has(name)) images.set(name, state);
      }
    }
    info.images = images;
  }

  #forgetImages(info: NodeInfo): void {
    for (const [name, { nodes }] of info.images) {
      nodes.delete(info.name);
      if (nodes.size === 0) this.#images.delete(name);
    }
    info.images = new Map();
  }

  #nodesChanged(): void {
    this.#nodes = undefined;
    this.nodesVersion++;
  }
}

function keepMember<T>(set: Set<T>, member: T, isMember: boolean): void {
  if (isMember) set.add(member);
  else set.delete(member);
}
