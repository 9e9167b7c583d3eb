import type { PodFacts } from '#scheduler/cluster/pod-facts.ts';
import { hasAllKeys, type Constraint, type SpreadConstraints } from '#scheduler/plugins/spread-constraints.ts';
import type { StoredNode } from '#scheduler/cluster/node-info.ts';
import { type Hint, hadPlace, nodeHint, type NodeEvent, type PodEvent, podHint } from '#scheduler/queue/hints.ts';

/** A pod that was too many in its domain may fit when one of its group comes, goes or changes, or a domain does. */
export function spreadHints(constraints: SpreadConstraints): readonly Hint[] {
  return [
    podHint(['Add', 'UpdateLabel', 'UpdateToleration', 'Delete'], (pod, event) => isWorthAfterPod(pod, event, constraints.hard(pod))),
    nodeHint(['Add', 'Delete', 'UpdateLabel', 'UpdateTaint'], (pod, event) => isWorthAfterNode(event, constraints.hard(pod))),
  ];
}

function isWorthAfterPod(pod: PodFacts, { before, after }: PodEvent, constraints: readonly Constraint[]): boolean {
  const concerns = (other: PodFacts | undefined) => other === undefined || other.uid === pod.uid || (hadPlace(other) && other.namespace === pod.namespace);
  if (!concerns(before) || !concerns(after)) return false;
  const isSelected = (other: PodFacts) => constraints.some(({ selector }) => selector.matches(other.labels));
  if (before === undefined || after === undefined) return isSelected((before ?? after) as PodFacts);
  const toleratesOthers = JSON.stringify(before.tolerations) !== JSON.stringify(after.tolerations);
  if (pod.uid === after.uid && toleratesOthers && constraints.some(({ honoursTaints }) => honoursTaints)) return true;
  return constraints.some(({ selector }) => selector.matches(before.labels) !== selector.matches(after.labels));
}

function isWorthAfterNode({ before, after }: NodeEvent, constraints: readonly Constraint[]): boolean {
  const isDomain = (node: StoredNode | undefined) => node !== undefined && hasAllKeys({ labels: node.metadata.labels ?? {} }, constraints);
  if (before === undefined || after === undefined) return isDomain(before ?? after);
  if (isDomain(before) !== isDomain(after)) return true;
  if (!isDomain(after)) return false;
  const isMoved = constraints.some(({ topologyKey: key }) => before.metadata.labels?.[key] !== after.metadata.labels?.[key]);
  return isMoved || JSON.stringify(before.spec?.taints) !== JSON.stringify(after.spec?.taints);
}
