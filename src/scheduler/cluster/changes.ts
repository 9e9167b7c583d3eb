// What a change of a pod or a node means to pods that did not fit.
import type { NodeInfo, StoredNode } from '#scheduler/cluster/node-info.ts';
import type { PodFacts } from '#scheduler/cluster/pod-facts.ts';
import type { NodeAction, NodeEvent, PodAction, PodEvent } from '#scheduler/queue/hints.ts';

export function podEvents(before: PodFacts, after: PodFacts): readonly PodEvent[] {
  const actions: PodAction[] = [];
  if (differ(before.labels, after.labels)) actions.push('UpdateLabel');
  if (!before.sharesSpecWith(after)) {
    if (hasScaledDown(before, after)) actions.push('UpdateScaleDown');
    if (gates(before) > 0 && gates(after) === 0) actions.push('UpdateGatesEliminated');
    if (before.tolerations.length !== after.tolerations.length) actions.push('UpdateToleration');
  }
  if (differ(before.deviceClaims, after.deviceClaims)) actions.push('UpdateGeneratedClaim');
  return (actions.length === 0 ? (['Update'] as const) : actions).map((action) => ({ of: 'Pod', action, before, after }));
}

function gates({ pod }: PodFacts): number {
  return pod.spec.schedulingGates?.length ?? 0;
}

function hasScaledDown({ counted: before }: PodFacts, { counted: after }: PodFacts): boolean {
  if (before === after) return false;
  if (before.cpu > after.cpu || before.memory > after.memory || before.storage > after.storage) return true;
  return [...before.scalars].some(([name, amount]) => amount > (after.scalars.get(name) ?? 0));
}

export function nodeEvents(before: StoredNode, after: StoredNode, info: NodeInfo | undefined): readonly NodeEvent[] {
  const actions: NodeAction[] = [];
  if (before.spec?.unschedulable === true && after.spec?.unschedulable !== true) actions.push('UpdateTaint');
  if (differ(before.status?.allocatable, after.status?.allocatable)) actions.push('UpdateAllocatable');
  if (differ(before.metadata.labels, after.metadata.labels)) actions.push('UpdateLabel');
  if (differ(before.spec?.taints, after.spec?.taints)) actions.push('UpdateTaint');
  if (differ(before.status?.declaredFeatures, after.status?.declaredFeatures)) actions.push('UpdateFeatures');
  return actions.map((action) => ({ of: 'Node', action, before, after, info }));
}

/** Does a node say something new to scheduling at all? Kubelets write their status every few minutes. */
export function isSameNode(before: StoredNode, after: StoredNode): boolean {
  return (
    nodeEvents(before, after, undefined).length === 0 &&
    before.spec?.unschedulable === after.spec?.unschedulable &&
    !differ(before.status?.images, after.status?.images)
  );
}

function differ(a: unknown, b: unknown): boolean {
  return a !== b && JSON.stringify(a ?? null) !== JSON.stringify(b ?? null);
}
