// Deletes what has lost all its owners, and finishes deletions in the foreground and those that orphan. The graph only says where to look:
// before anything is deleted, the object and each of its owners are read, and the deletion names the uid and the version that was judged.
import { ApiError } from '#api/api-error.ts';
import type { KubernetesObject, OwnerReference } from '#api/object.ts';
import type { Sources } from '#api/source.ts';
import { patchTypes, type ResourceAddress, type RestClient } from '#client/rest-client.ts';
import { type Controller, controller, type LoopParts } from '#controllers/controller.ts';
import { followOwners } from '#controllers/garbage-collector/follow-owners.ts';
import { judgeOwners, type OwnerState } from '#controllers/garbage-collector/judge-owners.ts';
import { foregroundFinalizer, type GraphNode, orphanFinalizer, OwnerGraph } from '#controllers/garbage-collector/owner-graph.ts';

export interface GarbageCollectorOptions extends LoopParts {
  readonly client: RestClient;
  readonly sources: Sources;
  /** All resources that can be listed and deleted, in their stored version. */
  readonly collected: () => readonly ResourceAddress[];
  /** Calls the listener when `collected` may say something else. Returns how to stop that. */
  readonly onChange: (listener: () => void) => () => void;
  /** The served resource of a kind; undefined: there is none now. */
  readonly resourceOf: (apiVersion: string, kind: string) => ResourceAddress | undefined;
}

/** Of an owner whose kind is not served nothing can be said: it is asked for again after this time. */
const unknownKindMs = 10_000;
const workers = 20;

export function garbageCollector(options: GarbageCollectorOptions): Controller {
  const graph = new OwnerGraph();
  const known = new Set<string>();
  const fresh = () => options.collected().filter(({ group, resource }) => !known.has(`${resource}.${group}`) && known.add(`${resource}.${group}`));
  const follower = (resource: ResourceAddress) => followOwners(graph, options.sources.of(resource), resource);
  const loop = controller({
    ...options,
    name: 'garbage-collector-controller',
    sources: fresh().map(follower),
    reconcile: (uid) => look(options, graph, uid),
    workers,
    retry: { firstMs: 50, maxMs: 30_000 },
  });
  return {
    settled: loop.settled,
    enqueue: (key) => loop.enqueue(key),
    follow: (source) => loop.follow(source),
    run: async (signal) => {
      const stop = options.onChange(() => fresh().forEach((resource) => loop.follow(follower(resource))));
      await loop.run(signal).finally(stop);
    },
  };
}

type Outcome = { readonly againMs: number } | void;

async function look(options: GarbageCollectorOptions, graph: OwnerGraph, uid: string): Promise<Outcome> {
  const node = graph.get(uid);
  if (node === undefined || (node.waits === undefined && looksOwned(graph, node, options))) return;
  const object = await readLive(options.client, node.resource, node, uid);
  if (object === undefined) return;
  const { deletionTimestamp, finalizers = [] } = object.metadata;
  if (deletionTimestamp === undefined) return await collect(options, graph, node, object);
  if (finalizers.includes(orphanFinalizer)) return await orphan(options.client, graph, node, object);
  if (finalizers.includes(foregroundFinalizer)) await finishForeground(options.client, graph, node, object);
}

/** Every owner is in the graph under the coordinates by which it is named, and none waits for this object. */
function looksOwned(graph: OwnerGraph, { owners, namespace }: GraphNode, { resourceOf }: GarbageCollectorOptions): boolean {
  return owners.every(({ uid, name, apiVersion, kind }) => {
    const owner = graph.get(uid);
    if (owner === undefined || owner.waits === 'foreground' || owner.name !== name) return false;
    const named = resourceOf(apiVersion, kind);
    const isNamed = named?.resource === owner.resource.resource && named.group === owner.resource.group;
    return isNamed && (owner.namespace === '' || owner.namespace === namespace);
  });
}

interface Place {
  readonly namespace: string;
  readonly name: string;
}

/** Undefined: gone, or another object now. */
async function readLive(client: RestClient, resource: ResourceAddress, { namespace, name }: Place, uid: string): Promise<KubernetesObject | undefined> {
  const found = await client.as('metadata').find(resource, namespace, name);
  return found?.metadata.uid === uid ? found : undefined;
}

