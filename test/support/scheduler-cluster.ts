// Nodes and pods for tests of the scheduler: what a test does not say is as it is in an empty cluster.
import type { Labels } from '#api/label-match.ts';
import { ClusterState } from '#scheduler/cluster/cluster-state.ts';
import type { StoredNode } from '#scheduler/cluster/node-info.ts';
import { PodFacts, type StoredPod } from '#scheduler/cluster/pod-facts.ts';
import { isRejection, type Plugin } from '#scheduler/framework.ts';

export interface NodeWish {
  readonly labels?: Labels;
  readonly taints?: readonly object[];
  readonly unschedulable?: boolean;
  readonly allocatable?: Readonly<Record<string, string>>;
  readonly images?: readonly object[];
  readonly features?: readonly string[];
}

export function aNode(name: string, { labels = {}, taints, unschedulable, allocatable = {}, images, features }: NodeWish = {}): StoredNode {
  return {
    metadata: { name, labels: { 'kubernetes.io/hostname': name, ...labels } },
    spec: { ...(taints && { taints }), ...(unschedulable && { unschedulable }) },
    status: {
      allocatable: { cpu: '4', memory: '8Gi', pods: '110', ...allocatable },
      ...(images && { images }),
      ...(features && { declaredFeatures: features }),
    },
  } as unknown as StoredNode;
}

export interface PodWish {
  readonly namespace?: string;
  readonly labels?: Labels;
  readonly spec?: object;
  readonly status?: object;
  readonly metadata?: object;
  /** Requests of its only container. */
  readonly requests?: Readonly<Record<string, string>>;
}

export function aPod(name: string, { namespace = 'default', labels = {}, spec = {}, status = {}, metadata = {}, requests }: PodWish = {}): PodFacts {
  const containers = [{ name: 'c', image: 'i', ...(requests && { resources: { requests } }) }];
  const pod = { metadata: { name, namespace, uid: `${namespace}/${name}`, labels, ...metadata }, spec: { containers, ...spec }, status };
  return new PodFacts({ object: pod as unknown as StoredPod });
}

/** Pods by the node that they are on. */
export function aCluster(nodes: readonly StoredNode[], pods: Readonly<Record<string, readonly PodFacts[]>> = {}): ClusterState {
  const cluster = new ClusterState();
  for (const node of nodes) cluster.putNode(node);
  for (const [node, here] of Object.entries(pods)) for (const pod of here) cluster.putPod(pod.on(node));
  return cluster;
}

/** What a plugin says of each node: the reasons of its rejection, or that the node will do. */
export function verdicts(plugin: Plugin, pod: PodFacts, cluster: ClusterState): Readonly<Record<string, string>> {
  const filter = plugin.filter?.(pod, cluster);
  const of = (name: string) => {
    if (filter === undefined) return 'fits';
    if (isRejection(filter)) return filter.reasons.join();
    const node = cluster.node(name);
    return (node && filter.check(node)?.reasons.join()) ?? 'fits';
  };
  return Object.fromEntries(cluster.nodes.map(({ name }) => [name, of(name)]));
}

/** What a plugin gives each node, between 0 and 100; undefined: it has nothing to say. */
export function scores(plugin: Plugin, pod: PodFacts, cluster: ClusterState): Readonly<Record<string, number>> | undefined {
  const { nodes } = cluster;
  const filter = plugin.filter?.(pod, cluster);
  const scorer = plugin.score?.(pod, nodes, cluster, filter && !isRejection(filter) ? filter : undefined);
  if (scorer === undefined) return undefined;
  const all = nodes.map((node) => scorer.score(node));
  scorer.normalize?.(all, nodes);
  return Object.fromEntries(nodes.map(({ name }, index) => [name, all[index] ?? 0]));
}
