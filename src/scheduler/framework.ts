// What a plugin of the scheduler is. For each pod it is asked once what it has to say: a filter that judges nodes one by one, a scorer for
// those that are left. What it works out for the pod lives in these and is gone with the cycle.
import { messageOf } from '#base/message-of.ts';
import type { ClusterState } from '#scheduler/cluster/cluster-state.ts';
import type { NodeInfo } from '#scheduler/cluster/node-info.ts';
import type { PodFacts } from '#scheduler/cluster/pod-facts.ts';
import type { Hint } from '#scheduler/queue/hints.ts';

/** Why a pod does not fit, in the words of FailedScheduling. */
export interface Rejection {
  readonly plugin: string;
  /** False: removing pods from the node would not help either. */
  readonly isResolvable: boolean;
  readonly reasons: readonly string[];
}

/** A pod cannot be judged now; it is tried again like after any failure. */
export class PluginError extends Error {
  override readonly name = 'PluginError';
}

/** What a filter cannot judge is told with its name, as in the original. */
export function judging<T>(plugin: string, judge: () => T): T {
  try {
    return judge();
  } catch (error) {
    throw new PluginError(`running "${plugin}" filter plugin: ${messageOf(error)}`);
  }
}

/** Holds what a placement takes beside room on the node, until it is bound or given up. */
export interface Reservation {
  /** Is there anything to write before the pod is bound? */
  readonly isPending: boolean;
  bind(signal: AbortSignal): Promise<void>;
  release(): void;
}

export interface NodeFilter {
  /** Undefined: the node will do. */
  check(node: NodeInfo): Rejection | undefined;
  /** No other nodes need be looked at. */
  readonly onlyNodes?: ReadonlySet<string>;
  /** For trying out pods that are added and removed; absent: they make no difference to it. */
  copy?(): NodeFilter;
  addPod?(pod: PodFacts, node: NodeInfo): void;
  removePod?(pod: PodFacts, node: NodeInfo): void;
  reserve?(node: NodeInfo): Reservation | undefined;
}

export interface NodeScorer {
  score(node: NodeInfo): number;
  /** Brings the scores of all nodes between 0 and 100, in place. */
  normalize?(scores: number[], nodes: readonly NodeInfo[]): void;
}

/** What became of the attempt to make room for a pod that fits nowhere. */
export type Relief =
  | { readonly is: 'made'; readonly nominatedNode: string }
  /** `nominatedNode`: what its status is to say; undefined: what it says. */
  | { readonly is: 'none'; readonly message: string; readonly nominatedNode?: string }
  /** No other plugin is asked. */
  | { readonly is: 'error'; readonly message: string };

/** The filters of a pod, for trying out what would be. */
export interface Trials {
  /** By plugin, those that were asked; undefined: it had nothing to say. */
  readonly filters: ReadonlyMap<string, NodeFilter | undefined>;
  copies(): NodeFilter[];
  /** Of a node as it might be, with filters that have been told of it. */
  tryOut(node: NodeInfo, filters: readonly NodeFilter[]): Rejection | undefined;
}

/** A pod that fits nowhere, and why. */
export interface Misfit {
  readonly pod: PodFacts;
  readonly cluster: ClusterState;
  readonly checks: Trials;
  readonly diagnosis: Diagnosis;
}

export interface Diagnosis {
  /** About all nodes; no single one was looked at. */
  readonly ofAll: Rejection | undefined;
  readonly byNode: ReadonlyMap<string, Rejection>;
  /** Of nodes that were not looked at because a plugin named others. */
  readonly ofOthers: Rejection | undefined;
  /** The plugins that rejected it. */
  readonly rejectedBy: ReadonlySet<string>;
}

export interface Plugin {
  readonly name: string;
  /** What its score counts. */
  readonly weight?: number;
  /** Its verdict follows from the pod's signature and the node alone, and counts on until the node changes. */
  readonly isLocal?: boolean;
  /** False: the pod waits outside of the queue. */
  readonly admits?: (pod: PodFacts) => boolean;
  /** Undefined: nothing to say about this pod. A rejection is about all nodes. */
  readonly filter?: (pod: PodFacts, cluster: ClusterState) => NodeFilter | Rejection | undefined;
  readonly score?: (pod: PodFacts, nodes: readonly NodeInfo[], cluster: ClusterState, filter: NodeFilter | undefined) => NodeScorer | undefined;
  /** Tries to make room where there is none. */
  readonly relieve?: (misfit: Misfit) => Relief;
  /** Changes after which a pod that it rejected may fit. */
  readonly hints: readonly Hint[];
}

export const maxScore = 100;

export function isRejection(verdict: NodeFilter | Rejection): verdict is Rejection {
  return 'reasons' in verdict;
}

/** The largest becomes 100, or with `reverse` 0. */
export function normalizeToLargest(scores: number[], reverse = false): void {
  let largest = 0;
  for (const score of scores) if (score > largest) largest = score;
  for (let index = 0; index < scores.length; index++) {
    const score = largest === 0 ? 0 : Math.trunc((maxScore * (scores[index] ?? 0)) / largest);
    scores[index] = reverse ? maxScore - score : score;
  }
}

/** For plugins that reject with one reason. */
export function rejecter(plugin: string) {
  return {
    /** Pods could be removed to make it fit. */
    resolvable: (...reasons: readonly string[]): Rejection => ({ plugin, isResolvable: true, reasons }),
    final: (...reasons: readonly string[]): Rejection => ({ plugin, isResolvable: false, reasons }),
  };
}
