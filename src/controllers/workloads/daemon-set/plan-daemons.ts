// Which pods of a DaemonSet are missing, and which have to go: one on each node that should have one, and the steps of a rolling update.
import { intOrPercent } from '#controllers/int-or-percent.ts';
import type { NodeView, StoredDaemonSet, Verdict } from '#controllers/workloads/daemon-set/daemon-nodes.ts';
import { isUpdated } from '#controllers/workloads/daemon-set/daemon-pod.ts';
import { isAvailable, isReady, type PodView } from '#controllers/workloads/pod-view.ts';

export interface DaemonPlan {
  /** Names of nodes. */
  readonly create: readonly string[];
  readonly delete: readonly PodView[];
}

/** What is known when a DaemonSet is looked at. */
export interface DaemonWorld {
  readonly set: StoredDaemonSet;
  readonly nodes: readonly NodeView[];
  readonly judge: (node: NodeView) => Verdict;
  readonly podsOn: ReadonlyMap<string, readonly PodView[]>;
  /** Of the template of now. */
  readonly hash: string;
  readonly now: number;
  /** Asked for each pod that has finished and stays on its node; false: it is not time to delete it. */
  readonly mayReplace: (pod: PodView) => boolean;
}

export function planDaemons(world: DaemonWorld): DaemonPlan {
  const plans = world.nodes.map((node) => planNode(world, node));
  const known = new Set(world.nodes.map(({ name }) => name));
  // Pods that wait for a node that is gone would wait for ever.
  const lost = [...world.podsOn].flatMap(([node, pods]) => (known.has(node) ? [] : pods.filter(({ nodeName }) => nodeName === '')));
  return { create: plans.flatMap(({ create }) => create), delete: [...plans.flatMap((plan) => plan.delete), ...lost] };
}

const nothing: DaemonPlan = { create: [], delete: [] };

function planNode(world: DaemonWorld, node: NodeView): DaemonPlan {
  const { run, stay } = world.judge(node);
  const pods = world.podsOn.get(node.name);
  if (run && pods === undefined) return { create: [node.name], delete: [] };
  if (!stay) return pods === undefined ? nothing : { create: [], delete: pods.filter(({ isDeleting }) => !isDeleting) };
  const staying = (pods ?? []).filter(({ isDeleting }) => !isDeleting);
  const finished = staying.filter(({ phase }) => phase === 'Failed' || phase === 'Succeeded');
  const running = staying.filter((pod) => !finished.includes(pod)).toSorted(bySeniority);
  const replaced = finished.filter(world.mayReplace);
  if (surgeOf(world.set, 1) === 0) return { create: [], delete: [...replaced, ...running.slice(1)] };
  if (running.length <= 1) return { create: running.length === 0 && run ? [node.name] : [], delete: replaced };
  return { create: [], delete: [...replaced, ...surplus(world, running)] };
}

/** During a surge an old and a new pod share the node; more are too many, and the old one goes when the new one serves. */
function surplus({ set, hash, now }: DaemonWorld, running: readonly PodView[]): readonly PodView[] {
  const isNew = ({ labels }: PodView) => labels['controller-revision-hash'] === hash;
  const fresh = running.find(isNew);
  const old = running.find((pod) => !isNew(pod));
  const others = running.filter((pod) => pod !== fresh && pod !== old);
  const isOver = fresh && old && (!isReady(old) || isAvailable(fresh, set.spec.minReadySeconds ?? 0, now));
  return isOver ? [...others, old] : others;
}

/** Scheduled ones first, then by age. */
export function bySeniority(a: PodView, b: PodView): number {
  const scheduled = Number(b.nodeName !== '') - Number(a.nodeName !== '');
  return scheduled || a.created - b.created || (a.name < b.name ? -1 : 1);
}

function surgeOf({ spec }: StoredDaemonSet, desired: number): number {
  return spec.updateStrategy.type === 'RollingUpdate' ? intOrPercent(spec.updateStrategy.rollingUpdate?.maxSurge ?? 0, desired, 'up') : 0;
}

