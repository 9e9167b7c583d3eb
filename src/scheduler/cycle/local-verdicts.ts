// Verdicts and scores that follow from a pod's signature and one node alone, kept until the node changes: of a thousand pods of a Deployment
// only the first looks at every node, the others at the one that the last was put on.
import type { NodeInfo } from '#scheduler/cluster/node-info.ts';
import type { Rejection } from '#scheduler/framework.ts';

export interface LocalVerdict {
  /** Of the node, when it was judged. */
  readonly generation: object;
  readonly rejection: Rejection | undefined;
  /** In the order of the local plugins that score; made when the node is scored. */
  scores: readonly number[] | undefined;
}

/** Kinds of pods that are placed at the same time. */
const mostKept = 32;

export class LocalVerdicts {
  readonly #bySignature = new Map<string, Map<string, LocalVerdict>>();
  #nodesVersion = -1;

  /** Forgets everything when a node changed itself: images and the number of nodes count for all. */
  of(signature: string, nodesVersion: number): Map<string, LocalVerdict> {
    if (nodesVersion !== this.#nodesVersion) this.#bySignature.clear();
    this.#nodesVersion = nodesVersion;
    const verdicts = this.#bySignature.get(signature) ?? new Map<string, LocalVerdict>();
    this.#bySignature.delete(signature);
    this.#bySignature.set(signature, verdicts);
    const [oldest] = this.#bySignature.keys();
    if (this.#bySignature.size > mostKept && oldest !== undefined) this.#bySignature.delete(oldest);
    return verdicts;
  }
}

/** What counts of a node now. */
export function currentVerdict(verdicts: Map<string, LocalVerdict>, node: NodeInfo, judge: () => Rejection | undefined): LocalVerdict {
  const known = verdicts.get(node.name);
  if (known?.generation === node.generation) return known;
  const verdict: LocalVerdict = { generation: node.generation, rejection: judge(), scores: undefined };
  verdicts.set(node.name, verdict);
  return verdict;
}
