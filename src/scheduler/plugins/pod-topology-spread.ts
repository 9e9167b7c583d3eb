// Pods of a group spread over the domains of the cluster: as required (no domain may have more than maxSkew above the least), or as well as
// can be. Pods that say nothing are spread over hosts and zones with those of their Services and workloads.
import { maxScore, type NodeFilter, type NodeScorer, type Plugin, rejecter } from '#scheduler/framework.ts';
import type { ClusterState } from '#scheduler/cluster/cluster-state.ts';
import type { NodeInfo } from '#scheduler/cluster/node-info.ts';
import type { PodFacts } from '#scheduler/cluster/pod-facts.ts';
import { type Constraint, countSelected, hasAllKeys, includes, type SpreadConstraints } from '#scheduler/plugins/spread-constraints.ts';
import { spreadHints } from '#scheduler/plugins/spread-hints.ts';

const name = 'PodTopologySpread';
const reject = rejecter(name);
const skewed = reject.resolvable("node(s) didn't match pod topology spread constraints");
const unlabelled = reject.final("node(s) didn't match pod topology spread constraints (missing required label)");

const hostname = 'kubernetes.io/hostname';

export function podTopologySpread(constraints: SpreadConstraints): Plugin {
  return {
    name,
    weight: 2,
    filter: (pod, cluster) => {
      const hard = constraints.hard(pod);
      return hard.length === 0 ? undefined : new SpreadFilter(pod, hard, domainCounts(pod, hard, cluster));
    },
    score: (pod, nodes, cluster) => {
      const { soft, isDefault } = constraints.soft(pod);
      return soft.length === 0 ? undefined : spreadScorer(pod, soft, isDefault, nodes, cluster);
    },
    hints: spreadHints(constraints),
  };
}

/** For each constraint: how many pods it is about each domain has. */
function domainCounts(pod: PodFacts, constraints: readonly Constraint[], cluster: ClusterState): Map<string, number>[] {
  return constraints.map((constraint) => {
    const counts = new Map<string, number>();
    const onNode = countSelected(pod, constraint, cluster);
    for (const node of cluster.nodes) {
      if (!hasAllKeys(node, constraints) || !includes(constraint, pod, node)) continue;
      const value = node.labels[constraint.topologyKey] ?? '';
      counts.set(value, (counts.get(value) ?? 0) + onNode(node));
    }
    return counts;
  });
}

class SpreadFilter implements NodeFilter {
  readonly #pod: PodFacts;
  readonly #constraints: readonly Constraint[];
  readonly #counts: readonly Map<string, number>[];
  /** The least that a domain has, by constraint; undefined: to be found again. */
  #least: (number | undefined)[] = [];

  constructor(pod: PodFacts, constraints: readonly Constraint[], counts: readonly Map<string, number>[]) {
    this.#pod = pod;
    this.#constraints = constraints;
    this.#counts = counts;
  }

  check(node: NodeInfo) {
    for (const [index, constraint] of this.#constraints.entries()) {
      const value = node.labels[constraint.topologyKey];
      if (value === undefined) return unlabelled;
      const own = constraint.selector.matches(this.#pod.labels) ? 1 : 0;
      const skew = (this.#counts[index]?.get(value) ?? 0) + own - this.#leastOf(index, constraint.minDomains);
      if (skew > constraint.maxSkew) return skewed;
    }
    return undefined;
  }

  copy(): NodeFilter {
    const counts = this.#counts.map((counted) => new Map(counted));
    return new SpreadFilter(this.#pod, this.#constraints, counts);
  }

  addPod(pod: PodFacts, node: NodeInfo): void {
    this.#count(pod, node, 1);
  }

  removePod(pod: PodFacts, node: NodeInfo): void {
    this.#count(pod, node, -1);
  }

  #leastOf(index: number, minDomains: number): number {
    const counts = this.#counts[index];
    if (counts === undefined || counts.size < minDomains) return 0;
    return (this.#least[index] ??= Math.min(...counts.values()));
  }

  #count(pod: PodFacts, node: NodeInfo, by: 1 | -1): void {
    if (pod.namespace !== this.#pod.namespace || !hasAllKeys(node, this.#constraints)) return;
    for (const [index, constraint] of this.#constraints.entries()) {
      if (!constraint.selector.matches(pod.labels) || !includes(constraint, this.#pod, node)) continue;
      const value = node.labels[constraint.topologyKey] ?? '';
      const counts = this.#counts[index];
      counts?.set(value, (counts.get(value) ?? 0) + by);
      this.#least[index] = undefined;
    }
  }
}

/** The fewer pods of the group a node's domains have, the better; domains count more the more of them there are. */
function spreadScorer(pod: PodFacts, soft: readonly Constraint[], isDefault: boolean, nodes: readonly NodeInfo[], cluster: ClusterState): NodeScorer {
  const takesPart = (node: NodeInfo) => isDefault || hasAllKeys(node, soft);
  const partaking = nodes.filter(takesPart);
  const parts = soft.map((constraint) => {
    const onNode = countSelected(pod, constraint, cluster);
    if (constraint.topologyKey === hostname) return { constraint, weight: Math.log(partaking.length + 2), count: onNode };
    const counts = new Map<string, number>(partaking.map(({ labels }) => [labels[constraint.topologyKey] ?? '', 0]));
    for (const node of cluster.nodes) {
      const value = node.labels[constraint.topologyKey] ?? '';
      const counted = counts.get(value);
      if (counted !== undefined && takesPart(node) && includes(constraint, pod, node)) counts.set(value, counted + onNode(node));
    }
    return { constraint, weight: Math.log(counts.size + 2), count: ({ labels }: NodeInfo) => counts.get(labels[constraint.topologyKey] ?? '') ?? 0 };
  });
  const score = (node: NodeInfo) => {
    if (!takesPart(node)) return 0;
    let sum = 0;
    for (const { constraint, weight, count } of parts) {
      if (Object.hasOwn(node.labels, constraint.topologyKey)) sum += count(node) * weight + (constraint.maxSkew - 1);
    }
    return Math.round(sum);
  };
  return { score, normalize: (scores, scored) => normalize(scores, scored, takesPart) };
}

/** Nodes outside of every domain get nothing. */
function normalize(scores: number[], nodes: readonly NodeInfo[], takesPart: (node: NodeInfo) => boolean): void {
  let least = Number.MAX_SAFE_INTEGER;
  let most = 0;
  const parts = nodes.map(takesPart);
  for (let index = 0; index < scores.length; index++) {
    if (!parts[index]) continue;
    const score = scores[index] as number;
    if (score < least) least = score;
    if (score > most) most = score;
  }
  for (let index = 0; index < scores.length; index++) {
    if (!parts[index]) scores[index] = 0;
    else scores[index] = most === 0 ? maxScore : Math.trunc((maxScore * (most + least - (scores[index] as number))) / most);
  }
}
