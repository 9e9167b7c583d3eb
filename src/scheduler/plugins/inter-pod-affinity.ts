// Which neighbours pods want and which they do not want, in both directions: what the pod says of those that are there, and they of it.
import type { Labels } from '#api/label-match.ts';
import { everyLabel } from '#api/label-selector.ts';
import { maxScore, type NodeFilter, type NodeScorer, type Plugin, rejecter } from '#scheduler/framework.ts';
import { type AffinityTerm, allTermsMatch, termMatches, type WeightedTerm } from '#scheduler/cluster/affinity-terms.ts';
import type { ClusterState } from '#scheduler/cluster/cluster-state.ts';
import type { NodeInfo } from '#scheduler/cluster/node-info.ts';
import type { PodFacts } from '#scheduler/cluster/pod-facts.ts';
import { TopologyCounts } from '#scheduler/cluster/topology-counts.ts';
import { hadPlace, nodeHint, type NodeEvent, type PodEvent, podHint } from '#scheduler/queue/hints.ts';

const name = 'InterPodAffinity';
const reject = rejecter(name);
const lonely = reject.final("node(s) didn't match pod affinity rules");
const crowded = reject.resolvable("node(s) didn't match pod anti-affinity rules");
const unwelcome = reject.resolvable("node(s) didn't satisfy existing pods anti-affinity rules");

/** What a required term of a pod that is there counts in the score of one that it wants. */
const hardWeight = 1;

export function interPodAffinity(): Plugin {
  return {
    name,
    weight: 2,
    filter: (pod, cluster) => {
      const counts = countNeighbours(pod, cluster);
      const { required, requiredAnti } = pod.affinity;
      return counts.unwelcome.isEmpty && required.length === 0 && requiredAnti.length === 0 ? undefined : neighbourFilter(pod, cluster, counts);
    },
    score: scoreNeighbours,
    hints: [podHint(['Add', 'UpdateLabel', 'Delete'], isWorthAfterPod), nodeHint(['Add', 'UpdateLabel'], isWorthAfterNode)],
  };
}

interface Neighbours {
  /** Pods that the pod must be near to. */
  readonly wanted: TopologyCounts;
  /** Pods that it must not be near to. */
  readonly unwanted: TopologyCounts;
  /** Pods that must not have it near. */
  readonly unwelcome: TopologyCounts;
}

/** Namespaces that a selector of them selects now count as named. What else the selector says stays, as in the original. */
function withNamespaces<T extends AffinityTerm>(terms: readonly T[], { namespaces }: ClusterState): readonly T[] {
  return terms.map((term) => {
    if (term.namespaceSelector === everyLabel) return term;
    const selected = [...namespaces].filter(([, labels]) => term.namespaceSelector.matches(labels)).map(([namespace]) => namespace);
    return selected.length === 0 ? term : { ...term, namespaces: new Set([...term.namespaces, ...selected]) };
  });
}

interface OwnTerms {
  readonly required: readonly AffinityTerm[];
  readonly requiredAnti: readonly AffinityTerm[];
  readonly namespaceLabels: Labels | undefined;
}

function ownTerms(pod: PodFacts, cluster: ClusterState): OwnTerms {
  return {
    required: withNamespaces(pod.affinity.required, cluster),
    requiredAnti: withNamespaces(pod.affinity.requiredAnti, cluster),
    namespaceLabels: cluster.namespaces.get(pod.namespace),
  };
}

function countNeighbours(pod: PodFacts, cluster: ClusterState): Neighbours {
  const counts: Neighbours = { wanted: new TopologyCounts(), unwanted: new TopologyCounts(), unwelcome: new TopologyCounts() };
  const own = ownTerms(pod, cluster);
  for (const node of cluster.nodesWithRequiredAnti) {
    if (node.node !== undefined) for (const other of node.withRequiredAnti.values()) countUnwelcome(counts, pod, own, other, node, 1);
  }
  if (own.required.length === 0 && own.requiredAnti.length === 0) return counts;
  for (const node of cluster.nodes) for (const other of node.pods.values()) countOwn(counts, own, other, node, 1);
  return counts;
}

function countUnwelcome({ unwelcome: counts }: Neighbours, pod: PodFacts, own: OwnTerms, other: PodFacts, { labels }: NodeInfo, by: 1 | -1): void {
  for (const term of other.affinity.requiredAnti) if (termMatches(term, pod, own.namespaceLabels)) counts.add(labels, term.topologyKey, by);
}

function countOwn({ wanted, unwanted }: Neighbours, { required, requiredAnti }: OwnTerms, other: PodFacts, { labels }: NodeInfo, by: 1 | -1): void {
  if (allTermsMatch(required, other)) for (const { topologyKey } of required) wanted.add(labels, topologyKey, by);
  for (const term of requiredAnti) if (termMatches(term, other, undefined)) unwanted.add(labels, term.topologyKey, by);
}

