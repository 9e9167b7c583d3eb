// Fills the graph of the Node authorizer with what is stored, from the first time a node asks.
import type { KubernetesObject } from '#api/object.ts';
import { mirror, type Sources } from '#api/source.ts';
import { namedNodeEdges, podEdges, volumeEdges } from '#auth/authorization/node-edges.ts';
import { type Edge, NodeGraph, vertex } from '#auth/authorization/node-graph.ts';

interface Followed {
  readonly group: string;
  readonly resource: string;
  readonly kind: string;
  readonly edges: (object: KubernetesObject) => Edge[];
}

const followed: readonly Followed[] = [
  { group: '', resource: 'pods', kind: 'pod', edges: podEdges },
  { group: '', resource: 'persistentvolumes', kind: 'pv', edges: volumeEdges },
  { group: 'storage.k8s.io', resource: 'volumeattachments', kind: 'volumeattachment', edges: namedNodeEdges('volumeattachment') },
  { group: 'resource.k8s.io', resource: 'resourceslices', kind: 'resourceslice', edges: namedNodeEdges('resourceslice') },
  { group: 'certificates.k8s.io', resource: 'podcertificaterequests', kind: 'podcertificaterequest', edges: namedNodeEdges('podcertificaterequest') },
];

export function nodeGraphOf(sources: Sources, signal: AbortSignal): () => Promise<NodeGraph> {
  let filled: Promise<NodeGraph> | undefined;
  return () => (filled ??= fill(sources, new NodeGraph(), signal));
}

async function fill(sources: Sources, graph: NodeGraph, signal: AbortSignal): Promise<NodeGraph> {
  await Promise.all(followed.map((one) => follow(sources, graph, one, signal)));
  return graph;
}

async function follow(sources: Sources, graph: NodeGraph, { kind, edges, ...resource }: Followed, signal: AbortSignal): Promise<void> {
  const put = (object: KubernetesObject) => graph.put(vertex(kind, object.metadata.namespace ?? '', object.metadata.name ?? ''), edges(object));
  await sources.of(resource).follow(mirror({ put, drop: (namespace, name) => graph.remove(vertex(kind, namespace, name)) }), signal);
}
