// Claims, volumes and what else of storage decides where a pod can run. What the scheduler is about to write counts before the server has
// heard of it: a volume that was promised to one pod is not offered to the next.
import type { KubernetesObject } from '#api/object.ts';
import type { Source, Sources } from '#api/source.ts';
import { kinds } from '#client/kinds.ts';
import type { ResourceAddress } from '#client/rest-client.ts';
import { classOf } from '#controllers/volumes/storage-objects.ts';
import { Assumed } from '#scheduler/cluster/assumed.ts';
import type { StoredPod } from '#scheduler/cluster/pod-facts.ts';
import type { Volume } from '#kinds/core/v1/volume/volume.ts';
import type { PersistentVolume } from '#kinds/core/v1/volume/persistent-volume.ts';
import type { PersistentVolumeClaim } from '#kinds/core/v1/volume/persistent-volume-claim.ts';
import type { CSIDriver } from '#kinds/storage/v1/csi-driver.ts';
import type { CSINode } from '#kinds/storage/v1/csi-node.ts';
import type { CSIStorageCapacity } from '#kinds/storage/v1/csi-storage-capacity.ts';
import type { StorageClass } from '#kinds/storage/v1/storage-class.ts';
import type { VolumeAttachment } from '#kinds/storage/v1/volume-attachment.ts';

export type StoredClaim = PersistentVolumeClaim & KubernetesObject;
export type StoredVolume = PersistentVolume & KubernetesObject;
export type StoredClass = StorageClass & KubernetesObject;

const storage = (resource: string, namespaced = false): ResourceAddress => ({ group: 'storage.k8s.io', version: 'v1', resource, namespaced });
export const storageKinds = {
  csiNodes: storage('csinodes'),
  csiDrivers: storage('csidrivers'),
  csiStorageCapacities: storage('csistoragecapacities', true),
  volumeAttachments: storage('volumeattachments'),
};

export class VolumeWorld {
  readonly claims: Assumed<StoredClaim>;
  readonly volumes: Assumed<StoredVolume>;
  readonly #sources: {
    readonly volumes: Source<StoredVolume>;
    readonly classes: Source<StoredClass>;
    readonly csiNodes: Source<CSINode & KubernetesObject>;
    readonly csiDrivers: Source<CSIDriver & KubernetesObject>;
    readonly capacities: Source<CSIStorageCapacity & KubernetesObject>;
    readonly attachments: Source<VolumeAttachment & KubernetesObject>;
  };
  readonly #waiting = new Set<() => void>();

  constructor(sources: Sources) {
    this.claims = new Assumed(sources.of<StoredClaim>(kinds.persistentVolumeClaims));
    this.#sources = {
      volumes: sources.of(kinds.persistentVolumes),
      classes: sources.of(kinds.storageClasses),
      csiNodes: sources.of(storageKinds.csiNodes),
      csiDrivers: sources.of(storageKinds.csiDrivers),
      capacities: sources.of(storageKinds.csiStorageCapacities),
      attachments: sources.of(storageKinds.volumeAttachments),
    };
    this.volumes = new Assumed(this.#sources.volumes);
  }

  storageClass(name: string): StoredClass | undefined {
    return this.#sources.classes.get('', name)?.object;
  }

  csiNode(name: string): (CSINode & KubernetesObject) | undefined {
    return this.#sources.csiNodes.get('', name)?.object;
  }

  csiDriver(name: string): (CSIDriver & KubernetesObject) | undefined {
    return this.#sources.csiDrivers.get('', name)?.object;
  }

  capacities(): readonly (CSIStorageCapacity & KubernetesObject)[] {
    return this.#sources.capacities.list().map(({ object }) => object);
  }

  attachmentsOn(nodeName: string): readonly (VolumeAttachment & KubernetesObject)[] {
    return this.#sources.attachments.list().flatMap(({ object }) => (object.spec?.nodeName === nodeName ? [object] : []));
  }

  volumesOfClass(className: string): readonly StoredVolume[] {
    return this.volumes.list().filter((volume) => classOf(volume) === className);
  }

  /** A claim or a volume changed: those that wait for their binding look again. */
  changed(): void {
    for (const look of this.#waiting) look();
  }

  /** Resolves with the next change, or when `signal` aborts. */
  async nextChange(signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => {
      const done = () => {
        this.#waiting.delete(done);
        signal.removeEventListener('abort', done);
        resolve();
      };
      this.#waiting.add(done);
      signal.addEventListener('abort', done, { once: true });
      if (signal.aborted) done();
    });
  }
}

/** The claim that a volume of a pod stands for, if it does. */
export function claimNameOf(pod: StoredPod, { name, persistentVolumeClaim, ephemeral }: Volume): string | undefined {
  return persistentVolumeClaim?.claimName ?? (ephemeral === undefined ? undefined : `${pod.metadata.name}-${name}`);
}

/** Why a claim of an ephemeral volume is not the pod's; undefined: it is. */
export function strangerReason({ metadata: pod }: StoredPod, { metadata: claim }: StoredClaim): string | undefined {
  const isOwner = claim.ownerReferences?.some(({ controller, uid }) => controller === true && uid === pod.uid) === true;
  if (isOwner) return undefined;
  return `PVC ${claim.namespace}/${claim.name} was not created for pod ${pod.namespace}/${pod.name} (pod is not owner)`;
}
