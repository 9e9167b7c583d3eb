// How many replicas each ReplicaSet of a Deployment should have next: when the Deployment was scaled, and while it is rolled out. Plans are
// lists of steps, in the order in which they are taken and told.
import { byAge, numberAnnotation } from '#controllers/workloads/deployment/revisions.ts';
import { desiredReplicas, isRollingUpdate, maxSurge, maxUnavailable, type StoredDeployment } from '#controllers/workloads/deployment/rollout-limits.ts';
import type { StoredReplicaSet } from '#controllers/workloads/replica-set-view.ts';

export interface Step {
  readonly set: StoredReplicaSet;
  readonly to: number;
}

export interface Revisions {
  readonly current: StoredReplicaSet | undefined;
  readonly old: readonly StoredReplicaSet[];
}

export function replicasOf({ spec }: StoredReplicaSet): number {
  return spec.replicas ?? 0;
}

/** Pods beyond what the ReplicaSet should have are about to go, though its status still counts them. */
function availableOf(set: StoredReplicaSet): number {
  return Math.min(set.status.availableReplicas ?? 0, replicasOf(set));
}

function sum(sets: readonly StoredReplicaSet[], of: (set: StoredReplicaSet) => number): number {
  return sets.reduce((total, set) => total + of(set), 0);
}

export function allOf({ current, old }: Revisions): readonly StoredReplicaSet[] {
  return current ? [...old, current] : old;
}

function active(sets: readonly StoredReplicaSet[]): readonly StoredReplicaSet[] {
  return sets.filter((set) => replicasOf(set) > 0);
}

/** True: the Deployment was scaled since its ReplicaSets were. */
export function wasScaled(deployment: StoredDeployment, revisions: Revisions): boolean {
  const desired = desiredReplicas(deployment);
  return active(allOf(revisions)).some((set) => (numberAnnotation(set, 'desired') ?? desired) !== desired);
}

/** After the Deployment was scaled, or while it is paused. */
export function planScale(deployment: StoredDeployment, revisions: Revisions): readonly Step[] {
  const { current, old } = revisions;
  const desired = desiredReplicas(deployment);
  const only = activeOrLatest(revisions);
  if (only) return replicasOf(only) === desired ? [] : [{ set: only, to: desired }];
  if (current && isSaturated(deployment, current)) return active(old).map((set) => ({ set, to: 0 }));
  return isRollingUpdate(deployment) ? inProportion(deployment, active(allOf(revisions))) : [];
}

/** The one that has pods; the newest where none has. */
function activeOrLatest(revisions: Revisions): StoredReplicaSet | undefined {
  const having = active(allOf(revisions));
  if (having.length > 1) return undefined;
  return having[0] ?? revisions.current ?? revisions.old.toSorted(byAge).at(-1);
}

function isSaturated(deployment: StoredDeployment, set: StoredReplicaSet): boolean {
  const desired = desiredReplicas(deployment);
  return replicasOf(set) === desired && numberAnnotation(set, 'desired') === desired && availableOf(set) === desired;
}

/** In the middle of a rollout all revisions grow or shrink by their share, so that a bad one gets no more of the new pods than it has of the old. */
function inProportion(deployment: StoredDeployment, sets: readonly StoredReplicaSet[]): readonly Step[] {
  const desired = desiredReplicas(deployment);
  const toAdd = (desired > 0 ? desired + maxSurge(deployment) : 0) - sum(sets, replicasOf);
  const ordered = sets.toSorted((a, b) => replicasOf(b) - replicasOf(a) || (toAdd > 0 ? byAge(b, a) : byAge(a, b)));
  let added = 0;
  const sizes = ordered.map((set) => {
    const share = shareOf(deployment, set, toAdd, added);
    added += share;
    return replicasOf(set) + share;
  });
  // What rounding left over goes to the largest.
  if (toAdd !== 0 && sizes[0] !== undefined) sizes[0] = Math.max(0, sizes[0] + toAdd - added);
  return ordered.map((set, index) => ({ set, to: sizes[index] ?? 0 }));
}

function shareOf(deployment: StoredDeployment, set: StoredReplicaSet, toAdd: number, added: number): number {
  if (toAdd === 0 || toAdd === added) return 0;
  const fraction = fractionOf(deployment, set);
  return toAdd > 0 ? Math.min(fraction, toAdd - added) : Math.max(fraction, toAdd - added);
}

function fractionOf(deployment: StoredDeployment, set: StoredReplicaSet): number {
  const desired = desiredReplicas(deployment);
  if (desired === 0) return -replicasOf(set);
  const maxBefore = numberAnnotation(set, 'max') || (deployment.status.replicas ?? 0);
  if (maxBefore === 0) return 0;
  return Math.round((replicasOf(set) * (desired + maxSurge(deployment))) / maxBefore) - replicasOf(set);
}

/** How large a revision of `ofCurrent` replicas may be next, when all revisions together have `present`. */
export function nextSize(deployment: StoredDeployment, present: number, ofCurrent: number): number {
  const desired = desiredReplicas(deployment);
  if (!isRollingUpdate(deployment)) return desired;
  const room = desired + maxSurge(deployment) - present;
  return room <= 0 ? ofCurrent : ofCurrent + Math.min(room, desired - ofCurrent);
}

/** The next step of a rolling update: the new revision grows as far as it may, otherwise old ones shrink as far as they may. */
export function planRollingUpdate(deployment: StoredDeployment, { current, old }: Revisions & { readonly current: StoredReplicaSet }): readonly Step[] {
  const desired = desiredReplicas(deployment);
  const size = replicasOf(current);
  if (size > desired) return [{ set: current, to: desired }];
  const grown = size === desired ? size : nextSize(deployment, sum([...old, current], replicasOf), size);
  if (grown !== size) return [{ set: current, to: grown }];
  return planShrinking(deployment, current, active(old));
}

function planShrinking(deployment: StoredDeployment, current: StoredReplicaSet, old: readonly StoredReplicaSet[]): readonly Step[] {
  const all = [...old, current];
  const minAvailable = desiredReplicas(deployment) - maxUnavailable(deployment);
  const removable = sum(all, replicasOf) - minAvailable - (replicasOf(current) - availableOf(current));
  if (old.length === 0 || removable <= 0) return [];
  const ordered = old.toSorted(byAge);
  const sizes = new Map(ordered.map((set) => [set, replicasOf(set)]));
  // Pods that do not serve go first: nothing is lost with them.
  const unhealthy = shrink(ordered, sizes, removable, (set, size) => size - availableOf(set));
  const healthy = shrink(ordered, sizes, sum(all, availableOf) - minAvailable, (_, size) => size);
  return [...unhealthy, ...healthy];
}

function shrink(
  sets: readonly StoredReplicaSet[],
  sizes: Map<StoredReplicaSet, number>,
  most: number,
  removable: (set: StoredReplicaSet, size: number) => number,
): readonly Step[] {
  const steps: Step[] = [];
  let left = most;
  for (const set of sets) {
    const size = sizes.get(set) ?? 0;
    const less = Math.min(left, removable(set, size));
    if (size === 0 || less <= 0) continue;
    sizes.set(set, size - less);
    steps.push({ set, to: size - less });
    left -= less;
  }
  return steps;
}
