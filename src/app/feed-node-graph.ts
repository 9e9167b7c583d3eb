// Fills the graph of the Node authorizer from the watch caches, from the first time a node asks.
import type { KubernetesObject } from '#api/object.ts';
import { followCache } from '#app/follow-cache.ts';
import { namedNodeEdges, podEdges, volumeEdges } from '#auth/authorization/node-edges.ts';
import { type Edge, NodeGraph, vertex } from '#auth/authorization/node-graph.ts';
import type { World } from '#verbs/call.ts';

interface Source {
  readonly group: string;
  readonly resource: string;
  readonly kind: string;
  readonly edges: (object: KubernetesObject) => Edge[];
}

const sources: readonly Source[] = [
  { group: '', resource: 'pods', kind: 'pod', edges: podEdges },
  { group: '', resource: 'persistentvolumes', kind: 'pv', edges: volumeEdges },
  { group: 'storage.k8s.io', resource: 'volumeattachments', kind: 'volumeattachment', edges: namedNodeEdges('volumeattachment') },
  { group: 'resource.k8s.io', resource: 'resourceslices', kind: 'resourceslice', edges: namedNodeEdges('resourceslice') },
  { group: 'certificates.k8s.io', resource: 'podcertificaterequests', kind: 'podcertificaterequest', edges: namedNodeEdges('podcertificaterequest') },
];

export function nodeGraphOf(world: () => Pick<World, 'catalog' | 'caches'>, signal: AbortSignal): () => Promise<NodeGraph> {
  let filled: Promise<NodeGraph> | undefined;
  return () => (filled ??= fill(world(), new NodeGraph(), signal));
}

async function fill(world: Pick<World, 'catalog' | 'caches'>, graph: NodeGraph, signal: AbortSignal): Promise<NodeGraph> {
  await Promise.all(sources.map((source) => follow(world, graph, source, signal)));
  return graph;
}

async function follow(
  world: Pick<World, 'catalog' | 'caches'>,
  graph: NodeGraph,
  { group, resource, kind, edges }: Source,
  signal: AbortSignal,
): Promise<void> {
  const [served] = world.catalog.versionsOf(group, resource);
  if (served === undefined) return;
  const keyOf = ({ metadata }: KubernetesObject) => vertex(kind, metadata.namespace ?? '', metadata.name ?? '');
  const put = (object: KubernetesObject) => graph.put(keyOf(object), edges(object));
  await followCache(world, world.catalog.hubOf(served), { put, drop: (object) => graph.remove(keyOf(object)) }, signal);
}
