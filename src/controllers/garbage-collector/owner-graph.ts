// Who owns whom, over all kinds: what the collector knows of an object is its coordinates, its owners and how it is being deleted.
import type { OwnerReference } from '#api/object.ts';
import type { SourceItem } from '#api/source.ts';
import type { ResourceAddress } from '#client/rest-client.ts';

export const orphanFinalizer = 'orphan';
export const foregroundFinalizer = 'foregroundDeletion';

export interface GraphNode {
  readonly uid: string;
  readonly resource: ResourceAddress;
  readonly namespace: string;
  readonly name: string;
  readonly owners: readonly OwnerReference[];
  /** Deleted, and waits for the collector: to orphan what it owns, or to delete it first. */
  readonly waits: 'orphan' | 'foreground' | undefined;
}

export class OwnerGraph {
  readonly #nodes = new Map<string, GraphNode>();
  /** By the uid of the owner, who need not be there. */
  readonly #dependents = new Map<string, Set<string>>();

  get(uid: string): GraphNode | undefined {
    return this.#nodes.get(uid);
  }

  dependentsOf(uid: string): readonly GraphNode[] {
    return [...(this.#dependents.get(uid) ?? [])].flatMap((dependent) => this.#nodes.get(dependent) ?? []);
  }

  put(node: GraphNode): void {
    this.#unlink(node.uid);
    this.#nodes.set(node.uid, node);
    for (const { uid } of node.owners) {
      const dependents = this.#dependents.get(uid) ?? new Set();
      this.#dependents.set(uid, dependents.add(node.uid));
    }
  }

  drop(uid: string): void {
    this.#unlink(uid);
    this.#nodes.delete(uid);
  }

  #unlink(uid: string): void {
    for (const owner of this.#nodes.get(uid)?.owners ?? []) {
      const dependents = this.#dependents.get(owner.uid);
      dependents?.delete(uid);
      if (dependents?.size === 0) this.#dependents.delete(owner.uid);
    }
  }
}

const path = (...names: readonly string[]) => names.map((name) => Buffer.from(name));
const uidPath = path('metadata', 'uid');
const ownersPath = path('metadata', 'ownerReferences');
const deletedPath = path('metadata', 'deletionTimestamp');
const finalizersPath = path('metadata', 'finalizers');

/** Reads no more of the object than it keeps. */
export function nodeOf(resource: ResourceAddress, item: SourceItem): GraphNode {
  const { namespace, name } = item;
  const finalizers = item.valueAt(deletedPath) === undefined ? [] : ((item.valueAt(finalizersPath) ?? []) as readonly string[]);
  return {
    uid: String(item.valueAt(uidPath)),
    resource,
    namespace,
    name,
    owners: (item.valueAt(ownersPath) ?? []) as readonly OwnerReference[],
    waits: finalizers.includes(orphanFinalizer) ? 'orphan' : finalizers.includes(foregroundFinalizer) ? 'foreground' : undefined,
  };
}
