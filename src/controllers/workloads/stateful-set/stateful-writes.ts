// Makes, corrects and deletes the numbered pods of a StatefulSet with their claims, and tells it in Events of the set, in the words of the
// original's StatefulPodControl.
import { ApiError } from '#api/api-error.ts';
import type { KubernetesObject } from '#api/object.ts';
import type { Source } from '#api/source.ts';
import { messageOf } from '#base/message-of.ts';
import { type CoreEventRecorder, regarding } from '#client/core-event-recorder.ts';
import { kinds } from '#client/kinds.ts';
import type { RestClient } from '#client/rest-client.ts';
import type { OwnWrites } from '#controllers/workloads/own-writes.ts';
import type { PodView, StoredPod } from '#controllers/workloads/pod-view.ts';
import { claimNames, claimsOf, hasOtherController, isStaleClaim, neededOwners, type StoredClaim } from '#controllers/workloads/stateful-set/claims.ts';
import type { StoredStatefulSet } from '#controllers/workloads/stateful-set/ordinals.ts';

export interface StatefulWritesOptions {
  readonly client: RestClient;
  readonly claims: Source<StoredClaim>;
  readonly events: CoreEventRecorder;
  readonly ownWrites: OwnWrites;
}

type Verb = 'create' | 'update' | 'delete';

export class StatefulWrites {
  readonly #options: StatefulWritesOptions;

  constructor(options: StatefulWritesOptions) {
    this.#options = options;
  }

  async create(key: string, set: StoredStatefulSet, pod: KubernetesObject): Promise<void> {
    const { name = '', namespace = '' } = pod.metadata;
    await this.#telling('create', set, name, () => this.createClaims(set, name));
    let made: StoredPod;
    try {
      made = (await this.#options.client.create(kinds.pods, namespace, pod)) as StoredPod;
    } catch (error) {
      // The pod is there, and was not known here yet.
      if (!(error instanceof ApiError && error.code === 409)) this.#tellPod('create', set, name, error);
      throw error;
    }
    this.#options.ownWrites.wrote(key, made);
    await this.#telling('update', set, name, () => this.correctClaims(set, { name, uid: made.metadata.uid ?? '' }));
    this.#tellPod('create', set, name);
  }

  async update(key: string, set: StoredStatefulSet, pod: StoredPod): Promise<void> {
    const { name = '', uid = '' } = pod.metadata;
    try {
      await this.createClaims(set, name);
      await this.correctClaims(set, { name, uid });
      this.#options.ownWrites.wrote(key, await this.#options.client.update(kinds.pods, pod));
      this.#tellPod('update', set, name);
    } catch (error) {
      this.#tellPod('update', set, name, error);
      throw error;
    }
  }

  async delete(key: string, set: StoredStatefulSet, pod: PodView): Promise<void> {
    const { ownWrites, client } = this.#options;
    ownWrites.deleting(key, pod);
    try {
      await client.delete(kinds.pods, pod.namespace, pod.name, { preconditions: { uid: pod.uid } });
    } catch (error) {
      ownWrites.kept(key, pod);
      const isGone = error instanceof ApiError && (error.code === 404 || error.code === 409);
      if (!isGone) this.#tellPod('delete', set, pod.name, error);
      if (!isGone) throw error;
    }
    this.#tellPod('delete', set, pod.name);
  }

  /** True: a claim of an earlier pod of this name is about to go. */
  hasStaleClaim(set: StoredStatefulSet, podName: string): boolean {
    return this.#claims(set, podName).some((claim) => isStaleClaim(set, claim, podName));
  }

  claimsMatch(set: StoredStatefulSet, { name, uid }: Pick<PodView, 'name' | 'uid'>): boolean {
    return this.#claims(set, name).every((claim) => neededOwners(set, claim, { metadata: { name, uid } }) === undefined);
  }

  /** Gives the claims of a pod the owners that the retention policy wants. */
  async correctClaims(set: StoredStatefulSet, { name, uid }: Pick<PodView, 'name' | 'uid'>): Promise<void> {
    const pod = { metadata: { name, uid } };
    for (const claim of this.#claims(set, name)) {
      if (hasOtherController(set, claim, pod)) this.#tellConflict(set, claim);
      const ownerReferences = neededOwners(set, claim, pod);
      if (ownerReferences === undefined) continue;
      const metadata = { ...claim.metadata, ownerReferences: [...ownerReferences] };
      await this.#options.client.update(kinds.persistentVolumeClaims, { ...claim, metadata });
    }
  }

  async createClaims(set: StoredStatefulSet, podName: string): Promise<void> {
    const failures: string[] = [];
    for (const claim of claimsOf(set, podName)) {
      const { name = '', namespace = '' } = claim.metadata;
      const there = this.#options.claims.get(namespace, name)?.object;
      if (there?.metadata.deletionTimestamp !== undefined) failures.push(`pvc ${name} is being deleted`);
      if (there === undefined) failures.push(...(await this.#createClaim(set, claim, podName)));
    }
    if (failures.length > 0) throw new Error(failures.length === 1 ? failures[0] : `[${failures.join(', ')}]`);
  }

  /** Returns why it could not be made. */
  async #createClaim(set: StoredStatefulSet, claim: StoredClaim, podName: string): Promise<readonly string[]> {
    const { name = '', namespace = '' } = claim.metadata;
    const about = regarding(kinds.statefulSets, set);
    const words = `Create Claim ${name}`;
    const setName = set.metadata.name;
    try {
      await this.#options.client.create(kinds.persistentVolumeClaims, namespace, { spec: claim.spec, metadata: claim.metadata, kind: 'PersistentVolumeClaim' });
      this.#options.events.event(about, 'Normal', 'SuccessfulCreate', `${words} Pod ${podName} in StatefulSet ${setName} success`);
      return [];
    } catch (error) {
      // It is there, and was not known here yet.
      if (error instanceof ApiError && error.reason === 'AlreadyExists') return [];
      const message = `${words} for Pod ${podName} in StatefulSet ${setName} failed error: ${messageOf(error)}`;
      this.#options.events.event(about, 'Warning', 'FailedCreate', message);
      return [`failed to create PVC ${name}: ${messageOf(error)}`];
    }
  }

  #claims(set: StoredStatefulSet, podName: string): readonly StoredClaim[] {
    const { namespace = '' } = set.metadata;
    return claimNames(set, podName).flatMap((name) => this.#options.claims.get(namespace, name)?.object ?? []);
  }

  async #telling(verb: Verb, set: StoredStatefulSet, podName: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#tellPod(verb, set, podName, error);
      throw error;
    }
  }

  #tellPod(verb: Verb, set: StoredStatefulSet, podName: string, error?: unknown): void {
    const title = `${verb[0]?.toUpperCase()}${verb.slice(1)}`;
    const words = `${title} Pod ${podName} in StatefulSet ${set.metadata.name}`;
    const about = regarding(kinds.statefulSets, set);
    if (error === undefined) this.#options.events.event(about, 'Normal', `Successful${title}`, `${words} successful`);
    else this.#options.events.event(about, 'Warning', `Failed${title}`, `${words} failed error: ${messageOf(error)}`);
  }

  #tellConflict(set: StoredStatefulSet, claim: StoredClaim): void {
    const message =
      `PersistentVolumeClaim ${claim.metadata.name} has a conflicting OwnerReference that acts as a manging controller, ` +
      'the retention policy is ignored for this claim';
    this.#options.events.event(regarding(kinds.statefulSets, set), 'Warning', 'ConflictingController', message);
  }
}
