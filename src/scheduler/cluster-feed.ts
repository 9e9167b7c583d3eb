// Keeps the cluster and the queue in step with the objects of the server, change by change.
import type { KubernetesObject } from '#api/object.ts';
import { type Follower, mirror, sourceKey, type SourceItem, type Sources } from '#api/source.ts';
import { kinds } from '#client/kinds.ts';
import type { ResourceAddress } from '#client/rest-client.ts';
import { isSameNode, nodeEvents, podEvents } from '#scheduler/cluster/changes.ts';
import type { ClusterState } from '#scheduler/cluster/cluster-state.ts';
import type { StoredNode } from '#scheduler/cluster/node-info.ts';
import { PodFacts, type StoredPod } from '#scheduler/cluster/pod-facts.ts';
import type { ObjectAction, ObjectKind } from '#scheduler/queue/hints.ts';
import type { SchedulingQueue } from '#scheduler/queue/scheduling-queue.ts';
import { resourceKinds } from '#scheduler/claims/claim-world.ts';
import { storageKinds } from '#scheduler/volumes/volume-world.ts';
import type { Namespace } from '#kinds/core/v1/namespace.ts';

/** Pods that name another scheduler are somebody else's. */
export const schedulerName = 'default-scheduler';

/** Objects whose changes only move pods that wait. */
const others: readonly (readonly [ObjectKind, ResourceAddress])[] = [
  ['PersistentVolume', kinds.persistentVolumes],
  ['PersistentVolumeClaim', kinds.persistentVolumeClaims],
  ['StorageClass', kinds.storageClasses],
  ['CSINode', storageKinds.csiNodes],
  ['CSIDriver', storageKinds.csiDrivers],
  ['CSIStorageCapacity', storageKinds.csiStorageCapacities],
  ['VolumeAttachment', storageKinds.volumeAttachments],
  ['ResourceClaim', resourceKinds.claims],
  ['ResourceSlice', resourceKinds.slices],
  ['DeviceClass', resourceKinds.classes],
];

export interface ClusterFeedOptions {
  readonly sources: Sources;
  readonly cluster: ClusterState;
  readonly queue: SchedulingQueue;
  /** An object of storage or of claims changed. */
  readonly onObject: (kind: ObjectKind, before: KubernetesObject | undefined, after: KubernetesObject | undefined) => void;
}

export class ClusterFeed {
  readonly #options: ClusterFeedOptions;
  /** Pods of ours without a node, by `namespace/name`. */
  readonly #waiting = new Map<string, PodFacts>();
  /** The uids of all pods that count, by `namespace/name`. */
  readonly #uids = new Map<string, string>();
  readonly #nodes = new Map<string, StoredNode>();

  constructor(options: ClusterFeedOptions) {
    this.#options = options;
  }

  /** As the server knows it now; undefined: it is gone or has a node. */
  waiting(key: string): PodFacts | undefined {
    return this.#waiting.get(key);
  }

