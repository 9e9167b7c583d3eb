// All filters for one pod: each plugin is asked once, then nodes are judged one by one, first rejection wins. Pods that were nominated for a
// node and are as important count as if they were there.
import type { ClusterState } from '#scheduler/cluster/cluster-state.ts';
import type { NodeInfo } from '#scheduler/cluster/node-info.ts';
import type { PodFacts } from '#scheduler/cluster/pod-facts.ts';
import { currentVerdict, type LocalVerdict } from '#scheduler/cycle/local-verdicts.ts';
import { isRejection, type NodeFilter, type Plugin, type Rejection, type Trials } from '#scheduler/framework.ts';
import type { Nominations } from '#scheduler/queue/nominations.ts';

export class NodeChecks implements Trials {
  /** By plugin, those that were asked; undefined: it had nothing to say. */
  readonly filters = new Map<string, NodeFilter | undefined>();
  /** A plugin rejected the pod before any node was looked at. */
  readonly ofAll: Rejection | undefined;
  /** The nodes that plugins named, if one did, and which did. */
  readonly onlyNodes: ReadonlySet<string> | undefined;
  readonly narrowedBy: readonly string[];
  readonly #pod: PodFacts;
  readonly #nominations: Nominations;
  /** The first plugins, whose verdicts are kept, and all others. */
  readonly #local: NodeFilter[] = [];
  readonly #others: NodeFilter[] = [];

  constructor(pod: PodFacts, plugins: readonly Plugin[], cluster: ClusterState, nominations: Nominations) {
    this.#pod = pod;
    this.#nominations = nominations;
    const narrowedBy: string[] = [];
    let onlyNodes: ReadonlySet<string> | undefined;
    for (const { name, isLocal, filter } of plugins) {
      if (filter === undefined) continue;
      const verdict = filter(pod, cluster);
      if (verdict !== undefined && isRejection(verdict)) {
        this.ofAll = verdict;
        this.filters.set(name, undefined);
        break;
      }
      this.filters.set(name, verdict);
      if (verdict === undefined) continue;
      if (isLocal === true && this.#others.length === 0) this.#local.push(verdict);
      else this.#others.push(verdict);
      if (verdict.onlyNodes !== undefined) {
        narrowedBy.push(name);
        onlyNodes = onlyNodes === undefined ? verdict.onlyNodes : new Set([...onlyNodes].filter((node) => verdict.onlyNodes?.has(node)));
      }
    }
    this.onlyNodes = onlyNodes;
    this.narrowedBy = narrowedBy;
  }

  /** With `verdicts` of pods like this one. */
  check(node: NodeInfo, verdicts: Map<string, LocalVerdict>): Rejection | undefined {
    const added = this.#nominatedOn(node);
    if (added.length > 0) return this.#checkWith(node, this.#all(), added);
    const local = currentVerdict(verdicts, node, () => firstRejection(this.#local, node)).rejection;
    return local ?? firstRejection(this.#others, node);
  }

  /** Of a node as it might be, with filters that have been told of it. */
  tryOut(node: NodeInfo, filters: readonly NodeFilter[]): Rejection | undefined {
    return this.#checkWith(node, filters, this.#nominatedOn(node));
  }

  copies(): NodeFilter[] {
    return this.#all().map((filter) => filter.copy?.() ?? filter);
  }

  /** It must fit with the nominated pods, and without them: others may want them near. */
  #checkWith(node: NodeInfo, filters: readonly NodeFilter[], added: readonly PodFacts[]): Rejection | undefined {
    if (added.length > 0) {
      const full = node.copy();
      const told = filters.map((filter) => filter.copy?.() ?? filter);
      for (const pod of added) addPod(pod, full, told);
      const rejection = firstRejection(told, full);
      if (rejection !== undefined) return rejection;
    }
    return firstRejection(filters, node);
  }

  #all(): readonly NodeFilter[] {
    return [...this.#local, ...this.#others];
  }

  #nominatedOn({ name }: NodeInfo): readonly PodFacts[] {
    if (this.#nominations.isEmpty) return nobody;
    return [...this.#nominations.on(name)].filter(({ priority, uid }) => priority >= this.#pod.priority && uid !== this.#pod.uid);
  }
}

const nobody: readonly PodFacts[] = [];

export function addPod(pod: PodFacts, node: NodeInfo, filters: readonly NodeFilter[]): void {
  node.addPod(pod);
  for (const filter of filters) filter.addPod?.(pod, node);
}

export function removePod(pod: PodFacts, node: NodeInfo, filters: readonly NodeFilter[]): void {
  node.removePod(pod.uid);
  for (const filter of filters) filter.removePod?.(pod, node);
}

function firstRejection(filters: readonly NodeFilter[], node: NodeInfo): Rejection | undefined {
  for (const filter of filters) {
    const rejection = filter.check(node);
    if (rejection !== undefined) return rejection;
  }
  return undefined;
}
