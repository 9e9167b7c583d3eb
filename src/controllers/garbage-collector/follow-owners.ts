// Keeps the graph in step with the objects of one resource, and tells whom a change makes worth a look.
import { type ChangeType, type SourceItem, sourceKey, type Source } from '#api/source.ts';
import type { KeySource } from '#controllers/controller.ts';
import { type CollectedResource, type GraphNode, nodeOf, type OwnerGraph } from '#controllers/garbage-collector/owner-graph.ts';

export interface Following {
  readonly graph: OwnerGraph;
  /** Called with an object and the uid of an owner that is known to lie in another namespace. */
  readonly onForeignOwner: (node: GraphNode, owner: string) => void;
  /** Aborts when the resource is not served any more: its objects leave the graph. */
  readonly ended: AbortSignal;
}

export function followOwners({ graph, onForeignOwner, ended }: Following, source: Source, resource: CollectedResource): KeySource {
  return async (enqueue, signal) => {
    /** The uid that each object was last seen with: one that was made again under its name is another. */
    const uids = new Map<string, string>();
    const forget = (key: string, isDeleted: boolean) => {
      const node = graph.get(uids.get(key) ?? '');
      uids.delete(key);
      if (node === undefined) return;
      if (isDeleted) graph.remember(node);
      lose(graph, node, enqueue);
    };
    const learn = (item: SourceItem) => {
      const node = nodeOf(resource, item);
      const key = sourceKey(item);
      if (uids.has(key) && uids.get(key) !== node.uid) forget(key, true);
      uids.set(key, node.uid);
      const before = graph.get(node.uid);
      gain(graph, node, before, enqueue);
      for (const [dependent, owner] of foreignReferences(graph, node, before)) {
        onForeignOwner(dependent, owner);
        enqueue(dependent.uid);
      }
    };
    const begin = (all: readonly SourceItem[]) => {
      const here = new Set(all.map(sourceKey));
      for (const key of uids.keys()) if (!here.has(key)) forget(key, false);
      for (const item of all) learn(item);
    };
    const change = (type: ChangeType, item: SourceItem) => {
      // The source may tell the last it has read after its resource has gone.
      if (ended.aborted) return;
      if (type === 'DELETED') forget(sourceKey(item), true);
      else learn(item);
    };
    const stop = new AbortController();
    signal.addEventListener('abort', () => stop.abort(), { signal: ended });
    const leave = () => {
      stop.abort();
      begin([]);
    };
    ended.addEventListener('abort', leave, { once: true });
    if (signal.aborted || ended.aborted) stop.abort();
    await source.follow({ begin: (all) => begin(ended.aborted ? [] : all), change }, stop.signal);
  };
}

function lose(graph: OwnerGraph, node: GraphNode, enqueue: (uid: string) => void): void {
  const dependents = graph.dependentsOf(node.uid);
  graph.drop(node.uid);
  for (const { uid } of dependents) enqueue(uid);
  for (const owner of node.owners) if (graph.get(owner.uid)?.waits === 'foreground') enqueue(owner.uid);
}

function gain(graph: OwnerGraph, node: GraphNode, before: GraphNode | undefined, enqueue: (uid: string) => void): void {
  graph.put(node);
  // What it owns is judged while it still waits.
  if (node.waits === 'foreground' && before?.waits !== 'foreground') for (const { uid } of graph.dependentsOf(node.uid)) enqueue(uid);
  if (node.owners.length > 0 || node.waits !== undefined) enqueue(node.uid);
  // An owner that waits may have waited for a reference that is no longer there, or no longer blocks.
  for (const owner of [...(before?.owners ?? []), ...node.owners]) if (graph.get(owner.uid)?.waits === 'foreground') enqueue(owner.uid);
}

/** References to an owner of another namespace that are new: of this object, and to this object when it was not known before. */
function* foreignReferences(graph: OwnerGraph, node: GraphNode, before: GraphNode | undefined): Generator<readonly [GraphNode, string]> {
  for (const { uid } of node.owners) {
    const isNew = before?.owners.every((other) => other.uid !== uid) ?? true;
    if (isNew && isForeign(graph.get(uid), node)) yield [node, uid];
  }
  if (before === undefined) for (const dependent of graph.dependentsOf(node.uid)) if (isForeign(node, dependent)) yield [dependent, node.uid];
}

/** Owners of the cluster own in every namespace. */
function isForeign(owner: GraphNode | undefined, dependent: GraphNode): boolean {
  return owner !== undefined && owner.namespace !== '' && owner.namespace !== dependent.namespace;
}
