// Which pods go first when there are too many: those that serve least. The rules of the original, in its order.
import type { PodView } from '#controllers/workloads/pod-view.ts';
import { isReady } from '#controllers/workloads/pod-view.ts';

const phases: Readonly<Record<string, number>> = { Pending: 0, Unknown: 1, Running: 2 };

type Rule = (a: PodView, b: PodView) => number;

/** `related`: all pods of the same application. A pod beside many of them on its node goes before one that stands alone. */
export function podsToDelete(pods: readonly PodView[], related: Iterable<PodView>, count: number, now: number): readonly PodView[] {
  if (count >= pods.length) return pods;
  const neighbours = new Map<string, number>();
  for (const { nodeName, phase, isDeleting } of related) {
    const isActiveHere = nodeName !== '' && !isDeleting && phase !== 'Succeeded' && phase !== 'Failed';
    if (isActiveHere) neighbours.set(nodeName, (neighbours.get(nodeName) ?? 0) + 1);
  }
  const rules: readonly Rule[] = [
    (a, b) => Number(a.nodeName !== '') - Number(b.nodeName !== ''),
    (a, b) => (phases[a.phase] ?? 0) - (phases[b.phase] ?? 0),
    (a, b) => Number(isReady(a)) - Number(isReady(b)),
    (a, b) => a.deletionCost - b.deletionCost,
    (a, b) => (neighbours.get(b.nodeName) ?? 0) - (neighbours.get(a.nodeName) ?? 0),
    (a, b) => (isReady(a) && isReady(b) ? youngerFirst(a, b, a.readySince ?? Number.NaN, b.readySince ?? Number.NaN, now) : 0),
    (a, b) => b.restarts - a.restarts || b.sidecarRestarts - a.sidecarRestarts,
    (a, b) => youngerFirst(a, b, a.created, b.created, now),
  ];
  return pods.toSorted((a, b) => firstDecision(rules, a, b)).slice(0, count);
}

function firstDecision(rules: readonly Rule[], a: PodView, b: PodView): number {
  for (const rule of rules) {
    const decided = rule(a, b);
    if (decided !== 0) return decided;
  }
  return 0;
}

/** Ages are compared by their magnitude alone, so that which pod goes is chance among those that have lived about as long. */
function youngerFirst(a: PodView, b: PodView, since: number, otherSince: number, now: number): number {
  if (since === otherSince || (Number.isNaN(since) && Number.isNaN(otherSince))) return 0;
  if (Number.isNaN(since) || Number.isNaN(otherSince)) return Number.isNaN(since) ? -1 : 1;
  return magnitude(now - since) - magnitude(now - otherSince) || (a.uid < b.uid ? -1 : 1);
}

/** The original counts in nanoseconds. */
function magnitude(ageMs: number): number {
  return ageMs > 0 ? Math.trunc(Math.log2(ageMs * 1e6)) : -1;
}
