// Which pods would have to leave a node so that a more important one fits there: as few as can be, and of those that nobody guards first.
import type { LabelSelector } from '#api/label-selector.ts';
import type { NodeInfo } from '#scheduler/cluster/node-info.ts';
import type { PodFacts } from '#scheduler/cluster/pod-facts.ts';
import { addPod, removePod } from '#scheduler/cycle/node-checks.ts';
import { type Rejection, rejecter, type Trials } from '#scheduler/framework.ts';

/** A PodDisruptionBudget. */
export interface Budget {
  readonly namespace: string;
  readonly selector: LabelSelector;
  readonly allowed: number;
  /** Pods that were counted against it already. */
  readonly disrupted: ReadonlySet<string>;
}

export interface Candidate {
  readonly node: NodeInfo;
  /** The most important first. */
  readonly victims: readonly PodFacts[];
  /** How many of them a budget guards. */
  readonly violations: number;
}

const nobody = rejecter('DefaultPreemption').final('No preemption victims found for incoming pod');

export function selectVictims(pod: PodFacts, on: NodeInfo, checks: Trials, budgets: readonly Budget[], now: number): Candidate | Rejection {
  const node = on.copy();
  const filters = checks.copies();
  const potential = [...node.pods.values()].filter(({ priority }) => priority < pod.priority);
  if (potential.length === 0) return nobody;
  for (const victim of potential) removePod(victim, node, filters);
  const rejection = checks.tryOut(node, filters);
  if (rejection !== undefined) return rejection;
  const { guarded, others } = sortByBudgets(potential.toSorted(byImportance(now)), budgets);
  const victims: PodFacts[] = [];
  const mustLeave = (victim: PodFacts) => {
    addPod(victim, node, filters);
    if (checks.tryOut(node, filters) === undefined) return false;
    removePod(victim, node, filters);
    victims.push(victim);
    return true;
  };
  const violations = guarded.filter(mustLeave).length;
  for (const victim of others) mustLeave(victim);
  return { node: on, victims: victims.toSorted(byImportance(now)), violations };
}

/** The more important, or the one that has been there longer, first. */
export function byImportance(now: number): (a: PodFacts, b: PodFacts) => number {
  return (a, b) => (a.priority === b.priority ? startOf(a, now) - startOf(b, now) : b.priority - a.priority);
}

function startOf({ pod }: PodFacts, now: number): number {
  return pod.status?.startTime === undefined ? now : Date.parse(pod.status.startTime);
}

function sortByBudgets(pods: readonly PodFacts[], budgets: readonly Budget[]): { readonly guarded: readonly PodFacts[]; readonly others: readonly PodFacts[] } {
  const left = budgets.map(({ allowed }) => allowed);
  const isGuarded = (pod: PodFacts) => {
    let violates = false;
    for (const [index, { namespace, selector, disrupted }] of budgets.entries()) {
      if (namespace !== pod.namespace || selector.text === '' || Object.keys(pod.labels).length === 0) continue;
      if (!selector.matches(pod.labels) || disrupted.has(pod.name)) continue;
      left[index] = (left[index] ?? 0) - 1;
      if ((left[index] ?? 0) < 0) violates = true;
    }
    return violates;
  };
  const verdicts = pods.map(isGuarded);
  return { guarded: pods.filter((_, index) => verdicts[index]), others: pods.filter((_, index) => !verdicts[index]) };
}

/** The one that does the least harm; each rule decides between those that the ones before leave. */
export function leastHarmful(candidates: readonly Candidate[], now: number): Candidate | undefined {
  const harms: readonly ((candidate: Candidate) => number)[] = [
    ({ violations }) => violations,
    ({ victims }) => victims[0]?.priority ?? 0,
    ({ victims }) => victims.reduce((sum, { priority }) => sum + priority + 2 ** 31, 0),
    ({ victims }) => victims.length,
    ({ victims }) => -earliestStart(victims, now),
  ];
  let left = candidates;
  for (const harm of harms) {
    const least = Math.min(...left.map(harm));
    left = left.filter((candidate) => harm(candidate) === least);
    if (left.length === 1) break;
  }
  return left[0];
}

/** Of the most important of them. */
function earliestStart(victims: readonly PodFacts[], now: number): number {
  const most = Math.max(...victims.map(({ priority }) => priority));
  return Math.min(...victims.filter(({ priority }) => priority === most).map((victim) => startOf(victim, now)));
}
