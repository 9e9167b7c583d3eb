// One volume: whether its claim still holds it, and what becomes of it when not.
import { sourceKey } from '#api/source.ts';
import { kinds } from '#client/kinds.ts';
import type { RestClient } from '#client/rest-client.ts';
import type { LatestObjects } from '#controllers/latest-objects.ts';
import type { BindingWrites } from '#controllers/volumes/binder/binding-writes.ts';
import { reclaimVolume } from '#controllers/volumes/binder/reclaim-volume.ts';
import { volumeUpkeep } from '#controllers/volumes/binder/volume-upkeep.ts';
import type { StoredPod } from '#controllers/volumes/claim-users.ts';
import { modeOf } from '#controllers/volumes/find-volume.ts';
import { hasAnnotation, storageAnnotations, type StoredClaim, type StoredVolume } from '#controllers/volumes/storage-objects.ts';

type Tell<T> = (object: T, type: 'Normal' | 'Warning', reason: string, message: string) => void;

export interface VolumeBindingOptions {
  readonly client: RestClient;
  readonly volumes: LatestObjects<StoredVolume>;
  readonly claims: LatestObjects<StoredClaim>;
  readonly writes: BindingWrites;
  readonly usersOf: (namespace: string, name: string) => readonly StoredPod[];
  /** The claim of a volume is not bound: it has to be looked at. */
  readonly onUnboundClaim: (key: string) => void;
  readonly tell: Tell<StoredVolume>;
  readonly tellClaim: Tell<StoredClaim>;
}

export class VolumeBinding {
  readonly #options: VolumeBindingOptions;

  constructor(options: VolumeBindingOptions) {
    this.#options = options;
  }

  async look(name: string): Promise<void> {
    const { volumes, writes } = this.#options;
    const stored = volumes.get('', name);
    if (stored === undefined) return volumes.forget('', name);
    const changed = volumeUpkeep(stored);
    const volume = changed ? await writes.volume(changed) : stored;
    // Without a uid it waits for a claim that is yet to come.
    if (!volume.spec.claimRef?.uid) return void (await writes.volumePhase(volume, 'Available'));
    const claim = await this.#claimOf(volume);
    if (claim === undefined) return await this.#release(volume);
    if (!claim.spec.volumeName) return this.#awaitClaim(volume, claim);
    if (claim.spec.volumeName === name) return void (await writes.volumePhase(volume, 'Bound'));
    const isOwn = hasAnnotation(volume, storageAnnotations.provisionedBy) && volume.spec.persistentVolumeReclaimPolicy === 'Delete';
    await (isOwn ? this.#release(volume) : writes.unbind(volume));
  }

  /** Undefined: gone, or another claim of that name. A volume is given up only when the server itself says so. */
  async #claimOf({ spec, status }: StoredVolume): Promise<StoredClaim | undefined> {
    const { namespace = '', name = '', uid } = spec.claimRef ?? {};
    const known = this.#options.claims.get(namespace, name);
    if (known?.metadata.uid === uid) return known;
    const isGivenUp = status?.phase === 'Released' || status?.phase === 'Failed';
    if (known === undefined && isGivenUp) return undefined;
    const current = await this.#options.client.find<StoredClaim>(kinds.persistentVolumeClaims, namespace, name);
    return current?.metadata.uid === uid ? current : undefined;
  }

  #awaitClaim(volume: StoredVolume, claim: StoredClaim): void {
    const { namespace = '', name = '' } = claim.metadata;
    if (modeOf(volume) === modeOf(claim)) return this.#options.onUnboundClaim(sourceKey({ namespace, name }));
    const [ofVolume, ofClaim] = [JSON.stringify(volume.metadata.name), JSON.stringify(name)];
    const toVolume = `Cannot bind PersistentVolume to requested PersistentVolumeClaim ${ofClaim} due to incompatible volumeMode.`;
    this.#options.tell(volume, 'Warning', 'VolumeMismatch', toVolume);
    const toClaim = `Cannot bind PersistentVolume ${ofVolume} to requested PersistentVolumeClaim due to incompatible volumeMode.`;
    this.#options.tellClaim(claim, 'Warning', 'VolumeMismatch', toClaim);
  }

  async #release(volume: StoredVolume): Promise<void> {
    const { client, writes, tell } = this.#options;
    const isGivenUp = volume.status?.phase === 'Released' || volume.status?.phase === 'Failed';
    const released = isGivenUp ? volume : await writes.volumePhase(volume, 'Released');
    const usersOf = ({ spec }: StoredVolume) => this.#usersOf(spec.claimRef?.namespace ?? '', spec.claimRef?.name ?? '');
    await reclaimVolume({ client, writes, tell, usersOf, isReleased: (current) => this.#isReleased(current) }, released);
  }

  /** Pods that still name a claim which is gone; a claim that was made again has them. */
  #usersOf(namespace: string, name: string): readonly string[] {
    if (this.#options.claims.get(namespace, name) !== undefined) return [];
    return this.#options.usersOf(namespace, name).map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
  }

  #isReleased({ metadata, spec: { claimRef } }: StoredVolume): boolean {
    if (!claimRef?.uid) return false;
    const claim = this.#options.claims.get(claimRef.namespace ?? '', claimRef.name ?? '');
    if (claim?.metadata.uid !== claimRef.uid) return true;
    return Boolean(claim?.spec.volumeName) && claim?.spec.volumeName !== metadata.name;
  }
}
