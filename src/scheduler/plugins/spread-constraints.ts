// How a pod wants to be spread, in one form for what it says itself and for what holds when it says nothing.
import { type LabelSelector, labelSelectorFrom, labelSelectorOf, type LabelSelectorObject, noLabel } from '#api/label-selector.ts';
import type { LabelRequirement, Labels } from '#api/label-match.ts';
import type { ClusterState } from '#scheduler/cluster/cluster-state.ts';
import type { NodeInfo } from '#scheduler/cluster/node-info.ts';
import type { PodFacts } from '#scheduler/cluster/pod-facts.ts';
import { untolerated } from '#scheduler/cluster/taints.ts';
import type { TopologySpreadConstraint } from '#kinds/core/v1/container/topology-spread-constraint.ts';

export interface Constraint {
  readonly maxSkew: number;
  readonly topologyKey: string;
  readonly selector: LabelSelector;
  readonly minDomains: number;
  /** Nodes that the pod's node affinity excludes do not count. */
  readonly honoursAffinity: boolean;
  /** Nor do those with taints that it does not tolerate. */
  readonly honoursTaints: boolean;
}

export interface SpreadConstraints {
  hard(pod: PodFacts): readonly Constraint[];
  soft(pod: PodFacts): { readonly soft: readonly Constraint[]; readonly isDefault: boolean };
}

const defaults = [
  { topologyKey: 'kubernetes.io/hostname', maxSkew: 3 },
  { topologyKey: 'topology.kubernetes.io/zone', maxSkew: 5 },
];

/** `workloadOf` says which pods belong together with one that says nothing. */
export function spreadConstraints(workloadOf: (pod: PodFacts) => LabelSelector): SpreadConstraints {
  const said = ({ pod, labels }: PodFacts, when: string) =>
    (pod.spec.topologySpreadConstraints ?? []).filter(({ whenUnsatisfiable }) => whenUnsatisfiable === when).map((one) => constraintOf(one, labels));
  return {
    // The defaults of the system only score.
    hard: (pod) => said(pod, 'DoNotSchedule'),
    soft: (pod) => {
      if ((pod.pod.spec.topologySpreadConstraints ?? []).length > 0) return { soft: said(pod, 'ScheduleAnyway'), isDefault: false };
      const selector = workloadOf(pod);
      if (selector.text === '') return { soft: [], isDefault: true };
      return { soft: defaults.map((one) => ({ ...one, selector, minDomains: 1, honoursAffinity: true, honoursTaints: false })), isDefault: true };
    },
  };
}

function constraintOf(said: TopologySpreadConstraint, podLabels: Labels): Constraint {
  const { maxSkew = 1, topologyKey = '', labelSelector, minDomains = 1, nodeAffinityPolicy = 'Honor', nodeTaintsPolicy = 'Ignore', matchLabelKeys = [] } = said;
  const selector = labelSelectorFrom(labelSelector as LabelSelectorObject | undefined);
  return {
    maxSkew,
    topologyKey,
    selector: withLabelsOf(selector, podLabels, matchLabelKeys),
    minDomains,
    honoursAffinity: nodeAffinityPolicy === 'Honor',
    honoursTaints: nodeTaintsPolicy === 'Honor',
  };
}

function withLabelsOf(selector: LabelSelector, labels: Labels, keys: readonly string[]): LabelSelector {
  const own: LabelRequirement[] = keys.flatMap((key) => (Object.hasOwn(labels, key) ? [{ key, operator: '=' as const, values: [labels[key] ?? ''] }] : []));
  return own.length === 0 || selector === noLabel ? selector : labelSelectorOf([...own, ...selector.requirements]);
}

export function hasAllKeys({ labels }: Pick<NodeInfo, 'labels'>, constraints: readonly Constraint[]): boolean {
  return constraints.every(({ topologyKey }) => Object.hasOwn(labels, topologyKey));
}

/** Does what stands on a node count? */
export function includes({ honoursAffinity, honoursTaints }: Constraint, pod: PodFacts, node: NodeInfo): boolean {
  if (honoursAffinity && !pod.suits(node)) return false;
  return !honoursTaints || untolerated(node.taints, pod.tolerations) === undefined;
}

/** A selector of everything counts nothing, as in the original. */
export function countSelected(pod: PodFacts, { selector }: Constraint, cluster: ClusterState): (node: NodeInfo) => number {
  if (selector.text === '') return () => 0;
  const counts = cluster.selectedPods(pod.namespace, selector);
  return ({ name }) => counts.get(name) ?? 0;
}
