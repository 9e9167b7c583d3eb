// Which pods with volumes that may have to be attached each node has. Other pods are not kept, and none is parsed for it.
import { type SourceItem, sourceKey, type Source } from '#api/source.ts';
import type { KeySource } from '#controllers/controller.ts';
import { mayBeAttached, type PodVolume } from '#controllers/volumes/attach/attachable-volumes.ts';
import type { StoredPod } from '#controllers/volumes/claim-users.ts';

const nodePath = [Buffer.from('spec'), Buffer.from('nodeName')];
const volumesPath = [Buffer.from('spec'), Buffer.from('volumes')];

export class PodsOnNodes {
  readonly #nodeOf = new Map<string, string>();
  readonly #byNode = new Map<string, Set<string>>();

  /** Keys of the pods of a node. */
  of(node: string): readonly string[] {
    return [...(this.#byNode.get(node) ?? [])];
  }

  nodeOf(pod: string): string | undefined {
    return this.#nodeOf.get(pod);
  }

  /** Tells the nodes whose pods change, as `/name`. */
  follow(pods: Source<StoredPod>): KeySource {
    return (enqueue, signal) => {
      const tell = (node: string | undefined) => node !== undefined && enqueue(sourceKey({ namespace: '', name: node }));
      const learn = (item: SourceItem<StoredPod>) => {
        const volumes = (item.valueAt(volumesPath) as readonly PodVolume[] | undefined) ?? [];
        const node = volumes.some(mayBeAttached) ? (item.valueAt(nodePath) as string | undefined) || undefined : undefined;
        tell(this.#set(sourceKey(item), node));
        tell(node);
      };
      const begin = (all: readonly SourceItem<StoredPod>[]) => {
        const here = new Set(all.map(sourceKey));
        for (const key of this.#nodeOf.keys()) if (!here.has(key)) tell(this.#set(key, undefined));
        all.forEach(learn);
      };
      return pods.follow({ begin, change: (type, item) => (type === 'DELETED' ? tell(this.#set(sourceKey(item), undefined)) : learn(item)) }, signal);
    };
  }

  /** Returns the node that the pod was on, where it is another now. */
  #set(pod: string, node: string | undefined): string | undefined {
    const before = this.#nodeOf.get(pod);
    if (before === node) return undefined;
    if (before !== undefined) this.#byNode.get(before)?.delete(pod);
    if (node === undefined) this.#nodeOf.delete(pod);
    else {
      this.#nodeOf.set(pod, node);
      this.#byNode.set(node, (this.#byNode.get(node) ?? new Set<string>()).add(pod));
    }
    return before;
  }
}
