// Binds claims to volumes, and tells what becomes of both: the persistentvolume-binder-controller of the original. A claim looks for a volume
// when it changes, when a volume that comes free is offered to it, and every now and then; a volume looks after its claim.
import { mirror, type Source, sourceKey, splitKey } from '#api/source.ts';
import { CoreEventRecorder, regarding } from '#client/core-event-recorder.ts';
import { kinds } from '#client/kinds.ts';
import { type Controller, controller, type KeySource, keysOf, together } from '#controllers/controller.ts';
import { LatestObjects } from '#controllers/latest-objects.ts';
import { BindingWrites } from '#controllers/volumes/binder/binding-writes.ts';
import { ClaimBinding } from '#controllers/volumes/binder/claim-binding.ts';
import { VolumeBinding } from '#controllers/volumes/binder/volume-binding.ts';
import { VolumeIndex } from '#controllers/volumes/binder/volume-index.ts';
import { WaitingClaims } from '#controllers/volumes/binder/waiting-claims.ts';
import { type StoredPod, usersOfClaim } from '#controllers/volumes/claim-users.ts';
import { findVolume } from '#controllers/volumes/find-volume.ts';
import { classOf, defaultClassOf, hasAnnotation, namesClass, storageAnnotations } from '#controllers/volumes/storage-objects.ts';
import type { StoredClaim, StoredClass, StoredVolume } from '#controllers/volumes/storage-objects.ts';
import type { VolumeLoopOptions } from '#controllers/volumes/volume-loop-options.ts';

const retry = { firstMs: 5, maxMs: 1_000_000 };

export function volumeBinder(options: VolumeLoopOptions): Controller {
  return new VolumeBinder(options).controller;
}

class VolumeBinder {
  readonly controller: Controller;
  readonly #volumes: Source<StoredVolume>;
  readonly #claims: Source<StoredClaim>;
  readonly #classes: Source<StoredClass>;
  readonly #index = new VolumeIndex();
  readonly #waiting = new WaitingClaims();

