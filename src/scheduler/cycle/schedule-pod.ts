// Finds the node for one pod: which nodes will do, and which of them is best. Large clusters are not searched to the end.
import type { Log } from '#base/log.ts';
import type { ClusterState } from '#scheduler/cluster/cluster-state.ts';
import type { NodeInfo } from '#scheduler/cluster/node-info.ts';
import type { PodFacts } from '#scheduler/cluster/pod-facts.ts';
import { type LocalVerdict, LocalVerdicts } from '#scheduler/cycle/local-verdicts.ts';
import { NodeChecks } from '#scheduler/cycle/node-checks.ts';
import { type Diagnosis, type NodeScorer, type Plugin, PluginError, type Rejection } from '#scheduler/framework.ts';
import type { Nominations } from '#scheduler/queue/nominations.ts';

export type Outcome =
  | { readonly is: 'placed'; readonly node: NodeInfo; readonly checks: NodeChecks }
  | { readonly is: 'misfit'; readonly diagnosis: Diagnosis; readonly checks: NodeChecks };

export interface SearchOptions {
  readonly plugins: readonly Plugin[];
  readonly cluster: ClusterState;
  readonly nominations: Nominations;
  readonly random: () => number;
  readonly log: Log;
}

/** So many nodes that will do are looked for at least, and at least this share of all. */
const fewestNodes = 100;
const leastPercentage = 5;

/** The larger the cluster, the smaller the share of it that is searched. */
export function nodesToFind(allNodes: number): number {
  if (allNodes < fewestNodes) return allNodes;
  const percentage = Math.max(leastPercentage, 50 - Math.floor(allNodes / 125));
  return Math.max(fewestNodes, Math.floor((allNodes * percentage) / 100));
}

export class NodeSearch {
  readonly #options: SearchOptions;
  readonly #verdicts = new LocalVerdicts();
  readonly #localScorers: readonly Plugin[];
  readonly #otherScorers: readonly Plugin[];
  /** Searches begin where the last one ended, so that all nodes have their turn. */
  #next = 0;

  constructor(options: SearchOptions) {
    this.#options = options;
    const scoring = options.plugins.filter(({ score }) => score !== undefined);
    this.#localScorers = scoring.filter(({ isLocal }) => isLocal === true);
    this.#otherScorers = scoring.filter(({ isLocal }) => isLocal !== true);
  }

