// Deletes what has lost all its owners, and finishes deletions in the foreground and those that orphan. The graph only says where to look:
// before anything is deleted, the object and each of its owners are read, and the deletion names the uid and the version that was judged.
import { apiVersionOf, type GroupResource } from '#api/names.ts';
import type { KubernetesObject, OwnerReference } from '#api/object.ts';
import type { Sources } from '#api/source.ts';
import { inParallel } from '#base/in-parallel.ts';
import { CoreEventRecorder } from '#client/core-event-recorder.ts';
import type { Clock } from '#base/clock.ts';
import type { ResourceAddress, RestClient } from '#client/rest-client.ts';
import { type Controller, controller, type KeySource, type LoopParts } from '#controllers/controller.ts';
import { followOwners } from '#controllers/garbage-collector/follow-owners.ts';
import { judgeOwners, type OwnerState } from '#controllers/garbage-collector/judge-owners.ts';
import { patchLive, readLive, releaseFrom, unlessGone } from '#controllers/garbage-collector/live-objects.ts';
import { type CollectedResource, foregroundFinalizer, type GraphNode, orphanFinalizer, OwnerGraph } from '#controllers/garbage-collector/owner-graph.ts';

/** A resource in a version that is served now. */
export interface ServedResource extends ResourceAddress {
  readonly kind: string;
}

export interface GarbageCollectorOptions extends LoopParts {
  readonly client: RestClient;
  readonly sources: Sources;
  readonly clock: Clock;
  /** All resources that can be listed, watched and deleted. */
  readonly collected: () => readonly CollectedResource[];
  /** Calls the listener when `collected` may say something else. Returns how to stop that. */
  readonly onChange: (listener: () => void) => () => void;
  /** In the version that discovery prefers; undefined: it is not served now. */
  readonly addressOf: (resource: GroupResource) => ServedResource | undefined;
  /** The served resource of a kind; undefined: there is none now. */
  readonly resourceOf: (apiVersion: string, kind: string) => ResourceAddress | undefined;
}

/** Of an owner whose kind is not served nothing can be said: it is asked for again after this time. */
const unknownKindMs = 10_000;
/** An owner that lives, but that the graph does not know: should it go before its watch shows it, no change would tell. It is read again after this time. */
const unseenOwnerMs = 1_000;
/** --concurrent-gc-syncs */
const workers = 20;
const dependentsAtOnce = 20;
const retry = { firstMs: 5, maxMs: 30_000 };

export function garbageCollector(options: GarbageCollectorOptions): Controller {
  return new GarbageCollection(options).controller;
}

type Outcome = { readonly againMs: number } | void;
type States = ReadonlyMap<string, OwnerState> | 'unknown-kind' | 'namespaced-owner';

class GarbageCollection {
  readonly controller: Controller;
  readonly #options: GarbageCollectorOptions;
  readonly #graph = new OwnerGraph();
  /** What ends the following of each resource. */
  readonly #followed = new Map<string, AbortController>();
  readonly #events: CoreEventRecorder;