  /** Resolves when all that there is has been told. */
  async follow(signal: AbortSignal): Promise<void> {
    const { sources, cluster } = this.#options;
    const namespaces = mirror<Namespace & KubernetesObject>({
      put: ({ metadata: { name = '', labels = {} } }) => cluster.putNamespace(name, labels),
      drop: (_, name) => cluster.dropNamespace(name),
    });
    const nodes = mirror<StoredNode>({ put: (node) => this.#putNode(node), drop: (_, name) => this.#dropNode(name) });
    const ignore = { begin: () => {}, change: () => {} };
    await Promise.all([
      sources.of<Namespace & KubernetesObject>(kinds.namespaces).follow(namespaces, signal),
      sources.of<StoredNode>(kinds.nodes).follow(nodes, signal),
      sources.of(kinds.podDisruptionBudgets).follow(ignore, signal),
      ...others.map(([kind, resource]) => sources.of(resource).follow(this.#objectFollower(kind), signal)),
    ]);
    // Last: a pod is not tried before the nodes are known.
    await sources.of<StoredPod>(kinds.pods).follow(this.#podFollower(), signal);
  }

  #podFollower(): Follower<StoredPod> {
    return {
      begin: (all) => {
        const here = new Set(all.map(sourceKey));
        for (const key of this.#uids.keys()) if (!here.has(key)) this.#dropPod(key);
        for (const item of all) this.#putPod(item);
      },
      change: (type, item) => (type === 'DELETED' ? this.#dropPod(sourceKey(item)) : this.#putPod(item)),
    };
  }

  #putPod(item: SourceItem<StoredPod>): void {
    const pod = item.object;
    const { uid = '' } = pod.metadata;
    const key = sourceKey(item);
    const known = this.#uids.get(key);
    // It was made again before we heard that it had gone.
    if (known !== undefined && known !== uid) this.#dropPod(key);
    const hasEnded = pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed';
    if (hasEnded) return this.#dropPod(key);
    if (pod.spec.nodeName) this.#putAssigned(item, key);
    else if (pod.spec.schedulerName === schedulerName) this.#putWaiting(item, key);
    else return;
    this.#uids.set(key, uid);
  }

  #putAssigned(item: SourceItem<StoredPod>, key: string): void {
    const { cluster, queue } = this.#options;
    const { uid = '' } = item.object.metadata;
    const waited = this.#waiting.get(key);
    const before = cluster.isAssumed(uid) ? undefined : cluster.pod(uid);
    const after = new PodFacts(item, before ?? waited);
    cluster.putPod(after);
    if (waited !== undefined) {
      this.#waiting.delete(key);
      queue.remove(waited);
    }
    if (!queue.isListening) return;
    if (before === undefined) queue.move({ of: 'Pod', action: 'Add', before: undefined, after });
    else for (const event of podEvents(before, after)) queue.move(event);
  }

  #putWaiting(item: SourceItem<StoredPod>, key: string): void {
    const { cluster, queue } = this.#options;
    const before = this.#waiting.get(key);
    const after = new PodFacts(item, before);
    this.#waiting.set(key, after);
    if (before === undefined) return queue.add(after);
    if (cluster.isAssumed(after.uid)) {
      if (after.isBeingDeleted && !before.isBeingDeleted) this.#freed(cluster.dropPod(after.uid));
      return;
    }
    queue.update(before, after, podEvents(before, after));
    if (before.nominatedNode !== '' && before.nominatedNode !== after.nominatedNode) this.#freed(before, before.priority);
  }

  #dropPod(key: string): void {
    const { cluster, queue } = this.#options;
    const uid = this.#uids.get(key);
    if (uid === undefined) return;
    this.#uids.delete(key);
    const waited = this.#waiting.get(key);
    this.#waiting.delete(key);
    if (waited !== undefined) queue.remove(waited);
    const counted = cluster.dropPod(uid);
    if (counted !== undefined) this.#freed(counted);
    else if (waited !== undefined && waited.nominatedNode !== '') this.#freed(waited, waited.priority);
  }

  /** Room that a pod had, or was to have, is free; for pods that are not more important than `atMost`. */
  #freed(pod: PodFacts | undefined, atMost = Number.POSITIVE_INFINITY): void {
    if (pod === undefined) return;
    this.#options.queue.move({ of: 'Pod', action: 'Delete', before: pod, after: undefined }, ({ priority }) => priority <= atMost);
  }

  #putNode(after: StoredNode): void {
    const { cluster, queue } = this.#options;
    const { name = '' } = after.metadata;
    const before = this.#nodes.get(name);
    this.#nodes.set(name, after);
    // Nothing that was worked out for its pods is lost for a heartbeat.
    if (before !== undefined && isSameNode(before, after)) return;
    cluster.putNode(after);
    const info = cluster.node(name);
    if (before === undefined) queue.move({ of: 'Node', action: 'Add', before, after, info });
    else for (const event of nodeEvents(before, after, info)) queue.move(event);
  }

  #dropNode(name: string): void {
    const { cluster, queue } = this.#options;
    const before = this.#nodes.get(name);
    this.#nodes.delete(name);
    cluster.dropNode(name);
    queue.move({ of: 'Node', action: 'Delete', before, after: undefined, info: undefined });
  }

  #objectFollower(kind: ObjectKind): Follower {
    const known = new Map<string, KubernetesObject>();
    const tell = (action: ObjectAction, before: KubernetesObject | undefined, after: KubernetesObject | undefined) => {
      this.#options.onObject(kind, before, after);
      this.#options.queue.move({ of: kind, action, before, after });
    };
    const put = (item: SourceItem) => {
      const before = known.get(sourceKey(item));
      known.set(sourceKey(item), item.object);
      tell(before === undefined ? 'Add' : 'Update', before, item.object);
    };
    const drop = (key: string) => {
      const before = known.get(key);
      known.delete(key);
      tell('Delete', before, undefined);
    };
    return {
      begin: (all) => {
        const here = new Set(all.map(sourceKey));
        for (const key of known.keys()) if (!here.has(key)) drop(key);
        for (const item of all) put(item);
      },
      change: (type, item) => (type === 'DELETED' ? drop(sourceKey(item)) : put(item)),
    };
  }
}
