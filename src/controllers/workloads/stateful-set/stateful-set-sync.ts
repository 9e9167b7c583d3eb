// One look at the pods of a StatefulSet: in their order, or all at once, missing ones are made, superfluous ones deleted, and one after the
// other is brought to the newest revision.
import type { KubernetesObject } from '#api/object.ts';
import { intOrPercent } from '#controllers/int-or-percent.ts';
import { isAvailable, type PodView, type StoredPod } from '#controllers/workloads/pod-view.ts';
import { templateOf } from '#controllers/workloads/revisions/revision-data.ts';
import { slowStart } from '#controllers/workloads/slow-start.ts';
import { storageMatches } from '#controllers/workloads/stateful-set/claims.ts';
import {
  isInRange,
  ordinalOf,
  podNameLabel,
  podNameOf,
  replicasOf,
  revisionLabel,
  startOf,
  type StoredStatefulSet,
} from '#controllers/workloads/stateful-set/ordinals.ts';
import type { StatefulHistory } from '#controllers/workloads/stateful-set/stateful-history.ts';
import { corrected, statefulPod } from '#controllers/workloads/stateful-set/stateful-pod.ts';
import {
  countPods,
  isRunningAndReady,
  isUnavailable,
  type RevisionNames,
  type StatefulSetStatus,
} from '#controllers/workloads/stateful-set/stateful-set-status.ts';
import type { StatefulWrites } from '#controllers/workloads/stateful-set/stateful-writes.ts';
import type { PodTemplateSpec } from '#kinds/core/v1/pod/pod-template-spec.ts';

export interface StatefulSyncParts {
  readonly writes: StatefulWrites;
  readonly key: string;
  readonly now: number;
  readonly objectOf: (pod: PodView) => StoredPod | undefined;
  /** The gate MaxUnavailableStatefulSet. */
  readonly allowsMaxUnavailable: boolean;
}

/** A number, with its pod where there is one. */
interface Replica {
  readonly ordinal: number;
  readonly pod: PodView | undefined;
}

/** `wait`: what comes after it has to wait. */
type Outcome = 'go on' | 'wait';

export class StatefulSetSync {
  readonly #parts: StatefulSyncParts;
  readonly #set: StoredStatefulSet;
  readonly #history: StatefulHistory;
  readonly #pods: readonly PodView[];
  readonly #replicas: readonly Replica[];
  /** Highest number first. */
  readonly #condemned: readonly PodView[];
  /** Deleted for an update by this look. */
  #updating = 0;

  constructor(parts: StatefulSyncParts, set: StoredStatefulSet, history: StatefulHistory, pods: readonly PodView[]) {
    this.#parts = parts;
    this.#set = set;
    this.#history = history;
    this.#pods = pods;
    const byOrdinal = new Map(pods.map((pod) => [ordinalOf(pod.name), pod]));
    this.#replicas = Array.from({ length: replicasOf(set) }, (_, index) => startOf(set) + index).map((ordinal) => ({ ordinal, pod: byOrdinal.get(ordinal) }));
    this.#condemned = pods
      .filter(({ name }) => ordinalOf(name) >= 0 && !isInRange(set, ordinalOf(name)))
      .toSorted((a, b) => ordinalOf(b.name) - ordinalOf(a.name));
  }

