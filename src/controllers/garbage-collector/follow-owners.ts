// Keeps the graph in step with the objects of one resource, and tells whom a change makes worth a look.
import { type SourceItem, sourceKey, type Source } from '#api/source.ts';
import type { ResourceAddress } from '#client/rest-client.ts';
import type { KeySource } from '#controllers/controller.ts';
import { type GraphNode, nodeOf, type OwnerGraph } from '#controllers/garbage-collector/owner-graph.ts';

export function followOwners(graph: OwnerGraph, source: Source, resource: ResourceAddress): KeySource {
  return async (enqueue, signal) => {
    /** The uid that each object was last seen with: one that was made again under its name is another. */
    const uids = new Map<string, string>();
    const forget = (key: string) => {
      const node = graph.get(uids.get(key) ?? '');
      uids.delete(key);
      if (node !== undefined) lose(graph, node, enqueue);
    };
    const learn = (item: SourceItem) => {
      const node = nodeOf(resource, item);
      const key = sourceKey(item);
      if (uids.get(key) !== node.uid) forget(key);
      uids.set(key, node.uid);
      gain(graph, node, enqueue);
    };
    const begin = (all: readonly SourceItem[]) => {
      const here = new Set(all.map(sourceKey));
      for (const key of uids.keys()) if (!here.has(key)) forget(key);
      for (const item of all) learn(item);
    };
    await source.follow({ begin, change: (type, item) => (type === 'DELETED' ? forget(sourceKey(item)) : learn(item)) }, signal);
  };
}

function lose(graph: OwnerGraph, node: GraphNode, enqueue: (uid: string) => void): void {
  const dependents = graph.dependentsOf(node.uid);
  graph.drop(node.uid);
  for (const { uid } of dependents) enqueue(uid);
  for (const owner of node.owners) if (graph.get(owner.uid)?.waits === 'foreground') enqueue(owner.uid);
}

function gain(graph: OwnerGraph, node: GraphNode, enqueue: (uid: string) => void): void {
  const before = graph.get(node.uid);
  graph.put(node);
  if (node.owners.length > 0 || node.waits !== undefined) enqueue(node.uid);
  if (node.waits === 'foreground' && before?.waits !== 'foreground') for (const { uid } of graph.dependentsOf(node.uid)) enqueue(uid);
  // An owner that waits may have waited for a reference that is no longer there, or no longer blocks.
  for (const owner of [...(before?.owners ?? []), ...node.owners]) if (graph.get(owner.uid)?.waits === 'foreground') enqueue(owner.uid);
}
