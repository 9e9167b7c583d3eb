// One claim: which volume it gets, or why it has to wait.
import { splitKey } from '#api/source.ts';
import type { MetricSet } from '#base/metric-set.ts';
import type { LatestObjects } from '#controllers/latest-objects.ts';
import type { BindingWrites } from '#controllers/volumes/binder/binding-writes.ts';
import { provisionClaim } from '#controllers/volumes/binder/provision-claim.ts';
import { claimUpkeep } from '#controllers/volumes/binder/volume-upkeep.ts';
import type { StoredPod } from '#controllers/volumes/claim-users.ts';
import { findVolume, mismatchOf } from '#controllers/volumes/find-volume.ts';
import {
  classOf,
  hasAnnotation,
  isMeantFor,
  namesClass,
  storageAnnotations,
  type StoredClaim,
  type StoredClass,
  type StoredVolume,
} from '#controllers/volumes/storage-objects.ts';

export interface ClaimBindingOptions {
  readonly volumes: LatestObjects<StoredVolume>;
  readonly claims: LatestObjects<StoredClaim>;
  readonly writes: BindingWrites;
  /** Names of the volumes that may fit. */
  readonly candidates: (claim: StoredClaim) => readonly string[];
  readonly classNamed: (name: string) => StoredClass | undefined;
  readonly defaultClass: () => StoredClass | undefined;
  readonly usersOf: (namespace: string, name: string) => readonly StoredPod[];
  readonly metrics: MetricSet;
  readonly tell: (claim: StoredClaim, type: 'Normal' | 'Warning', reason: string, message: string) => void;
}

/** --pvclaimbinder-sync-period: a claim that waits tries again after this time. */
const againMs = 15_000;

type Outcome = { readonly againMs: number } | void;

export class ClaimBinding {
  readonly #options: ClaimBindingOptions;
  readonly #assigned: (failed: boolean) => void;

  constructor(options: ClaimBindingOptions) {
    this.#options = options;
    const total = options.metrics.counter({ name: 'retroactive_storageclass_total', help: 'Claims that were given the default class later' });
    const errors = options.metrics.counter({ name: 'retroactive_storageclass_errors_total', help: 'Claims for which that failed' });
    this.#assigned = (failed) => {
      total.at().value += 1;
      errors.at().value += failed ? 1 : 0;
    };
  }

  async look(key: string): Promise<Outcome> {
    const { namespace, name } = splitKey(key);
    const stored = this.#options.claims.get(namespace, name);
    if (stored === undefined) return;
    const changed = claimUpkeep(stored);
    const claim = changed ? await this.#options.writes.claim(changed) : stored;
    if (hasAnnotation(claim, storageAnnotations.bindCompleted)) return await this.#keepBound(claim);
    return claim.spec.volumeName ? await this.#bindToNamed(claim, claim.spec.volumeName) : await this.#findOne(claim);
  }

  async #findOne(claim: StoredClaim): Promise<Outcome> {
    const { candidates, volumes, writes, tell } = this.#options;
    const storageClass = this.#options.classNamed(classOf(claim));
    const delayBinding = storageClass?.volumeBindingMode === 'WaitForFirstConsumer';
    const all = candidates(claim).flatMap((name) => volumes.get('', name) ?? []);
    const volume = findVolume(claim, all, { delayBinding });
    if (volume !== undefined) return await writes.bind(volume, claim);
    if (await this.#assignDefaultClass(claim)) return;
    if (delayBinding && !hasAnnotation(claim, storageAnnotations.selectedNode)) this.#tellDelay(claim);
    else if (classOf(claim) !== '') {
      await provisionClaim({ writes, tell }, claim, storageClass);
      return { againMs };
    } else tell(claim, 'Normal', 'FailedBinding', 'no persistent volumes available for this claim and no storage class is set');
    await writes.claimStatus(claim, 'Pending');
    return { againMs };
  }

  /** A claim that was made while there was no default class gets the one that came since. */
  async #assignDefaultClass(claim: StoredClaim): Promise<boolean> {
    const storageClass = namesClass(claim) ? undefined : this.#options.defaultClass();
    if (storageClass === undefined) return false;
    try {
      await this.#options.writes.claim({ ...claim, spec: { ...claim.spec, storageClassName: storageClass.metadata.name } } as StoredClaim);
    } catch (error) {
      this.#assigned(true);
      throw error;
    }
    this.#assigned(false);
    return true;
  }

  #tellDelay(claim: StoredClaim): void {
    const { namespace = '', name = '' } = claim.metadata;
    const waiting = this.#options.usersOf(namespace, name).flatMap(({ metadata, spec }) => (spec?.nodeName ? [] : [metadata.name ?? '']));
    if (waiting.length === 0) {
      return this.#options.tell(claim, 'Normal', 'WaitForFirstConsumer', 'waiting for first consumer to be created before binding');
    }
    const named = waiting.length > 1 ? `pods ${waiting.join(',')}` : `pod ${waiting[0]}`;
    this.#options.tell(claim, 'Normal', 'WaitForPodScheduled', `waiting for ${named} to be scheduled`);
  }

  /** The user, or a binding that was not finished, has chosen the volume. */
  async #bindToNamed(claim: StoredClaim, volumeName: string): Promise<Outcome> {
    const { volumes, writes, tell } = this.#options;
    const volume = volumes.get('', volumeName);
    if (volume === undefined) {
      await writes.claimStatus(claim, 'Pending');
      return { againMs };
    }
    if (isMeantFor(volume, claim)) return await writes.bind(volume, claim);
    if (volume.spec.claimRef !== undefined) {
      tell(claim, 'Warning', 'FailedBinding', `volume ${JSON.stringify(volumeName)} already bound to a different claim.`);
      if (hasAnnotation(claim, storageAnnotations.boundByController)) {
        throw new Error(`the controller itself has bound the claim ${claim.metadata.name} to ${volumeName}, which another claim has`);
      }
      await writes.claimStatus(claim, 'Pending');
      return { againMs };
    }
    const why = mismatchOf(volume, claim);
    if (why === undefined) return await writes.bind(volume, claim);
    tell(claim, 'Warning', 'VolumeMismatch', `Cannot bind to requested volume ${JSON.stringify(volumeName)}: ${why}`);
    await writes.claimStatus(claim, 'Pending');
    return { againMs };
  }

  async #keepBound(claim: StoredClaim): Promise<void> {
    const { volumes, writes } = this.#options;
    const { volumeName } = claim.spec;
    if (!volumeName) return await this.#lose(claim, 'ClaimLost', 'Bound claim has lost reference to PersistentVolume. Data on the volume is lost!');
    const volume = volumes.get('', volumeName);
    if (volume === undefined) return await this.#lose(claim, 'ClaimLost', 'Bound claim has lost its PersistentVolume. Data on the volume is lost!');
    const { claimRef } = volume.spec;
    if (claimRef === undefined || claimRef.uid === claim.metadata.uid) return await writes.bind(volume, claim);
    await this.#lose(claim, 'ClaimMisbound', 'Two claims are bound to the same volume, this one is bound incorrectly');
  }

  async #lose(claim: StoredClaim, reason: string, message: string): Promise<void> {
    if (claim.status?.phase === 'Lost') return;
    this.#options.tell(await this.#options.writes.claimStatus(claim, 'Lost'), 'Warning', reason, message);
  }
}