  /** Does what can be done now. A failure leaves a status to be told too. */
  async run(): Promise<{ readonly failure?: unknown }> {
    if (this.#set.metadata.deletionTimestamp !== undefined) return {};
    try {
      const wasBrought = await this.#forAll(this.#replicas, (replica) => this.#bring(replica));
      if (!wasBrought || !(await this.#forAll(this.#condemned, (pod) => this.#correctClaims(pod)))) return {};
      const firstUnavailable = this.#firstUnavailable();
      if (!(await this.#forAll(this.#condemned, (pod) => this.#condemn(pod, firstUnavailable)))) return {};
      if (this.#set.spec.updateStrategy.type !== 'OnDelete') await this.#updatePods();
      return {};
    } catch (failure) {
      return { failure };
    }
  }

  status(): StatefulSetStatus {
    const { collisionCount } = this.#history;
    const names = this.#revisionNames;
    const counted = countPods(this.#set, this.#pods, names, this.#parts.now);
    return {
      observedGeneration: this.#set.metadata.generation,
      ...counted,
      currentReplicas: counted.currentReplicas - this.#updating,
      currentRevision: names.current,
      updateRevision: names.update,
      collisionCount,
    };
  }

  get #revisionNames(): RevisionNames {
    return { current: this.#history.current.metadata.name ?? '', update: this.#history.update.metadata.name ?? '' };
  }

  get #isOrdered(): boolean {
    return this.#set.spec.podManagementPolicy !== 'Parallel';
  }

  /** False: something has to be waited for. Where pods are not in order nothing is. */
  async #forAll<T>(all: readonly T[], work: (one: T) => Promise<Outcome>): Promise<boolean> {
    if (!this.#isOrdered) {
      const { failure } = await slowStart(all.length, async (index) => void (await work(all[index] as T)));
      if (failure !== undefined) throw failure;
      return true;
    }
    for (const one of all) if ((await work(one)) === 'wait') return false;
    return true;
  }

  async #bring({ ordinal, pod }: Replica): Promise<Outcome> {
    const { writes, key } = this.#parts;
    if (pod === undefined) return this.#create(ordinal);
    if (pod.phase === 'Failed' || pod.phase === 'Succeeded') {
      if (!pod.isDeleting) await writes.delete(key, this.#set, pod);
      return 'wait';
    }
    if (pod.phase === 'Pending') {
      await writes.createClaims(this.#set, pod.name);
      await writes.correctClaims(this.#set, pod);
    }
    if (this.#isOrdered && (pod.isDeleting || !isRunningAndReady(pod) || !isAvailable(pod, this.#set.spec.minReadySeconds ?? 0, this.#parts.now)))
      return 'wait';
    await this.#correct(pod);
    return 'go on';
  }

  async #create(ordinal: number): Promise<Outcome> {
    const { writes, key } = this.#parts;
    if (writes.hasStaleClaim(this.#set, podNameOf(this.#set, ordinal))) return 'wait';
    await writes.create(key, this.#set, this.#newPod(ordinal));
    return this.#isOrdered ? 'wait' : 'go on';
  }

  /** Below the partition pods stay at the current revision. */
  #newPod(ordinal: number): KubernetesObject {
    const { updateStrategy, template } = this.#set.spec;
    const { current, update } = this.#history;
    const { rollingUpdate } = updateStrategy;
    const kept = rollingUpdate ? (rollingUpdate.partition ?? 0) : updateStrategy.type === 'RollingUpdate' ? (this.#set.status.currentReplicas ?? 0) : 0;
    const revision = ordinal < startOf(this.#set) + kept ? current : update;
    return statefulPod(this.#set, (templateOf(revision) ?? template) as PodTemplateSpec, revision.metadata.name ?? '', ordinal);
  }

  /** Labels and claims that somebody has changed are put right. */
  async #correct(pod: PodView): Promise<void> {
    const { writes, key, objectOf } = this.#parts;
    const hasClaims = (this.#set.spec.volumeClaimTemplates ?? []).length > 0;
    const hasIdentity = pod.labels[podNameLabel] === pod.name;
    if (hasIdentity && !hasClaims) return;
    const object = objectOf(pod);
    if (object === undefined) return;
    const hasStorage = storageMatches(this.#set, pod.name, object.spec?.volumes ?? []);
    if (hasIdentity && hasStorage && writes.claimsMatch(this.#set, pod)) return;
    await writes.update(key, this.#set, corrected(this.#set, object));
  }

  async #correctClaims(pod: PodView): Promise<Outcome> {
    if (!this.#parts.writes.claimsMatch(this.#set, pod)) await this.#parts.writes.correctClaims(this.#set, pod);
    return 'go on';
  }

  #firstUnavailable(): PodView | undefined {
    const all = [...this.#replicas.flatMap(({ pod }) => pod ?? []), ...this.#condemned.toReversed()];
    return all.find((pod) => isUnavailable(pod, this.#set, this.#parts.now));
  }

  async #condemn(pod: PodView, firstUnavailable: PodView | undefined): Promise<Outcome> {
    if (pod.isDeleting) return 'wait';
    const isHealthy = isRunningAndReady(pod) && isAvailable(pod, this.#set.spec.minReadySeconds ?? 0, this.#parts.now);
    if (this.#isOrdered && !isHealthy && pod !== firstUnavailable) return 'wait';
    await this.#parts.writes.delete(this.#parts.key, this.#set, pod);
    return 'wait';
  }

  /** From the highest number down to the partition, as many at a time as may be missing. */
  async #updatePods(): Promise<void> {
    const { partition = 0, maxUnavailable = 1 } = this.#set.spec.updateStrategy.rollingUpdate ?? {};
    const { update } = this.#revisionNames;
    const { allowsMaxUnavailable, now, writes, key } = this.#parts;
    const most = allowsMaxUnavailable ? Math.max(1, intOrPercent(maxUnavailable, replicasOf(this.#set), 'down')) : 1;
    const isMissing = ({ pod }: Replica) => pod === undefined || isUnavailable(pod, this.#set, now);
    let left = allowsMaxUnavailable ? most - this.#replicas.filter(isMissing).length : 1;
    for (const replica of this.#replicas.slice(partition).toReversed()) {
      const { pod } = replica;
      if (left <= 0) return;
      if (pod !== undefined && pod.labels[revisionLabel] !== update && !pod.isDeleting) {
        await writes.delete(key, this.#set, pod);
        this.#updating++;
        left--;
      } else if (!allowsMaxUnavailable && isMissing(replica)) return;
    }
  }
}