async function collect(options: GarbageCollectorOptions, graph: OwnerGraph, node: GraphNode, object: KubernetesObject): Promise<Outcome> {
  const states = await ownerStates(options, node, object.metadata.ownerReferences ?? []);
  if (states === 'unknown-kind') return { againMs: unknownKindMs };
  if (states === 'namespaced-owner') return;
  const dependents = graph.dependentsOf(node.uid);
  const verdict = judgeOwners(object.metadata, states, { any: dependents.length > 0, waiting: dependents.some(({ waits }) => waits === 'foreground') });
  if (verdict.is === 'keep') return;
  if (verdict.is === 'release') return await patch(options.client, node, object, { ownerReferences: verdict.owners });
  if (verdict.unblock) {
    const unblocked = (object.metadata.ownerReferences ?? []).map((reference) => ({ ...reference, blockOwnerDeletion: false }));
    // The write comes back here, by the graph, as an object that blocks nobody.
    if (object.metadata.ownerReferences?.some(({ blockOwnerDeletion }) => blockOwnerDeletion))
      return await patch(options.client, node, object, { ownerReferences: unblocked });
  }
  const preconditions = { uid: node.uid, resourceVersion: object.metadata.resourceVersion };
  await unlessGone(options.client.delete(node.resource, node.namespace, node.name, { preconditions, propagationPolicy: verdict.policy }));
}

type States = ReadonlyMap<string, OwnerState> | 'unknown-kind' | 'namespaced-owner';

/** Each owner as it is now, read from the server. An object of the cluster cannot be owned by one of a namespace: it is left alone. */
async function ownerStates({ client, resourceOf }: GarbageCollectorOptions, node: GraphNode, owners: readonly OwnerReference[]): Promise<States> {
  const states = new Map<string, OwnerState>();
  for (const { apiVersion, kind, name, uid } of owners) {
    const resource = resourceOf(apiVersion, kind);
    if (resource === undefined) return 'unknown-kind';
    if (resource.namespaced && node.namespace === '') return 'namespaced-owner';
    const owner = await readLive(client, resource, { name, namespace: resource.namespaced ? node.namespace : '' }, uid);
    // The kind may have gone meanwhile: then «not found» says nothing of the owner.
    if (owner === undefined && resourceOf(apiVersion, kind) === undefined) return 'unknown-kind';
    const isWaiting = owner?.metadata.deletionTimestamp !== undefined && owner.metadata.finalizers?.includes(foregroundFinalizer);
    // The same uid may be named twice: a reference that holds must not be overruled by one that does not.
    const state = owner === undefined ? 'dangling' : isWaiting ? 'waiting' : 'solid';
    if (states.get(uid) !== 'solid') states.set(uid, state);
  }
  return states;
}

/** What it owns no longer names it; then it may go. */
async function orphan(client: RestClient, graph: OwnerGraph, node: GraphNode, object: KubernetesObject): Promise<void> {
  for (const dependent of graph.dependentsOf(node.uid)) {
    const live = await readLive(client, dependent.resource, dependent, dependent.uid);
    const owners = live?.metadata.ownerReferences ?? [];
    if (live !== undefined && owners.some(({ uid }) => uid === node.uid))
      await patch(client, dependent, live, { ownerReferences: owners.filter(({ uid }) => uid !== node.uid) });
  }
  await withoutFinalizer(client, node, object, orphanFinalizer);
}

async function finishForeground(client: RestClient, graph: OwnerGraph, node: GraphNode, object: KubernetesObject): Promise<void> {
  const blocking = graph.dependentsOf(node.uid).some(({ owners }) => owners.some(({ uid, blockOwnerDeletion }) => uid === node.uid && blockOwnerDeletion));
  if (!blocking) await withoutFinalizer(client, node, object, foregroundFinalizer);
}

async function withoutFinalizer(client: RestClient, node: GraphNode, object: KubernetesObject, finalizer: string): Promise<void> {
  await patch(client, node, object, { finalizers: (object.metadata.finalizers ?? []).filter((other) => other !== finalizer) });
}

/** Only while the object is as it was read: a conflict is thrown, and everything looked at again. */
async function patch(client: RestClient, { resource, namespace, name }: GraphNode, { metadata }: KubernetesObject, change: object): Promise<void> {
  const { uid, resourceVersion } = metadata;
  await unlessGone(client.patch(resource, { namespace, name }, patchTypes.merge, { metadata: { uid, resourceVersion, ...change } }));
}

async function unlessGone(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 404)) throw error;
  }
}
