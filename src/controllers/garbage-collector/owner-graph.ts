// Who owns whom, over all kinds: what the collector knows of an object is its coordinates, its owners and how it is being deleted.
import { type GroupResource, parseApiVersion } from '#api/names.ts';
import type { OwnerReference } from '#api/object.ts';
import type { SourceItem } from '#api/source.ts';

export const orphanFinalizer = 'orphan';
export const foregroundFinalizer = 'foregroundDeletion';

/** Shared by all nodes of a resource. Which version of it is served is asked when it is needed: versions come and go. */
export interface CollectedResource extends GroupResource {
  readonly namespaced: boolean;
  readonly kind: string;
}

export interface GraphNode {
  readonly uid: string;
  readonly resource: CollectedResource;
  readonly namespace: string;
  readonly name: string;
  readonly owners: readonly OwnerReference[];
  /** Deleted, and waits for the collector: to orphan what it owns, or to delete it first. */
  readonly waits: 'orphan' | 'foreground' | undefined;
}

interface Coordinates {
  readonly group: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** Of owners that were seen to go while something named them; the original remembers 500. */
const maxAbsent = 10_000;
const none: readonly OwnerReference[] = [];

export class OwnerGraph {
  readonly #nodes = new Map<string, GraphNode>();
  /** By the uid of the owner, who need not be there. */
  readonly #dependents = new Map<string, Set<string>>();
  /** Their coordinates by their uids. Uids never come back, so this is true for ever, also when the kind goes and can no longer be asked. */
  readonly #absent = new Map<string, Coordinates>();

  get(uid: string): GraphNode | undefined {
    return this.#nodes.get(uid);
  }

  dependentsOf(uid: string): readonly GraphNode[] {
    return [...(this.#dependents.get(uid) ?? [])].flatMap((dependent) => this.#nodes.get(dependent) ?? []);
  }

  /** The object that is named so, from this namespace (empty: by an object of the cluster), was seen to be deleted. */
  isAbsent({ uid, apiVersion, kind, name }: OwnerReference, namespace: string): boolean {
    const known = this.#absent.get(uid);
    if (known === undefined || known.kind !== kind || known.name !== name || known.group !== parseApiVersion(apiVersion)?.group) return false;
    return known.namespace === '' || known.namespace === namespace;
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

  /** Only for what was deleted; what a relist no longer shows may belong to a kind that is not served for a while. */
  remember({ uid, namespace, name, resource: { group, kind } }: GraphNode): void {
    if (!this.#dependents.has(uid)) return;
    this.#absent.set(uid, { group, kind, namespace, name });
    const [oldest] = this.#absent.keys();
    if (this.#absent.size > maxAbsent && oldest !== undefined) this.#absent.delete(oldest);
  }

  #unlink(uid: string): void {
    for (const owner of this.#nodes.get(uid)?.owners ?? none) {
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
export function nodeOf(resource: CollectedResource, item: SourceItem): GraphNode {
  const { namespace, name } = item;
  const finalizers = item.valueAt(deletedPath) === undefined ? [] : ((item.valueAt(finalizersPath) ?? []) as readonly string[]);
  return {
    uid: String(item.valueAt(uidPath)),
    resource,
    namespace,
    name,
    owners: (item.valueAt(ownersPath) as readonly OwnerReference[] | undefined) ?? none,
    waits: finalizers.includes(orphanFinalizer) ? 'orphan' : finalizers.includes(foregroundFinalizer) ? 'foreground' : undefined,
  };
}
