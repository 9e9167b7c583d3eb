// Pods for which others were removed from a node: until they are there, the room counts as theirs for pods that are not more important.
import type { PodFacts } from '#scheduler/cluster/pod-facts.ts';

export class Nominations {
  readonly #byNode = new Map<string, Map<string, PodFacts>>();
  readonly #nodeOf = new Map<string, string>();

  /** `nodeName` undefined: the one that the pod's status names. */
  put(pod: PodFacts, nodeName: string | undefined = pod.nominatedNode): void {
    this.drop(pod.uid);
    if (nodeName === '') return;
    const pods = this.#byNode.get(nodeName) ?? new Map<string, PodFacts>();
    this.#byNode.set(nodeName, pods.set(pod.uid, pod));
    this.#nodeOf.set(pod.uid, nodeName);
  }

  /** The pod changed: what we know counts on where its status has not heard of it yet. */
  update(before: PodFacts, after: PodFacts): void {
    const known = this.#nodeOf.get(before.uid);
    this.put(after, before.nominatedNode === '' && after.nominatedNode === '' ? (known ?? '') : after.nominatedNode);
  }

  drop(uid: string): void {
    const nodeName = this.#nodeOf.get(uid);
    if (nodeName === undefined) return;
    this.#nodeOf.delete(uid);
    const pods = this.#byNode.get(nodeName);
    pods?.delete(uid);
    if (pods?.size === 0) this.#byNode.delete(nodeName);
  }

  on(nodeName: string): Iterable<PodFacts> {
    return this.#byNode.get(nodeName)?.values() ?? [];
  }

  get isEmpty(): boolean {
    return this.#byNode.size === 0;
  }
}