  find(pod: PodFacts): Outcome {
    const { plugins, cluster, nominations } = this.#options;
    const checks = new NodeChecks(pod, plugins, cluster, nominations);
    const verdicts = this.#verdicts.of(pod.signature, cluster.nodesVersion);
    const narrowed = narrowing(checks);
    const ofAll = checks.ofAll ?? narrowed.ofAll;
    if (ofAll !== undefined) {
      const rejectedBy = new Set(ofAll.plugin === '' ? checks.narrowedBy : [ofAll.plugin]);
      return { is: 'misfit', checks, diagnosis: { ofAll, byNode: new Map(), ofOthers: undefined, rejectedBy } };
    }
    const nominated = pod.nominatedNode === '' ? undefined : cluster.node(pod.nominatedNode);
    if (nominated !== undefined && checks.check(nominated, verdicts) === undefined) return { is: 'placed', node: nominated, checks };
    const { feasible, byNode } = this.#feasible(checks, verdicts);
    if (feasible.length > 0) return { is: 'placed', node: this.#best(pod, feasible, verdicts, checks), checks };
    const rejectedBy = new Set([...checks.narrowedBy, ...[...byNode.values()].map(({ plugin }) => plugin)]);
    return { is: 'misfit', checks, diagnosis: { ofAll: undefined, byNode, ofOthers: narrowed.ofOthers, rejectedBy } };
  }

  #feasible(checks: NodeChecks, verdicts: Map<string, LocalVerdict>): { readonly feasible: NodeInfo[]; readonly byNode: Map<string, Rejection> } {
    const { cluster } = this.#options;
    const nodes = checks.onlyNodes === undefined ? cluster.nodes : [...checks.onlyNodes].flatMap((name) => cluster.node(name) ?? []);
    const wanted = nodesToFind(nodes.length);
    const feasible: NodeInfo[] = [];
    const byNode = new Map<string, Rejection>();
    for (let index = 0; index < nodes.length && feasible.length < wanted; index++) {
      const node = nodes[(this.#next + index) % nodes.length];
      if (node === undefined) continue;
      const rejection = checks.check(node, verdicts);
      if (rejection === undefined) feasible.push(node);
      else byNode.set(node.name, rejection);
    }
    this.#next = (this.#next + feasible.length + byNode.size) % Math.max(1, cluster.nodes.length);
    return { feasible, byNode };
  }

  /** Any of the best. */
  #best(pod: PodFacts, feasible: readonly NodeInfo[], verdicts: Map<string, LocalVerdict>, checks: NodeChecks): NodeInfo {
    const [only] = feasible;
    if (only === undefined) throw new PluginError('there is no node to choose from');
    if (feasible.length === 1) return only;
    const totals = this.#totals(pod, feasible, verdicts, checks);
    this.#options.log.debug('nodes were scored', {
      pod: pod.key,
      // Made only where it is printed.
      get scores() {
        return Object.fromEntries(feasible.map(({ name }, index) => [name, totals[index]]));
      },
    });
    let most = Number.NEGATIVE_INFINITY;
    for (const total of totals) if (total > most) most = total;
    const best = feasible.filter((_, index) => totals[index] === most);
    return best[Math.floor(this.#options.random() * best.length)] ?? only;
  }

  /** Plain loops: this is done for every pod, long before V8 has seen it often enough to make good code of iterators. */
  #totals(pod: PodFacts, nodes: readonly NodeInfo[], verdicts: Map<string, LocalVerdict>, { filters }: NodeChecks): readonly number[] {
    const totals: number[] = nodes.map(() => 0);
    const scorerOf = ({ name, score }: Plugin) => score?.(pod, nodes, this.#options.cluster, filters.get(name));
    const local = this.#localScorers.map(scorerOf);
    const raw = nodes.map((node) => localScores(node, local, verdicts.get(node.name)));
    for (let index = 0; index < local.length; index++) {
      const scorer = local[index];
      if (scorer === undefined) continue;
      const scores = raw.map((ofNode) => ofNode[index] ?? 0);
      addScores(totals, this.#localScorers[index]?.weight ?? 1, scores, scorer, nodes);
    }
    for (const plugin of this.#otherScorers) {
      const scorer = scorerOf(plugin);
      if (scorer === undefined) continue;
      const scores = nodes.map((node) => scorer.score(node));
      addScores(totals, plugin.weight ?? 1, scores, scorer, nodes);
    }
    return totals;
  }
}

function localScores(node: NodeInfo, scorers: readonly (NodeScorer | undefined)[], kept: LocalVerdict | undefined): readonly number[] {
  if (kept?.generation === node.generation && kept.scores !== undefined) return kept.scores;
  const scores = scorers.map((scorer) => scorer?.score(node) ?? 0);
  if (kept?.generation === node.generation) kept.scores = scores;
  return scores;
}

function addScores(totals: number[], weight: number, scores: number[], scorer: NodeScorer, nodes: readonly NodeInfo[]): void {
  scorer.normalize?.(scores, nodes);
  for (let index = 0; index < scores.length; index++) totals[index] = (totals[index] as number) + weight * (scores[index] as number);
}

interface Narrowing {
  readonly ofAll: Rejection | undefined;
  readonly ofOthers: Rejection | undefined;
}

/** Plugins that name the nodes they allow: all others are out, and perhaps these too. */
function narrowing({ onlyNodes, narrowedBy }: NodeChecks): Narrowing {
  if (onlyNodes === undefined) return { ofAll: undefined, ofOthers: undefined };
  const names = narrowedBy.toSorted();
  const rejection = (reason: string): Rejection => ({ plugin: '', isResolvable: false, reasons: [reason] });
  const ofOthers = rejection(`node(s) didn't satisfy plugin(s) [${names.join(' ')}]`);
  if (onlyNodes.size > 0) return { ofAll: undefined, ofOthers };
  const all = names.length === 1 ? `node(s) didn't satisfy plugin ${names[0]}` : `node(s) didn't satisfy plugin(s) [${names.join(' ')}] simultaneously`;
  return { ofAll: rejection(all), ofOthers: undefined };
}