function unavailableOf({ spec }: StoredDaemonSet, desired: number): number {
  return spec.updateStrategy.type === 'RollingUpdate' ? intOrPercent(spec.updateStrategy.rollingUpdate?.maxUnavailable ?? 0, desired, 'up') : 0;
}

/** An old and a new pod of a node; undefined: there are more, which `planDaemons` has to sort out first. */
interface Pair {
  readonly node: string;
  readonly old: PodView | undefined;
  readonly fresh: PodView | undefined;
}

function pairOf({ set, hash }: DaemonWorld, node: string, pods: readonly PodView[]): Pair | undefined {
  const staying = pods.filter(({ isDeleting }) => !isDeleting);
  const fresh = staying.filter((pod) => isUpdated(set, pod, hash));
  const old = staying.filter((pod) => !fresh.includes(pod));
  return fresh.length > 1 || old.length > 1 ? undefined : { node, old: old[0], fresh: fresh[0] };
}

/** The next step of a rolling update. */
export function planRollout(world: DaemonWorld): DaemonPlan {
  const { set, nodes, judge, podsOn } = world;
  const wanted = nodes.filter((node) => judge(node).run);
  const names = new Set([...podsOn.keys(), ...wanted.map(({ name }) => name)]);
  const pairs = [...names].map((node) => pairOf(world, node, podsOn.get(node) ?? []));
  const surge = surgeOf(set, wanted.length);
  const unavailable = unavailableOf(set, wanted.length);
  if (surge > 0) return planSurge(world, pairs, surge, wanted.length);
  return planReplacement(world, pairs, wanted.length > 0 && unavailable === 0 ? 1 : unavailable);
}

/** Old pods go, so many at a time that no more than allowed are missing; those that do not serve anyway go at once. */
function planReplacement({ set, now }: DaemonWorld, pairs: readonly (Pair | undefined)[], most: number): DaemonPlan {
  const serves = (pod: PodView | undefined) => pod !== undefined && isAvailable(pod, set.spec.minReadySeconds ?? 0, now);
  const old = pairs.flatMap((pair) => (pair?.old && !pair.fresh ? [pair.old] : []));
  const useless = old.filter((pod) => !serves(pod));
  const missing = pairs.filter((pair) => !pair || (pair.old && pair.fresh) || !serves(pair.old ?? pair.fresh)).length;
  return { create: [], delete: [...useless, ...old.filter(serves).slice(0, Math.max(0, most - missing))] };
}

/** New pods come beside old ones, so many at a time as may be too many; the old one goes when the new one serves. */
function planSurge(world: DaemonWorld, pairs: readonly (Pair | undefined)[], most: number, desired: number): DaemonPlan {
  const { set, nodes, judge, now } = world;
  const serves = (pod: PodView) => isAvailable(pod, set.spec.minReadySeconds ?? 0, now);
  const running = new Set(nodes.filter((node) => judge(node).run).map(({ name }) => name));
  const known = pairs.filter((pair) => pair !== undefined);
  const both = known.flatMap(({ old, fresh }) => (old && fresh ? [{ old, fresh }] : []));
  const alone = known.flatMap(({ node, old, fresh }) => (old && !fresh ? [{ node, old }] : []));
  const surging = pairs.length - known.length + both.filter(({ fresh }) => !serves(fresh)).length;
  const staying = alone.filter(({ node }) => running.has(node));
  const leaving = alone.filter(({ node }) => !running.has(node)).map(({ old }) => old);
  const serving = known.filter(({ old, fresh }) => (old ? serves(old) : fresh && serves(fresh))).length;
  const spare = leaving.filter(serves).slice(0, Math.max(0, serving - desired));
  const fresh = staying.filter(({ old }) => serves(old)).slice(0, Math.max(0, most - surging));
  const useless = staying.filter(({ old }) => !serves(old));
  return {
    create: [...useless, ...fresh].map(({ node }) => node),
    delete: [...both.filter((pair) => serves(pair.fresh)).map(({ old }) => old), ...leaving.filter((pod) => !serves(pod)), ...spare],
  };
}
