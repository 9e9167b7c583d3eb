// Makes room for a pod that fits nowhere: less important pods of one node are removed, and the node is kept for it.
import { type LabelSelectorObject, labelSelectorFrom } from '#api/label-selector.ts';
import type { KubernetesObject } from '#api/object.ts';
import type { Source } from '#api/source.ts';
import type { Clock } from '#base/clock.ts';
import type { NodeInfo } from '#scheduler/cluster/node-info.ts';
import type { PodFacts } from '#scheduler/cluster/pod-facts.ts';
import { fitMessage } from '#scheduler/cycle/fit-message.ts';
import { type Budget, type Candidate, leastHarmful, selectVictims } from '#scheduler/cycle/select-victims.ts';
import { type Misfit, type Plugin, type Rejection, type Relief, rejecter } from '#scheduler/framework.ts';
import { podHint } from '#scheduler/queue/hints.ts';
import type { PodDisruptionBudget } from '#kinds/policy/v1/pod-disruption-budget.ts';

export type StoredBudget = PodDisruptionBudget & KubernetesObject;

export interface PreemptionOptions {
  readonly budgets: Source<StoredBudget>;
  readonly clock: Clock;
  readonly random: () => number;
  /** Begins to remove the victims. */
  readonly preempt: (pod: PodFacts, candidate: Candidate) => void;
  /** Are some of those that were to go for it still to be told? */
  readonly isPreempting: (pod: PodFacts) => boolean;
}

const name = 'DefaultPreemption';
const unhelpful = rejecter(name).final('Preemption is not helpful for scheduling');

/** So many nodes are tried at least, and this share of all. */
const fewestCandidates = 100;
const leastPercentage = 10;

export function defaultPreemption(options: PreemptionOptions): Plugin {
  return {
    name,
    admits: (pod) => !options.isPreempting(pod),
    relieve: (misfit) => withPrefix(relieve(misfit, options)),
    // It waits for the pods that leave, whoever else rejected it decides whether that is enough.
    hints: [podHint(['Delete'], () => false)],
  };
}

function withPrefix(relief: Relief): Relief {
  return relief.is === 'none' ? { ...relief, message: `preemption: ${relief.message}` } : relief;
}

function relieve(misfit: Misfit, options: PreemptionOptions): Relief {
  const { pod, cluster, diagnosis } = misfit;
  const reason = ineligible(misfit);
  if (reason !== undefined) return { is: 'none', message: reason };
  const potential = cluster.nodes.filter((node) => diagnosis.byNode.get(node.name)?.isResolvable === true);
  const { candidates, rejections } = tryNodes(misfit, potential, options);
  const best = leastHarmful(candidates, options.clock.now().getTime());
  if (best === undefined) return { is: 'none', nominatedNode: '', message: fitMessage(cluster.nodes.length, { byNode: rejections, ofOthers: unhelpful }) };
  options.preempt(pod, best);
  return { is: 'made', nominatedNode: best.node.name };
}

/** Why a pod may not remove others, or not again. */
function ineligible({ pod, cluster, diagnosis }: Misfit): string | undefined {
  if (pod.pod.spec.preemptionPolicy === 'Never') return 'not eligible due to preemptionPolicy=Never.';
  const nominated = pod.nominatedNode === '' ? undefined : cluster.node(pod.nominatedNode);
  if (nominated === undefined) return undefined;
  const verdict = diagnosis.byNode.get(nominated.name) ?? diagnosis.ofAll ?? diagnosis.ofOthers;
  if (verdict?.isResolvable !== true) return undefined;
  const isLeaving = [...nominated.pods.values()].some((other) => other.priority < pod.priority && leavesByPreemption(other));
  return isLeaving ? 'not eligible due to a terminating pod on the nominated node.' : undefined;
}

function leavesByPreemption({ isBeingDeleted, pod }: PodFacts): boolean {
  if (!isBeingDeleted) return false;
  const target = pod.status?.conditions?.find(({ type }) => type === 'DisruptionTarget');
  return target?.status === 'True' && target.reason === 'PreemptionByScheduler';
}

interface Tried {
  readonly candidates: readonly Candidate[];
  readonly rejections: ReadonlyMap<string, Rejection>;
}

function tryNodes({ pod, checks }: Misfit, nodes: readonly NodeInfo[], { budgets, clock, random }: PreemptionOptions): Tried {
  const candidates: Candidate[] = [];
  const rejections = new Map<string, Rejection>();
  const wanted = Math.min(nodes.length, Math.max(fewestCandidates, Math.floor((nodes.length * leastPercentage) / 100)));
  const guards = nodes.length === 0 ? [] : budgets.list().map(({ object }) => budgetOf(object));
  const offset = Math.floor(random() * nodes.length);
  const now = clock.now().getTime();
  for (let index = 0; index < nodes.length; index++) {
    const node = nodes[(offset + index) % nodes.length];
    if (node === undefined) continue;
    const tried = selectVictims(pod, node, checks, guards, now);
    if ('reasons' in tried) rejections.set(node.name, tried);
    else if (tried.victims.length > 0) candidates.push(tried);
    if (candidates.length >= wanted && candidates.some(({ violations }) => violations === 0)) break;
  }
  return { candidates, rejections };
}

function budgetOf({ metadata: { namespace = '' }, spec, status }: StoredBudget): Budget {
  return {
    namespace,
    selector: labelSelectorFrom(spec?.selector as LabelSelectorObject | undefined),
    allowed: status?.disruptionsAllowed ?? 0,
    disrupted: new Set(Object.keys(status?.disruptedPods ?? {})),
  };
}