function neighbourFilter(pod: PodFacts, cluster: ClusterState, counts: Neighbours): NodeFilter {
  const own = ownTerms(pod, cluster);
  const count = (other: PodFacts, node: NodeInfo, by: 1 | -1) => {
    countUnwelcome(counts, pod, own, other, node, by);
    countOwn(counts, own, other, node, by);
  };
  return {
    check: ({ labels }) => {
      if (!isNearWanted(pod, own, counts, labels)) return lonely;
      if (own.requiredAnti.some(({ topologyKey }) => counts.unwanted.at(labels, topologyKey) > 0)) return crowded;
      for (const key of counts.unwelcome.keys) if (counts.unwelcome.at(labels, key) > 0) return unwelcome;
      return undefined;
    },
    copy: () => neighbourFilter(pod, cluster, { wanted: counts.wanted.copy(), unwanted: counts.unwanted.copy(), unwelcome: counts.unwelcome.copy() }),
    addPod: (other, node) => count(other, node, 1),
    removePod: (other, node) => count(other, node, -1),
  };
}

/** The first pod of a group that wants to be together finds nobody, and may go anywhere. */
function isNearWanted(pod: PodFacts, { required }: OwnTerms, { wanted }: Neighbours, labels: Labels): boolean {
  if (!required.every(({ topologyKey }) => Object.hasOwn(labels, topologyKey))) return false;
  if (required.every(({ topologyKey }) => wanted.at(labels, topologyKey) > 0)) return true;
  return wanted.isEmpty && allTermsMatch(required, pod);
}

function scoreNeighbours(pod: PodFacts, _: readonly NodeInfo[], cluster: ClusterState): NodeScorer | undefined {
  const { preferred, preferredAnti } = pod.affinity;
  const hasWishes = preferred.length > 0 || preferredAnti.length > 0;
  const scores = new TopologyCounts();
  const wishes = { preferred: withNamespaces(preferred, cluster), preferredAnti: withNamespaces(preferredAnti, cluster) };
  const namespaceLabels = cluster.namespaces.get(pod.namespace);
  for (const node of hasWishes ? cluster.nodes : cluster.nodesWithAffinity) {
    if (node.node === undefined) continue;
    for (const other of (hasWishes ? node.pods : node.withAffinity).values()) {
      addWishes(scores, wishes, other, undefined, node);
      addWishes(scores, other.affinity, pod, namespaceLabels, node);
      for (const term of other.affinity.required) if (termMatches(term, pod, namespaceLabels)) scores.add(node.labels, term.topologyKey, hardWeight);
    }
  }
  if (scores.isEmpty) return undefined;
  const keys = [...scores.keys];
  return { score: ({ labels }) => keys.reduce((sum, key) => sum + scores.at(labels, key), 0), normalize: spreadOut };
}

interface Wishes {
  readonly preferred: readonly WeightedTerm[];
  readonly preferredAnti: readonly WeightedTerm[];
}

function addWishes(
  scores: TopologyCounts,
  { preferred, preferredAnti }: Wishes,
  about: PodFacts,
  namespaceLabels: Labels | undefined,
  { labels }: NodeInfo,
): void {
  for (const term of preferred) if (termMatches(term, about, namespaceLabels)) scores.add(labels, term.topologyKey, term.weight);
  for (const term of preferredAnti) if (termMatches(term, about, namespaceLabels)) scores.add(labels, term.topologyKey, -term.weight);
}

/** The smallest becomes 0, the largest 100. */
function spreadOut(scores: number[]): void {
  const smallest = Math.min(...scores);
  const range = Math.max(...scores) - smallest;
  for (let index = 0; index < scores.length; index++) {
    scores[index] = range > 0 ? Math.trunc(maxScore * (((scores[index] ?? 0) - smallest) / range)) : 0;
  }
}

function isWorthAfterPod(pod: PodFacts, { before, after }: PodEvent): boolean {
  if (before !== undefined && after !== undefined && after.uid === pod.uid) return true;
  if ((after !== undefined && !hadPlace(after)) || (before !== undefined && !hadPlace(before))) return false;
  const { required, requiredAnti } = pod.affinity;
  const matches = (terms: readonly AffinityTerm[], other: PodFacts | undefined) => other !== undefined && allTermsMatch(terms, other);
  if (before !== undefined && after !== undefined) {
    return (!matches(required, before) && matches(required, after)) || (matches(requiredAnti, before) && !matches(requiredAnti, after));
  }
  if (after !== undefined) return matches(required, after);
  return matches(requiredAnti, before) || (before !== undefined && allTermsMatch(before.affinity.requiredAnti, pod));
}

/** A domain came into being, or a node changed from one to another. */
function isWorthAfterNode({ affinity }: PodFacts, { before, after }: NodeEvent): boolean {
  const was = (key: string) => before?.metadata.labels?.[key];
  const is = (key: string) => after?.metadata.labels?.[key];
  const wanted = affinity.required.some(({ topologyKey: key }) => is(key) !== undefined && is(key) !== was(key));
  if (wanted) return true;
  if (before === undefined) return affinity.requiredAnti.length > 0;
  return affinity.requiredAnti.some(({ topologyKey: key }) => was(key) !== undefined && is(key) !== was(key));
}
