// How many pods of a namespace a selector selects on each node. Spreading asks this for every pod of a workload; the counts are kept in step
// with the pods instead of being taken again.
import type { LabelSelector } from '#api/label-selector.ts';
import type { NodeInfo } from '#scheduler/cluster/node-info.ts';
import type { PodFacts } from '#scheduler/cluster/pod-facts.ts';

/** By the name of the node; a node without such a pod is not in it. */
export type CountByNode = ReadonlyMap<string, number>;

interface Counted {
  readonly namespace: string;
  readonly selector: LabelSelector;
  readonly byNode: Map<string, number>;
}

/** Workloads that are placed at the same time; the one that was not asked for longest is forgotten. */
const mostKept = 64;

export class SelectedCounts {
  readonly #kept = new Map<string, Counted>();

  of(namespace: string, selector: LabelSelector, nodes: Iterable<NodeInfo>): CountByNode {
    const name = `${namespace}\n${selector.text}`;
    const counted = this.#kept.get(name) ?? count(namespace, selector, nodes);
    this.#kept.delete(name);
    this.#kept.set(name, counted);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > mostKept && oldest !== undefined) this.#kept.delete(oldest);
    return counted.byNode;
  }

  /** A pod came to a node (1) or left it (-1). */
  changed(node: string, pod: PodFacts, by: 1 | -1): void {
    for (const counted of this.#kept.values()) if (isCounted(pod, counted)) addTo(counted.byNode, node, by);
  }
}

function count(namespace: string, selector: LabelSelector, nodes: Iterable<NodeInfo>): Counted {
  const counted: Counted = { namespace, selector, byNode: new Map() };
  for (const node of nodes) {
    for (const pod of node.pods.values()) if (isCounted(pod, counted)) addTo(counted.byNode, node.name, 1);
  }
  return counted;
}

/** Pods that are on their way out do not count, as in the original. */
function isCounted(pod: PodFacts, { namespace, selector }: Counted): boolean {
  return pod.namespace === namespace && !pod.isBeingDeleted && selector.matches(pod.labels);
}

function addTo(byNode: Map<string, number>, node: string, by: 1 | -1): void {
  byNode.set(node, (byNode.get(node) ?? 0) + by);
}