  constructor(options: VolumeLoopOptions) {
    const { client, sources } = options;
    this.#volumes = sources.of<StoredVolume>(kinds.persistentVolumes);
    this.#claims = sources.of<StoredClaim>(kinds.persistentVolumeClaims);
    this.#classes = sources.of<StoredClass>(kinds.storageClasses);
    const pods = sources.of<StoredPod>(kinds.pods);
    const [volumes, claims] = [new LatestObjects(this.#volumes), new LatestObjects(this.#claims)];
    const events = new CoreEventRecorder({ ...options, component: 'persistentvolume-controller' });
    const shared = { client, volumes, claims, writes: new BindingWrites(client, volumes, claims), usersOf: usersOfClaim(pods) };
    const claimBinding = new ClaimBinding({
      ...shared,
      candidates: (claim) => this.#index.namesFor(claim),
      classNamed: (name) => this.#classes.get('', name)?.object,
      defaultClass: () => defaultClassOf(this.#classes.list().map(({ object }) => object)),
      metrics: options.metrics.ofLoops,
      tell: (claim, type, reason, message) => events.event(regarding(kinds.persistentVolumeClaims, claim), type, reason, message),
    });
    const volumeBinding = new VolumeBinding({
      ...shared,
      onUnboundClaim: (key) => ofClaims.enqueue(key),
      tellClaim: (claim, type, reason, message) => events.event(regarding(kinds.persistentVolumeClaims, claim), type, reason, message),
      tell: (volume, type, reason, message) => events.event(regarding(kinds.persistentVolumes, volume), type, reason, message),
    });
    // Pods are read, and followed only so that they are known before the first claim is looked at.
    const known = keysOf(pods, () => []);
    const ofClaims = controller({
      ...options,
      name: 'claims',
      sources: [this.#followClaims((volume) => ofVolumes.enqueue(volume)), this.#followClasses(), known],
      reconcile: (key) => claimBinding.look(key),
      retry,
    });
    const ofVolumes: Controller = controller({
      ...options,
      name: 'volumes',
      sources: [this.#followVolumes((claim) => ofClaims.enqueue(claim)), known],
      reconcile: (key) => volumeBinding.look(splitKey(key).name),
      retry,
    });
    this.controller = together(ofClaims, ofVolumes);
  }

  #followClaims(onVolume: (key: string) => void): KeySource {
    /** What each claim is bound to: a claim that goes frees its volume. */
    const boundTo = new Map<string, string>();
    return (enqueue, signal) => {
      const put = (claim: StoredClaim) => {
        const { namespace = '', name = '' } = claim.metadata;
        const key = sourceKey({ namespace, name });
        if (hasAnnotation(claim, storageAnnotations.bindCompleted)) this.#offerAgain(this.#waiting.delete(key), enqueue);
        else this.#waiting.set(key, classOf(claim), claim.spec.volumeName);
        if (claim.spec.volumeName) boundTo.set(key, sourceKey({ namespace: '', name: claim.spec.volumeName }));
        enqueue(key);
      };
      const drop = (namespace: string, name: string) => {
        const key = sourceKey({ namespace, name });
        const volume = boundTo.get(key);
        boundTo.delete(key);
        enqueue(key);
        this.#offerAgain(this.#waiting.delete(key), enqueue);
        if (volume !== undefined) onVolume(volume);
      };
      return this.#claims.follow(mirror({ put, drop }), signal);
    };
  }

  #followVolumes(onClaim: (key: string) => void): KeySource {
    const claimOf = new Map<string, string>();
    return (enqueue, signal) => {
      const put = (volume: StoredVolume) => {
        const { name = '' } = volume.metadata;
        const { claimRef } = volume.spec;
        const before = claimOf.get(name);
        const now = claimRef && sourceKey({ namespace: claimRef.namespace ?? '', name: claimRef.name ?? '' });
        this.#index.put(volume);
        if (now === undefined) claimOf.delete(name);
        else claimOf.set(name, now);
        enqueue(sourceKey({ namespace: '', name }));
        for (const claim of new Set([before, now])) if (claim !== undefined) onClaim(claim);
        this.#waiting.asking(name).forEach(onClaim);
        if (now !== undefined) this.#waiting.withdraw(name);
        else this.#offer(volume, onClaim);
      };
      const drop = (_: string, name: string) => {
        const claim = claimOf.get(name);
        this.#index.drop(name);
        this.#waiting.withdraw(name);
        claimOf.delete(name);
        enqueue(sourceKey({ namespace: '', name }));
        if (claim !== undefined) onClaim(claim);
      };
      return this.#volumes.follow(mirror({ put, drop }), signal);
    };
  }

  #offer(volume: StoredVolume, onClaim: (key: string) => void): void {
    if (volume.status?.phase !== 'Available') return;
    const delayBinding = this.#classes.get('', classOf(volume))?.object.volumeBindingMode === 'WaitForFirstConsumer';
    const fits = (key: string) => {
      const { namespace, name } = splitKey(key);
      const claim = this.#claims.get(namespace, name)?.object;
      return claim !== undefined && claim.metadata.deletionTimestamp === undefined && findVolume(claim, [volume], { delayBinding }) !== undefined;
    };
    const claim = this.#waiting.offer(volume.metadata.name ?? '', classOf(volume), fits);
    if (claim !== undefined) onClaim(claim);
  }

  /** To another claim, where the one that it was offered to has not taken it. */
  #offerAgain(name: string | undefined, onClaim: (key: string) => void): void {
    const volume = name === undefined ? undefined : this.#volumes.get('', name)?.object;
    if (volume !== undefined && volume.spec.claimRef === undefined) this.#offer(volume, onClaim);
  }

  /** A class that comes, or becomes the default, is news for claims that wait for it, or name none. */
  #followClasses(): KeySource {
    const isForClass = (key: string, wanted: string, name: string) => {
      const { namespace, name: claimName } = splitKey(key);
      const claim = this.#claims.get(namespace, claimName)?.object;
      return wanted === name || (claim !== undefined && !namesClass(claim));
    };
    return keysOf(this.#classes, ({ name }) => this.#waiting.filter((key, wanted) => isForClass(key, wanted, name)));
  }
}