  constructor(options: GarbageCollectorOptions) {
    this.#options = options;
    const { client, clock, log } = options;
    this.#events = new CoreEventRecorder({ client, clock, log, component: 'garbage-collector-controller' });
    const loop = controller({
      ...options,
      name: 'garbage_collector_attempt_to_delete',
      sources: this.#follow(),
      reconcile: (uid) => this.#look(uid),
      workers,
      retry,
    });
    this.controller = {
      settled: loop.settled,
      enqueue: (key) => loop.enqueue(key),
      follow: (source) => loop.follow(source),
      run: async (signal) => {
        const stop = options.onChange(() => this.#follow().forEach((source) => loop.follow(source)));
        await loop.run(signal).finally(stop);
      },
    };
  }

  /** Leaves resources that are not served any more; returns the sources of those that are not followed yet. */
  #follow(): readonly KeySource[] {
    const served = new Map(this.#options.collected().map((resource) => [`${resource.resource}.${resource.group}`, resource]));
    for (const [name, ending] of this.#followed) {
      if (served.has(name)) continue;
      this.#followed.delete(name);
      ending.abort();
    }
    const fresh = [...served].filter(([name]) => !this.#followed.has(name));
    return fresh.map(([name, resource]) => {
      const ending = new AbortController();
      this.#followed.set(name, ending);
      const onForeignOwner = (node: GraphNode, owner: string) => this.#tellForeign(node, owner);
      return followOwners({ graph: this.#graph, onForeignOwner, ended: ending.signal }, this.#options.sources.of(resource), resource);
    });
  }

  async #look(uid: string): Promise<Outcome> {
    const node = this.#graph.get(uid);
    if (node === undefined || (node.waits === undefined && this.#looksOwned(node))) return;
    const resource = this.#options.addressOf(node.resource);
    if (resource === undefined) return { againMs: unknownKindMs };
    const object = await readLive(this.#options.client, resource, node, uid);
    if (object === undefined) return;
    const { deletionTimestamp, finalizers = [] } = object.metadata;
    if (deletionTimestamp === undefined) return await this.#collect(node, resource, object);
    if (finalizers.includes(orphanFinalizer)) return await this.#orphan(node, resource, object);
    if (finalizers.includes(foregroundFinalizer)) await this.#finishForeground(node, resource, object);
  }

  /** Every owner is in the graph under the coordinates by which it is named, and none waits for this object. */
  #looksOwned({ owners, namespace }: GraphNode): boolean {
    return owners.every(({ uid, name, apiVersion, kind }) => {
      const owner = this.#graph.get(uid);
      if (owner === undefined || owner.waits === 'foreground' || owner.name !== name) return false;
      const named = this.#options.resourceOf(apiVersion, kind);
      const isNamed = named?.resource === owner.resource.resource && named.group === owner.resource.group;
      return isNamed && (owner.namespace === '' || owner.namespace === namespace);
    });
  }

  async #collect(node: GraphNode, resource: ServedResource, object: KubernetesObject): Promise<Outcome> {
    const { client } = this.#options;
    const references = object.metadata.ownerReferences ?? [];
    const states = await this.#ownerStates(node, references);
    if (states === 'unknown-kind') return { againMs: unknownKindMs };
    if (states === 'namespaced-owner') return;
    const dependents = this.#graph.dependentsOf(node.uid);
    const verdict = judgeOwners(object.metadata, states, { any: dependents.length > 0, waiting: dependents.some(({ waits }) => waits === 'foreground') });
    if (verdict.is === 'keep') return references.every(({ uid }) => this.#graph.get(uid)) ? undefined : { againMs: unseenOwnerMs };
    if (verdict.is === 'release') return await releaseFrom(client, resource, node, verdict.owners);
    if (verdict.unblock && references.some(({ blockOwnerDeletion }) => blockOwnerDeletion)) {
      // The write comes back here, by the graph, as an object that blocks no owner.
      const ownerReferences = references.map((reference) => ({ ...reference, blockOwnerDeletion: false }));
      return await patchLive(client, resource, node, object, { ownerReferences });
    }
    const preconditions = { uid: node.uid, resourceVersion: object.metadata.resourceVersion };
    await unlessGone(client.delete(resource, node.namespace, node.name, { preconditions, propagationPolicy: verdict.policy }));
  }

  /** Each owner as it is now, read from the server. An object of the cluster cannot be owned by one of a namespace: it is left alone. */
  async #ownerStates(node: GraphNode, owners: readonly OwnerReference[]): Promise<States> {
    const states = new Map<string, OwnerState>();
    for (const reference of owners) {
      const state = this.#graph.isAbsent(reference, node.namespace) ? 'dangling' : await this.#stateOf(node, reference);
      if (state === 'unknown-kind' || state === 'namespaced-owner') return state;
      // The same uid may be named twice: a reference that holds must not be overruled by one that does not.
      if (states.get(reference.uid) !== 'solid') states.set(reference.uid, state);
    }
    return states;
  }

  async #stateOf(node: GraphNode, { apiVersion, kind, name, uid }: OwnerReference): Promise<OwnerState | 'unknown-kind' | 'namespaced-owner'> {
    const { client, resourceOf } = this.#options;
    const resource = resourceOf(apiVersion, kind);
    if (resource === undefined) return 'unknown-kind';
    if (resource.namespaced && node.namespace === '') return 'namespaced-owner';
    const owner = await readLive(client, resource, { name, namespace: resource.namespaced ? node.namespace : '' }, uid);
    // The kind may have gone meanwhile: then «not found» says nothing of the owner.
    if (owner === undefined && resourceOf(apiVersion, kind) === undefined) return 'unknown-kind';
    if (owner === undefined) return 'dangling';
    const isWaiting = owner.metadata.deletionTimestamp !== undefined && owner.metadata.finalizers?.includes(foregroundFinalizer);
    return isWaiting ? 'waiting' : 'solid';
  }

  /** What it owns no longer names it; then it may go. */
  async #orphan(node: GraphNode, resource: ServedResource, object: KubernetesObject): Promise<Outcome> {
    const { client, addressOf } = this.#options;
    const dependents = this.#graph.dependentsOf(node.uid);
    if (dependents.some((dependent) => addressOf(dependent.resource) === undefined)) return { againMs: unknownKindMs };
    await inParallel(dependents, dependentsAtOnce, async (dependent) => {
      const served = addressOf(dependent.resource);
      if (served !== undefined) await releaseFrom(client, served, dependent, new Set([node.uid]));
    });
    await this.#withoutFinalizer(node, resource, object, orphanFinalizer);
  }

  async #finishForeground(node: GraphNode, resource: ServedResource, object: KubernetesObject): Promise<void> {
    const blocks = ({ uid, blockOwnerDeletion }: OwnerReference) => uid === node.uid && blockOwnerDeletion;
    const dependents = this.#graph.dependentsOf(node.uid);
    const blocking = dependents.filter(({ owners }) => owners.some(blocks));
    if (blocking.length === 0) {
      await this.#judgeFirst(dependents);
      return await this.#withoutFinalizer(node, resource, object, foregroundFinalizer);
    }
    for (const { uid, waits } of blocking) if (waits !== 'foreground') this.controller.enqueue(uid);
  }

  /**
   * What does not block its owner must still be judged while the owner waits: an owner that another finalizer holds counts as living again
   * once its own has gone. What cannot be judged now holds nobody up; it is in the queue for itself.
   */
  async #judgeFirst(dependents: readonly GraphNode[]): Promise<void> {
    await inParallel(dependents, dependentsAtOnce, async (node) => {
      const resource = node.waits === undefined ? this.#options.addressOf(node.resource) : undefined;
      if (resource === undefined) return;
      try {
        const object = await readLive(this.#options.client, resource, node, node.uid);
        if (object !== undefined && object.metadata.deletionTimestamp === undefined) await this.#collect(node, resource, object);
      } catch {
        this.controller.enqueue(node.uid);
      }
    });
  }

  async #withoutFinalizer(node: GraphNode, resource: ServedResource, object: KubernetesObject, finalizer: string): Promise<void> {
    const finalizers = (object.metadata.finalizers ?? []).filter((other) => other !== finalizer);
    await patchLive(this.#options.client, resource, node, object, { finalizers });
  }

  #tellForeign(node: GraphNode, owner: string): void {
    const resource = this.#options.addressOf(node.resource);
    const reference = node.owners.find(({ uid }) => uid === owner);
    if (resource === undefined || reference === undefined) return;
    const { namespace, name, uid } = node;
    const named = `[${reference.apiVersion}/${reference.kind}, namespace: ${namespace}, name: ${reference.name}, uid: ${owner}]`;
    const object = { apiVersion: apiVersionOf(resource), kind: resource.kind, metadata: { name, uid, ...(namespace !== '' && { namespace }) } };
    this.#events.event(object, 'Warning', 'OwnerRefInvalidNamespace', `ownerRef ${named} does not exist in namespace ${JSON.stringify(namespace)}`);
  }
}
