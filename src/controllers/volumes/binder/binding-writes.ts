// The writes of the binder, each only where it changes something: a binding is four of them, and whoever finds one half done does the rest.
import type { RestClient } from '#client/rest-client.ts';
import { kinds } from '#client/kinds.ts';
import { compareQuantities } from '#base/quantity.ts';
import type { LatestObjects } from '#controllers/latest-objects.ts';
import { storageOf } from '#controllers/volumes/find-volume.ts';
import { hasAnnotation, isMeantFor, storageAnnotations, type StoredClaim, type StoredVolume } from '#controllers/volumes/storage-objects.ts';

export type VolumePhase = 'Available' | 'Bound' | 'Released' | 'Failed';
export type ClaimPhase = 'Pending' | 'Bound' | 'Lost';

const preResizeAnnotation = 'volume.alpha.kubernetes.io/pre-resize-capacity';

export class BindingWrites {
  readonly #client: RestClient;
  readonly #volumes: LatestObjects<StoredVolume>;
  readonly #claims: LatestObjects<StoredClaim>;

  constructor(client: RestClient, volumes: LatestObjects<StoredVolume>, claims: LatestObjects<StoredClaim>) {
    this.#client = client;
    this.#volumes = volumes;
    this.#claims = claims;
  }

  async volume(volume: StoredVolume): Promise<StoredVolume> {
    return this.#volumes.wrote(await this.#client.update(kinds.persistentVolumes, volume));
  }

  async claim(claim: StoredClaim): Promise<StoredClaim> {
    return this.#claims.wrote(await this.#client.update(kinds.persistentVolumeClaims, claim));
  }

  async volumePhase(volume: StoredVolume, phase: VolumePhase, message = ''): Promise<StoredVolume> {
    if (volume.status?.phase === phase) return volume;
    const { message: _, ...status } = volume.status ?? {};
    const next = { ...volume, status: { ...status, phase, ...(message && { message }) } };
    return this.#volumes.wrote(await this.#client.update(kinds.persistentVolumes, next, 'status'));
  }

  /** `volume`: what the claim is bound to; without one its status tells nothing of a volume. */
  async claimStatus(claim: StoredClaim, phase: ClaimPhase, volume?: StoredVolume): Promise<StoredClaim> {
    const status = volume === undefined ? unboundStatus(claim, phase) : boundStatus(claim, phase, volume);
    if (status === undefined) return claim;
    return this.#claims.wrote(await this.#client.update(kinds.persistentVolumeClaims, { ...claim, status }, 'status'));
  }

  /** Both halves name each other, and both say that they are bound. */
  async bind(volume: StoredVolume, claim: StoredClaim): Promise<void> {
    const bound = await this.volumePhase(await this.#nameClaim(volume, claim), 'Bound');
    await this.claimStatus(await this.#nameVolume(claim, bound), 'Bound', bound);
  }

  /** Another volume has the claim, or the recycler has emptied this one: whoever pre-bound it keeps the name of the claim in it. */
  async unbind(volume: StoredVolume): Promise<void> {
    const { [storageAnnotations.boundByController]: byController, ...annotations } = volume.metadata.annotations ?? {};
    const { claimRef: { uid: _, ...claimRef } = {}, ...spec } = volume.spec;
    const metadata = { ...volume.metadata, annotations };
    const next = byController === undefined ? { ...volume, spec: { ...spec, claimRef } } : { ...volume, metadata, spec };
    await this.volumePhase(await this.volume(next as StoredVolume), 'Available');
  }

  async #nameClaim(volume: StoredVolume, claim: StoredClaim): Promise<StoredVolume> {
    const { namespace, name, uid, resourceVersion } = claim.metadata;
    const { claimRef } = volume.spec;
    const isNamed = claimRef?.name === name && claimRef?.namespace === namespace && claimRef?.uid === uid;
    const isMarked = isMeantFor(volume, claim) || hasAnnotation(volume, storageAnnotations.boundByController);
    if (isNamed && isMarked) return volume;
    const reference = { kind: 'PersistentVolumeClaim', namespace, name, uid, apiVersion: 'v1', resourceVersion };
    return this.volume({
      ...(isMarked ? volume : annotated(volume, { [storageAnnotations.boundByController]: 'yes' })),
      spec: { ...volume.spec, claimRef: isNamed ? claimRef : reference },
    } as StoredVolume);
  }

  async #nameVolume(claim: StoredClaim, { metadata: { name: volumeName } }: StoredVolume): Promise<StoredClaim> {
    const isNamed = claim.spec.volumeName === volumeName;
    if (isNamed && hasAnnotation(claim, storageAnnotations.bindCompleted)) return claim;
    const marks = { [storageAnnotations.bindCompleted]: 'yes', ...(!isNamed && { [storageAnnotations.boundByController]: 'yes' }) };
    return this.claim({ ...annotated(claim, marks), spec: { ...claim.spec, volumeName } } as StoredClaim);
  }
}

export function annotated<T extends StoredVolume | StoredClaim>(object: T, annotations: Readonly<Record<string, string>>): T {
  return { ...object, metadata: { ...object.metadata, annotations: { ...object.metadata.annotations, ...annotations } } };
}

/** Undefined: that is what it says already. */
function unboundStatus({ status = {} }: StoredClaim, phase: ClaimPhase): StoredClaim['status'] | undefined {
  const { accessModes, capacity, currentVolumeAttributesClassName, ...others } = status;
  if (status.phase === phase && accessModes === undefined && capacity === undefined && currentVolumeAttributesClassName === undefined) return undefined;
  return { ...others, phase };
}

function boundStatus({ status = {} }: StoredClaim, phase: ClaimPhase, volume: StoredVolume): StoredClaim['status'] | undefined {
  const hasModes = String(status.accessModes) === String(volume.spec.accessModes);
  if (status.phase === phase && hasModes) return undefined;
  const { accessModes } = volume.spec;
  const next = { ...status, phase, ...(accessModes && { accessModes }) };
  if (status.phase === phase) return next;
  const attributesClass = volume.spec.volumeAttributesClassName;
  const isNew = status.phase === 'Pending' && attributesClass !== undefined;
  return { ...next, capacity: capacityAtBinding(status.capacity, volume), ...(isNew && { currentVolumeAttributesClassName: attributesClass }) };
}

/** Later the size is told by whoever resizes the volume. */
function capacityAtBinding(known: Record<string, string> | undefined, { metadata, spec }: StoredVolume): Record<string, string> {
  const beforeResize = metadata.annotations?.[preResizeAnnotation];
  if (beforeResize !== undefined) return { ...known, storage: beforeResize };
  const isKnown = known?.['storage'] !== undefined && compareQuantities(storageOf(known), storageOf(spec.capacity)) === 0;
  return isKnown ? known : { ...spec.capacity };
}
