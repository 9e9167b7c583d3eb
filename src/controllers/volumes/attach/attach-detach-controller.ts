// Keeps volumes attached to the nodes whose pods use them, as far as objects go: a VolumeAttachment asks the driver's attacher, who does the
// work and says so in its status; `status.volumesAttached` tells the kubelet. Keys are nodes. What is attached is read from the objects
// alone, so nothing is lost when the controller starts again.
import { type Source, type SourceItem, sourceKey, splitKey } from '#api/source.ts';
import { CoreEventRecorder, regarding } from '#client/core-event-recorder.ts';
import { kinds } from '#client/kinds.ts';
import { type Controller, controller, keysOf } from '#controllers/controller.ts';
import { attachablePersistent, attachableVolumesOf, type AttachableVolume, type StoredDriver } from '#controllers/volumes/attach/attachable-volumes.ts';
import { NodeVolumes, type StoredAttachment, type StoredNode, type WantedVolume } from '#controllers/volumes/attach/node-volumes.ts';
import { PodsOnNodes } from '#controllers/volumes/attach/pods-on-nodes.ts';
import { claimNamesOf, hasEnded, type StoredPod } from '#controllers/volumes/claim-users.ts';
import type { StoredClaim, StoredVolume } from '#controllers/volumes/storage-objects.ts';
import type { VolumeLoopOptions } from '#controllers/volumes/volume-loop-options.ts';

/** The kubelet of the node leaves attaching to the controller. */
const managedAnnotation = 'volumes.kubernetes.io/controller-managed-attach-detach';
const workers = 5;

export function attachDetach(options: VolumeLoopOptions): Controller {
  return new AttachDetach(options).controller;
}

class AttachDetach {
  readonly controller: Controller;
  readonly #pods: Source<StoredPod>;
  readonly #nodes: Source<StoredNode>;
  readonly #claims: Source<StoredClaim>;
  readonly #volumes: Source<StoredVolume>;
  readonly #attachments: Source<StoredAttachment>;
  readonly #drivers: Source<StoredDriver>;
  readonly #placed = new PodsOnNodes();
  readonly #nodeVolumes: NodeVolumes;

  constructor(options: VolumeLoopOptions) {
    const { client, sources, clock } = options;
    this.#pods = sources.of<StoredPod>(kinds.pods);
    this.#nodes = sources.of<StoredNode>(kinds.nodes);
    this.#claims = sources.of<StoredClaim>(kinds.persistentVolumeClaims);
    this.#volumes = sources.of<StoredVolume>(kinds.persistentVolumes);
    this.#attachments = sources.of<StoredAttachment>(kinds.volumeAttachments);
    this.#drivers = sources.of<StoredDriver>(kinds.csiDrivers);
    const events = new CoreEventRecorder({ ...options, component: 'attachdetach-controller' });
    const tell = (pod: StoredPod, type: 'Normal' | 'Warning', reason: string, message: string) =>
      events.event(regarding(kinds.pods, pod), type, reason, message);
    const forced = options.metrics.ofLoops.counter({
      name: 'attach_detach_controller_attachdetach_controller_forced_detaches',
      help: 'Volumes that were detached while they were mounted',
      labels: ['reason'],
    });
    this.#nodeVolumes = new NodeVolumes({
      client,
      clock,
      tell,
      holdersOf: (volume) => this.#holdersOf(volume),
      podsWith: (node, { uniqueName }) => this.#podsOn(node).filter((pod) => this.#volumesOf(pod).some((one) => one.uniqueName === uniqueName)),
      onForced: (reason) => void (forced.at(reason).value += 1),
    });
    const ofAttachments = keysOf(this.#attachments, ({ object }) => [sourceKey({ namespace: '', name: object.spec.nodeName }), ...this.#rivals(object)]);
    const known = [keysOf(this.#volumes, () => []), keysOf(this.#drivers, () => [])];
    const all = [this.#placed.follow(this.#pods), keysOf(this.#nodes), keysOf(this.#claims, (item) => this.#nodesOfClaim(item)), ofAttachments, ...known];
    const reconcile = (key: string) => this.#look(splitKey(key).name);
    this.controller = controller({ ...options, name: 'attach_detach', sources: all, reconcile, workers, retry: { firstMs: 500, maxMs: 120_000 } });
  }

  #look(name: string) {
    const node = this.#nodes.get('', name)?.object;
    if (node !== undefined && node.metadata.annotations?.[managedAnnotation] === undefined) return Promise.resolve();
    const attachments = this.#attachments.list().flatMap(({ object }) => (object.spec.nodeName === name ? [object] : []));
    return this.#nodeVolumes.keep({ name, node, attachments, wanted: node === undefined ? [] : this.#wantedOn(name) });
  }

  #wantedOn(node: string): readonly WantedVolume[] {
    const wanted = new Map<string, { readonly volume: AttachableVolume; readonly pods: StoredPod[] }>();
    for (const pod of this.#podsOn(node)) {
      for (const volume of this.#volumesOf(pod)) {
        const entry = wanted.get(volume.uniqueName) ?? { volume, pods: [] };
        entry.pods.push(pod);
        wanted.set(volume.uniqueName, entry);
      }
    }
    return [...wanted.values()];
  }

  #holdersOf({ csi, uniqueName }: AttachableVolume): readonly string[] {
    if (csi === undefined)
      return this.#nodes.list().flatMap(({ name, object }) => (object.status?.volumesAttached?.some((one) => one.name === uniqueName) ? [name] : []));
    return this.#attachments.list().flatMap(({ object: { spec } }) => (spec.source.persistentVolumeName === csi.persistentVolume ? [spec.nodeName] : []));
  }

  #podsOn(node: string): readonly StoredPod[] {
    const pods = this.#placed.of(node).flatMap((key) => {
      const { namespace, name } = splitKey(key);
      return this.#pods.get(namespace, name)?.object ?? [];
    });
    return pods.filter((pod) => !hasEnded(pod));
  }

  #volumesOf(pod: StoredPod): readonly AttachableVolume[] {
    return attachableVolumesOf(pod, {
      claimNamed: (namespace, name) => this.#claims.get(namespace, name)?.object,
      volumeNamed: (name) => this.#volumes.get('', name)?.object,
      driverNamed: (name) => this.#drivers.get('', name)?.object,
    });
  }

  /** A claim that is bound makes the volumes of its pods known. */
  #nodesOfClaim({ namespace, name, object }: SourceItem<StoredClaim>): readonly string[] {
    if (object.status?.phase !== 'Bound') return [];
    const users = this.#pods.list(namespace).filter((item) => this.#placed.nodeOf(sourceKey(item)) !== undefined && claimNamesOf(item.object).includes(name));
    return users.map((item) => sourceKey({ namespace: '', name: this.#placed.nodeOf(sourceKey(item)) ?? '' }));
  }

  /** Nodes that wait until this one has given the volume back. */
  #rivals({ spec: { nodeName, source } }: StoredAttachment): readonly string[] {
    const volume = this.#volumes.get('', source.persistentVolumeName ?? '')?.object;
    const uniqueName = volume && attachablePersistent(volume, { driverNamed: () => undefined })?.uniqueName;
    const waiting = uniqueName === undefined ? [] : this.#nodeVolumes.waitingFor(uniqueName);
    return waiting.flatMap((node) => (node === nodeName ? [] : [sourceKey({ namespace: '', name: node })]));
  }
}
